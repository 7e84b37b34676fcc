//! What memory and arithmetic of this processor allow, measured.

use std::hint::black_box;

use multiversion::multiversion;
use rayon::prelude::*;
use web_time::Instant;

use crate::engine::bounds::Bounds;

/// Words of each of the two planes that are copied: more than any cache holds.
const COPIED_WORDS: usize = 32 << 20;

/// Words that a thread copies at a time.
const PART_WORDS: usize = 1 << 16;

/// The widest vector in use, in words.
const LANES: usize = 16;

/// Functions of three words a round for each lane.
const FUNCTIONS: usize = 16;

/// Rounds of a measurement of a thread.
const ROUNDS: usize = 4 << 20;

/// Measures all cores together, for some tenths of a second.
pub fn bounds() -> Bounds {
    Bounds {
        bytes_a_second: bytes_a_second(),
        functions_a_second: functions_a_second(),
    }
}

fn bytes_a_second() -> f64 {
    let from: Vec<u32> = vec![1; COPIED_WORDS];
    let mut to: Vec<u32> = vec![2; COPIED_WORDS];
    let best = (0..4).map(|_| {
        let since = Instant::now();
        to.par_chunks_mut(PART_WORDS)
            .zip(from.par_chunks(PART_WORDS))
            .for_each(|(to, from)| to.copy_from_slice(from));
        black_box(&to);
        since.elapsed().as_secs_f64()
    });
    let best = best.fold(f64::INFINITY, f64::min);
    2.0 * 4.0 * COPIED_WORDS as f64 / best
}

fn functions_a_second() -> f64 {
    let threads = rayon::current_num_threads();
    let best = (0..3).map(|_| {
        let since = Instant::now();
        (0..threads).into_par_iter().for_each(|thread| {
            let mut words = [[0x9e37_79b9u32.wrapping_add(thread as u32); LANES]; 8];
            for (number, words) in words.iter_mut().enumerate() {
                for (lane, word) in words.iter_mut().enumerate() {
                    *word = word.wrapping_mul((2 * number + 3 + lane) as u32);
                }
            }
            rounds(black_box(&mut words), ROUNDS / FUNCTIONS);
            black_box(&words);
        });
        since.elapsed().as_secs_f64()
    });
    let best = best.fold(f64::INFINITY, f64::min);
    (threads * LANES * (ROUNDS / FUNCTIONS) * FUNCTIONS) as f64 / best
}

/// Eight chains of functions, as `shaders/logic.wgsl` has them.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2", "x86_64+sse4.1", "aarch64+neon"))]
fn rounds(words: &mut [[u32; LANES]; 8], rounds: usize) {
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *words;
    for _ in 0..rounds {
        pick(&mut a, &b, &c);
        parity(&mut b, &c, &d);
        pick(&mut c, &d, &e);
        parity(&mut d, &e, &f);
        pick(&mut e, &f, &g);
        parity(&mut f, &g, &h);
        pick(&mut g, &h, &a);
        parity(&mut h, &a, &b);
        parity(&mut a, &b, &c);
        pick(&mut b, &c, &d);
        parity(&mut c, &d, &e);
        pick(&mut d, &e, &f);
        parity(&mut e, &f, &g);
        pick(&mut f, &g, &h);
        parity(&mut g, &h, &a);
        pick(&mut h, &a, &b);
    }
    *words = [a, b, c, d, e, f, g, h];
}

#[inline(always)]
fn pick(own: &mut [u32; LANES], choice: &[u32; LANES], other: &[u32; LANES]) {
    for lane in 0..LANES {
        own[lane] = (choice[lane] & other[lane]) | (!choice[lane] & own[lane]);
    }
}

#[inline(always)]
fn parity(own: &mut [u32; LANES], a: &[u32; LANES], b: &[u32; LANES]) {
    for lane in 0..LANES {
        own[lane] ^= a[lane] ^ b[lane];
    }
}
