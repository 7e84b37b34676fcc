//! The colours of a picture.

/// A colour in sRGB: red, green and blue, each 0 to 255.
pub type Rgb = [u8; 3];

/// The colours of dead, red and blue cells, and of what lies around the board.
///
/// The default is made for everybody to read. Some people see red and green as one (protanopia,
/// deuteranopia) but can tell yellow from blue, so *red* leans towards orange and *blue* towards
/// cyan. They differ in lightness as well, hence they stay apart in grey, in print and for those
/// who see no hues at all. Blue is the lighter one because in protanopia reds look darker still:
/// the difference grows there instead of vanishing. The background is dark, as a field of sparse
/// live cells then reads as lights, and a minified picture can show density as brightness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Palette {
    /// A dead cell, `#0E1116` by default.
    pub dead: Rgb,
    /// A cell of player 1, `#E8432E` by default.
    pub red: Rgb,
    /// A cell of player 2, `#80CCFF` by default.
    pub blue: Rgb,
    /// The margin around the board, `#262B34` by default: a little lighter than a dead cell, so
    /// that the border of the board shows.
    pub outside: Rgb,
    /// The colours of what is no cell of a player; only boards of populations have such.
    pub marks: Option<Marks>,
}

/// The colours of barriers and targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Marks {
    /// A barrier.
    pub barrier: Rgb,
    /// The outline of a target, or all of a small one.
    pub target: Rgb,
}

impl Palette {
    /// The default colours.
    pub const DEFAULT: Self = Self {
        dead: [0x0e, 0x11, 0x16],
        red: [0xe8, 0x43, 0x2e],
        blue: [0x80, 0xcc, 0xff],
        outside: [0x26, 0x2b, 0x34],
        marks: None,
    };

    /// The colours of boards of populations. Barriers are black and must show, so an empty cell is
    /// lighter here; targets are yellow, which no mixture of red and blue comes near.
    pub const REZOLUTION: Self = Self {
        dead: [0x2e, 0x34, 0x3f],
        outside: [0x4a, 0x52, 0x60],
        marks: Some(Marks {
            barrier: [0x00, 0x00, 0x00],
            target: [0xff, 0xe0, 0x4d],
        }),
        ..Self::DEFAULT
    };

    /// The four colours in the order of the indices of a picture: dead, red, blue, outside.
    pub const fn colours(&self) -> [Rgb; 4] {
        [self.dead, self.red, self.blue, self.outside]
    }

    /// The same colours with red and blue exchanged.
    pub const fn swapped(self) -> Self {
        Self {
            red: self.blue,
            blue: self.red,
            ..self
        }
    }
}

impl Default for Palette {
    fn default() -> Self {
        Self::DEFAULT
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Shares of linear red, green and blue in relative luminance (Rec. 709, as WCAG 2 uses them).
    const LUMINANCE: [f64; 3] = [0.2126, 0.7152, 0.0722];
    type Matrix = [[f64; 3]; 3];
    const NORMAL: Matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    /// What a dichromat sees of linear RGB, after Viénot, Brettel and Mollon, "Digital video
    /// colourmaps for checking the legibility of displays by dichromats" (1999).
    const PROTANOPIA: Matrix = [
        [0.11238, 0.88762, 0.0],
        [0.11238, 0.88762, 0.0],
        [0.00401, -0.00401, 1.0],
    ];
    const DEUTERANOPIA: Matrix = [
        [0.29275, 0.70725, 0.0],
        [0.29275, 0.70725, 0.0],
        [-0.02234, 0.02234, 1.0],
    ];

    fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
        a.iter().zip(b).map(|(a, b)| a * b).sum()
    }

    /// Linear light of a colour as an observer sees it.
    fn perceived(colour: Rgb, observer: Matrix) -> [f64; 3] {
        let linear = colour.map(|byte| match f64::from(byte) / 255.0 {
            v if v <= 0.04045 => v / 12.92,
            v => ((v + 0.055) / 1.055).powf(2.4),
        });
        observer.map(|row| dot(row, linear).clamp(0.0, 1.0))
    }

    /// Contrast ratio of WCAG 2: 1 for equal luminance, 21 for black and white.
    fn contrast(a: [f64; 3], b: [f64; 3]) -> f64 {
        let [a, b] = [a, b].map(|colour| dot(LUMINANCE, colour) + 0.05);
        a.max(b) / a.min(b)
    }

    /// CIELAB coordinates (L, a, b) for the white of sRGB.
    fn lab(linear: [f64; 3]) -> [f64; 3] {
        let f = |t: f64| match t {
            t if t > 216.0 / 24389.0 => t.cbrt(),
            t => (24389.0 / 27.0 * t + 16.0) / 116.0,
        };
        let x = f(dot([0.4124, 0.3576, 0.1805], linear) / 0.9505);
        let y = f(dot(LUMINANCE, linear));
        let z = f(dot([0.0193, 0.1192, 0.9505], linear) / 1.089);
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    #[test]
    fn colours_differ_for_every_observer_by_hue_and_by_lightness() {
        for (name, observer) in [
            ("normal", NORMAL),
            ("protanopia", PROTANOPIA),
            ("deuteranopia", DEUTERANOPIA),
        ] {
            let [dead, red, blue, outside] =
                Palette::DEFAULT.colours().map(|c| perceived(c, observer));
            // WCAG 2.1 requires 3 for graphical objects.
            assert!(contrast(red, dead) >= 3.0, "{name}: red");
            assert!(contrast(blue, dead) >= 3.0, "{name}: blue");
            assert!(contrast(outside, dead) >= 1.25, "{name}: outside");
            assert!(contrast(outside, dead) <= 1.5, "{name}: outside");
            let populations = Palette::REZOLUTION;
            let [dead, red, blue, outside] = populations.colours().map(|c| perceived(c, observer));
            let Marks { barrier, target } = populations.marks.unwrap();
            let (barrier, target) = (perceived(barrier, observer), perceived(target, observer));
            assert!(contrast(blue, dead) >= 3.0, "{name}: blue on populations");
            assert!(contrast(target, dead) >= 3.0, "{name}: target");
            assert!(contrast(red, dead) >= 1.5, "{name}: red on populations");
            for (what, colour) in [("barrier", barrier), ("outside", outside)] {
                assert!(contrast(colour, dead) >= 1.5, "{name}: {what}");
            }
            let ([_, target_a, target_b], [_, blue_a, blue_b]) = (lab(target), lab(blue));
            assert!(
                (target_a - blue_a).hypot(target_b - blue_b) >= 60.0,
                "{name}: target"
            );
            let ([light_red, red_a, red_b], [light_blue, blue_a, blue_b]) = (lab(red), lab(blue));
            // About 2 is just noticeable side by side; cells are small, so require ten times that.
            assert!(light_blue - light_red >= 18.0, "{name}: lightness");
            assert!(
                (red_a - blue_a).hypot(red_b - blue_b) >= 60.0,
                "{name}: hue"
            );
        }
    }
}
