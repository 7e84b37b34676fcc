//! What memory and arithmetic of this processor allow, measured.

use std::hint::black_box;

use multiversion::multiversion;
use rayon::prelude::*;
use web_time::Instant;

use crate::engine::roofline::Roofline;

/// Words of each of the two planes that are copied: more than any cache holds.
const COPIED_WORDS: usize = 32 << 20;

/// Words that a thread copies at a time.
const PART_WORDS: usize = 1 << 16;

/// Words of each variable of a thread: all fit into the fastest cache.
const WORDS: usize = 512;

/// Variables that depend on each other: as few as leave some of sixteen registers free.
const CHAINS: usize = 6;

/// Rounds between loading and storing a word.
const ROUNDS_AT_ONCE: usize = 8;

/// Functions of three words in a round.
const FUNCTIONS: usize = 2 * CHAINS;

/// Turns of a thread, some milliseconds.
const TURNS: usize = 1 << 10;

/// Measurements, of which the best counts: other work can only make them slower.
const MEASUREMENTS: usize = 16;

/// Measures all cores together, for some tenths of a second.
pub fn roofline() -> Roofline {
    Roofline {
        bytes_per_second: bytes_per_second(),
        functions_per_second: functions_per_second(),
    }
}

fn bytes_per_second() -> f64 {
    let from: Vec<u32> = vec![1; COPIED_WORDS];
    let mut to: Vec<u32> = vec![2; COPIED_WORDS];
    let best = (0..MEASUREMENTS / 4).map(|_| {
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

fn functions_per_second() -> f64 {
    let threads = rayon::current_num_threads();
    let best = (0..MEASUREMENTS).map(|_| {
        let since = Instant::now();
        (0..threads).into_par_iter().for_each(|thread| {
            let first = (0..).map(|number: u32| number.wrapping_mul(0x9e37_79b9) ^ thread as u32);
            let mut words = [[0; WORDS]; CHAINS];
            for (word, first) in words.as_flattened_mut().iter_mut().zip(first) {
                *word = first;
            }
            for _ in 0..TURNS {
                turn(black_box(&mut words));
            }
        });
        since.elapsed().as_secs_f64()
    });
    let best = best.fold(f64::INFINITY, f64::min);
    (threads * WORDS * TURNS * ROUNDS_AT_ONCE * FUNCTIONS) as f64 / best
}

#[multiversion(targets("x86_64+avx512f", "x86_64+avx2", "x86_64+sse4.1", "aarch64+neon"))]
fn turn([a, b, c, d, e, f]: &mut [[u32; WORDS]; CHAINS]) {
    for i in 0..WORDS {
        let mut words = [a[i], b[i], c[i], d[i], e[i], f[i]];
        for _ in 0..ROUNDS_AT_ONCE {
            words = round(words);
        }
        [a[i], b[i], c[i], d[i], e[i], f[i]] = words;
    }
}

/// Two functions of each variable, one of each kind.
#[inline(always)]
fn round([mut a, mut b, mut c, mut d, mut e, mut f]: [u32; CHAINS]) -> [u32; CHAINS] {
    a = pick(b, c, a);
    b ^= c ^ d;
    c = pick(d, e, c);
    d ^= e ^ f;
    e = pick(f, a, e);
    f ^= a ^ b;
    a ^= b ^ c;
    b = pick(c, d, b);
    c ^= d ^ e;
    d = pick(e, f, d);
    e ^= f ^ a;
    f = pick(a, b, f);
    [a, b, c, d, e, f]
}

#[inline(always)]
fn pick(choice: u32, a: u32, b: u32) -> u32 {
    (a & choice) | (b & !choice)
}
