//! The colours of a GIF of minified boards.

use super::FilmError;
use crate::render::average::{FAINTEST, averaged_colour};
use crate::render::palette::{Marks, Palette, Rgb};

/// The most colours: one fewer than a GIF can have, so that a byte can also say that the nearest
/// one is not known yet.
const MOST: usize = 255;

/// An even choice of all colours that [`averaged_colour`] can give, the colour around the board, and
/// those of its marks, if it has such.
///
/// These colours fill a triangle between dead, red and blue. It is cut into rows of one brightness,
/// each with as many steps from red to blue as it is long; dead, red and blue themselves are among
/// them:
///
/// ```text
///  brightness 255   red . . . . . . . blue
///                       . . . . . .            steps of about one length in all directions,
///              40           . .                as short as 255 colours allow
///               0          dead
/// ```
pub(super) struct Ramp {
    colours: Vec<Rgb>,
    /// One more than the index of the nearest colour, for every colour; 0 if not known yet.
    known: Vec<u8>,
}

impl Ramp {
    pub(super) fn new(palette: &Palette) -> Result<Self, FilmError> {
        const ALL: usize = 1 << 24;
        // No two colours are 450 apart, so in steps as long as that there are six of them.
        let colours = (1..=450)
            .map(|step| choose(palette, step))
            .find(|colours| colours.len() <= MOST)
            .unwrap_or_else(|| palette.colours().to_vec());
        Ok(Self {
            colours,
            known: bytemuck::allocation::try_zeroed_vec(ALL)
                .map_err(|()| FilmError::NoMemory(ALL))?,
        })
    }

    /// At most 255 colours.
    pub(super) fn colours(&self) -> &[Rgb] {
        &self.colours
    }

    /// The index of the colour nearest to that one, the first of several.
    pub(super) fn nearest(&mut self, colour: Rgb) -> u8 {
        let [red, green, blue] = colour.map(usize::from);
        let known = &mut self.known[red << 16 | green << 8 | blue];
        if *known == 0 {
            let nearest = (1..=u8::MAX).zip(&self.colours);
            *known = nearest
                .min_by_key(|(_, candidate)| squared_distance(colour, **candidate))
                .map_or(1, |(number, _)| number);
        }
        *known - 1
    }
}

/// The colours in steps of that length.
fn choose(palette: &Palette, step: u64) -> Vec<Rgb> {
    // So many live cells of 255 * 255 have exactly that brightness.
    let at = |brightness: u64, part: u64, parts: u64| {
        let live = brightness * brightness * parts;
        averaged_colour(
            palette,
            255 * 255 * parts,
            live,
            brightness * brightness * part,
        )
    };
    let steps = |from: Rgb, to: Rgb| squared_distance(from, to).isqrt().div_ceil(step).max(1);
    let rows = [0, 1].map(|blue| steps(at(FAINTEST, blue, 1), at(255, blue, 1)));
    let rows = rows[0].max(rows[1]);
    let mut colours = vec![palette.dead, palette.outside];
    if let Some(Marks { barrier, target }) = palette.marks {
        colours.extend([barrier, target]);
    }
    for row in 0..=rows {
        let brightness = FAINTEST + (255 - FAINTEST) * row / rows;
        let parts = steps(at(brightness, 0, 1), at(brightness, 1, 1));
        colours.extend((0..=parts).map(|part| at(brightness, part, parts)));
        if colours.len() > MOST {
            break;
        }
    }
    colours
}

fn squared_distance(a: Rgb, b: Rgb) -> u64 {
    let square = |(a, b): (u8, u8)| u64::from(a.abs_diff(b)).pow(2);
    a.into_iter().zip(b).map(square).sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_default_palette_is_used_well() {
        let palette = Palette::DEFAULT;
        let mut ramp = Ramp::new(&palette).unwrap();
        assert!(
            (200..=MOST).contains(&ramp.colours().len()),
            "{}",
            ramp.colours().len()
        );
        for colour in palette.colours() {
            let index = ramp.nearest(colour);
            assert_eq!(ramp.colours()[usize::from(index)], colour);
        }
        // Every colour of a minified picture has one near it.
        let mut worst = 0;
        for live in (0..=1000).step_by(7) {
            for blue in (0..=live).step_by(5) {
                let colour = averaged_colour(&palette, 1000, live, blue);
                let index = usize::from(ramp.nearest(colour));
                worst = worst.max(squared_distance(colour, ramp.colours()[index]));
            }
        }
        assert!(worst <= 12 * 12, "{worst}");
    }

    #[test]
    fn a_choice_of_all_255_colours_is_searched_to_its_end() {
        let mut ramp = Ramp::new(&Palette {
            dead: [92, 57, 162],
            red: [147, 218, 72],
            blue: [138, 135, 6],
            outside: [0; 3],
            marks: None,
        })
        .unwrap();
        assert_eq!(ramp.colours().len(), MOST);
        let last = ramp.colours()[MOST - 1];
        assert_eq!(ramp.nearest(last), 254);
    }

    proptest! {
        #[test]
        fn any_palette_gets_colours(colours: [Rgb; 4], asked: [Rgb; 8]) {
            let [dead, red, blue, outside] = colours;
            let mut ramp = Ramp::new(&Palette { dead, red, blue, outside, marks: None }).unwrap();
            prop_assert!(ramp.colours().len() <= MOST);
            prop_assert!(colours.iter().all(|colour| ramp.colours().contains(colour)));
            for colour in asked.into_iter().chain(asked) {
                let found = ramp.nearest(colour);
                let distances = ramp.colours().iter().map(|c| squared_distance(colour, *c));
                let best = distances.clone().min().unwrap();
                prop_assert_eq!(distances.into_iter().position(|d| d == best), Some(found.into()));
            }
        }
    }
}
