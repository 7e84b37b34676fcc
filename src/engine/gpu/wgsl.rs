//! Shader programs from files: `#import` and `#ifdef`.
//!
//! WGSL has neither. A program is a file of `shaders/` and a set of defines, and every file names
//! what it needs:
//!
//! ```text
//! #import lifelike/ties      the text of shaders/lifelike/ties.wgsl, here, unless it is already part of the program
//! #ifdef SUBGROUPS           the lines up to #else or #endif, if the program sets SUBGROUPS
//! #else                      otherwise these
//! #endif
//! ```
//!
//! A directive has a line of its own. The order of declarations means nothing in WGSL, so a file may use
//! what the file that imports it declares.

use std::sync::OnceLock;

use sha2::{Digest, Sha256};
use thiserror::Error;

/// Stem and text of every file of `shaders/`, by stem; `build.rs` lists them.
pub static FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/shaders.rs"));

/// Why a program cannot be assembled. Lines count from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WgslError {
    /// There is no such file.
    #[error("{at}: there is no shaders/{stem}.wgsl")]
    UnknownImport {
        /// Where it is imported.
        at: Place,
        /// What is imported.
        stem: String,
    },
    /// A file imports itself, if only through others.
    #[error("{at}: {stem} is imported while it is being assembled")]
    Cycle {
        /// Where it is imported.
        at: Place,
        /// What is imported.
        stem: String,
    },
    /// A line begins with `#` but is no directive.
    #[error("{at}: {line:?} is no directive: #import FILE, #ifdef NAME, #else, #endif")]
    UnknownDirective {
        /// Where.
        at: Place,
        /// The line.
        line: String,
    },
    /// `#else` or `#endif` without an `#ifdef`, or a second `#else`.
    #[error("{at}: {directive} belongs to no #ifdef")]
    Unopened {
        /// Where.
        at: Place,
        /// Which of the two.
        directive: &'static str,
    },
    /// `#ifdef` without an `#endif` in the same file.
    #[error("{at}: #ifdef without #endif")]
    Unclosed {
        /// Where the `#ifdef` is.
        at: Place,
    },
    /// No file of the program mentions one of its defines.
    #[error("{file}: no #ifdef {define} in the program")]
    UnusedDefine {
        /// The file of the program.
        file: String,
        /// The define.
        define: String,
    },
}

/// The SHA-256 of all shader files, in hexadecimal digits.
pub fn sources_digest() -> &'static str {
    static DIGEST: OnceLock<String> = OnceLock::new();
    DIGEST.get_or_init(|| {
        let mut hash = Sha256::new();
        for (stem, text) in FILES {
            hash.update(stem);
            hash.update([0]);
            hash.update(text);
            hash.update([0]);
        }
        let digest = hash.finalize();
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    })
}

/// A line of a shader file; line 0 is the program itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The stem of the file.
    pub stem: String,
    /// The line, from 1.
    pub line: usize,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "shaders/{}.wgsl:{}", self.stem, self.line)
    }
}

/// An assembled program.
#[derive(Debug)]
pub struct Assembly {
    /// The WGSL text.
    pub text: String,
    /// Where each line of the text is from.
    pub origins: Vec<Place>,
}

/// The program that is `file` with `defines`, of the files `files`.
///
/// # Errors
/// [`WgslError`] names file and line.
pub fn assemble(
    files: &[(&str, &str)],
    file: &str,
    defines: &[&str],
) -> Result<Assembly, WgslError> {
    let mut assembler = Assembler {
        files,
        defines,
        mentioned: Vec::new(),
        imported: Vec::new(),
        open: Vec::new(),
        assembly: Assembly {
            text: String::new(),
            origins: Vec::new(),
        },
    };
    let program = Place {
        stem: file.into(),
        line: 0,
    };
    assembler.import(file, &program)?;
    let is_unused = |define: &&&str| !assembler.mentioned.iter().any(|name| name == **define);
    match defines.iter().find(is_unused) {
        Some(define) => Err(WgslError::UnusedDefine {
            file: file.into(),
            define: (*define).into(),
        }),
        None => Ok(assembler.assembly),
    }
}

struct Assembler<'a> {
    files: &'a [(&'a str, &'a str)],
    defines: &'a [&'a str],
    /// Names of all `#ifdef`s so far.
    mentioned: Vec<String>,
    /// Files that are part of the program.
    imported: Vec<String>,
    /// Files that are being assembled, each imported by the one before.
    open: Vec<String>,
    assembly: Assembly,
}

/// An `#ifdef` whose `#endif` has not come.
struct Condition {
    line: usize,
    /// Whether the lines that follow are part of the program, as far as this condition goes.
    holds: bool,
    had_else: bool,
}

impl Assembler<'_> {
    fn import(&mut self, stem: &str, at: &Place) -> Result<(), WgslError> {
        let (at, stem_owned) = (at.clone(), stem.to_owned());
        if self.open.contains(&stem_owned) {
            let stem = stem_owned;
            return Err(WgslError::Cycle { at, stem });
        }
        if self.imported.contains(&stem_owned) {
            return Ok(());
        }
        let Some((_, text)) = self.files.iter().find(|(found, _)| *found == stem) else {
            let stem = stem_owned;
            return Err(WgslError::UnknownImport { at, stem });
        };
        self.imported.push(stem_owned.clone());
        self.open.push(stem_owned);
        self.add(stem, text)?;
        self.open.pop();
        Ok(())
    }

    fn add(&mut self, stem: &str, text: &str) -> Result<(), WgslError> {
        let place = |line: usize| Place {
            stem: stem.into(),
            line,
        };
        let mut conditions: Vec<Condition> = Vec::new();
        for (line, content) in (1..).zip(text.lines()) {
            let is_active = conditions.iter().all(|condition| condition.holds);
            if !content.trim_start().starts_with('#') {
                if is_active {
                    self.assembly.text.push_str(content);
                    self.assembly.text.push('\n');
                    self.assembly.origins.push(place(line));
                }
                continue;
            }
            let words: Vec<&str> = content.split_whitespace().collect();
            match words[..] {
                ["#import", file] if is_active => self.import(file, &place(line))?,
                ["#import", _] => {}
                ["#ifdef", name] => {
                    self.mentioned.push(name.into());
                    conditions.push(Condition {
                        line,
                        holds: self.defines.contains(&name),
                        had_else: false,
                    });
                }
                ["#else"] => match conditions.last_mut() {
                    Some(condition) if !condition.had_else => {
                        condition.holds = !condition.holds;
                        condition.had_else = true;
                    }
                    _ => {
                        let (at, directive) = (place(line), "#else");
                        return Err(WgslError::Unopened { at, directive });
                    }
                },
                ["#endif"] if conditions.pop().is_some() => {}
                ["#endif"] => {
                    let (at, directive) = (place(line), "#endif");
                    return Err(WgslError::Unopened { at, directive });
                }
                _ => {
                    return Err(WgslError::UnknownDirective {
                        at: place(line),
                        line: content.trim().into(),
                    });
                }
            }
        }
        match conditions.last() {
            Some(condition) => Err(WgslError::Unclosed {
                at: place(condition.line),
            }),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assembled(files: &[(&str, &str)], defines: &[&str]) -> Result<String, String> {
        let assembly = assemble(files, "main", defines).map_err(|error| error.to_string())?;
        assert_eq!(assembly.text.lines().count(), assembly.origins.len());
        Ok(assembly.text)
    }

    fn error_of(files: &[(&str, &str)]) -> String {
        assembled(files, &[]).unwrap_err()
    }

    #[test]
    fn conditions_nest() {
        let text = "a\n#ifdef A\nb\n#ifdef B\nc\n#else\nd\n#endif\ne\n#else\nf\n  #ifdef B\ng\n  #endif\n#endif\nh\n";
        let files = [("main", text)];
        for (defines, expected) in [
            (&[][..], "a\nf\nh\n"),
            (&["A"], "a\nb\nd\ne\nh\n"),
            (&["B"], "a\nf\ng\nh\n"),
            (&["A", "B"], "a\nb\nc\ne\nh\n"),
        ] {
            assert_eq!(assembled(&files, defines).unwrap(), expected);
        }
    }

    #[test]
    fn a_file_is_imported_once_and_where_it_is_first_named() {
        let files = [
            (
                "main",
                "#import folder/a\n#import b\nmain\n#import folder/a\n",
            ),
            ("folder/a", "a\n"),
            ("b", "#import folder/a\nb\n"),
        ];
        assert_eq!(assembled(&files, &[]).unwrap(), "a\nb\nmain\n");
    }

    #[test]
    fn what_is_left_out_is_not_imported() {
        let files = [("main", "#ifdef A\n#import nowhere\n#endif\nmain\n")];
        assert_eq!(assembled(&files, &[]).unwrap(), "main\n");
        let error = assembled(&files, &["A"]).unwrap_err();
        assert_eq!(
            error,
            "shaders/main.wgsl:2: there is no shaders/nowhere.wgsl"
        );
    }

    #[test]
    fn cycles_are_errors() {
        let files = [("main", "#import a\n"), ("a", "\n#import main\n")];
        let expected = "shaders/a.wgsl:2: main is imported while it is being assembled";
        assert_eq!(error_of(&files), expected);
    }

    #[test]
    fn unbalanced_conditions_are_errors_even_where_nothing_is_taken() {
        for (text, expected) in [
            ("a\n#endif\n", "2: #endif belongs to no #ifdef"),
            ("#else\n", "1: #else belongs to no #ifdef"),
            (
                "#ifdef A\n#else\n#else\n#endif\n",
                "3: #else belongs to no #ifdef",
            ),
            ("\n#ifdef A\n#ifdef B\n#endif\n", "2: #ifdef without #endif"),
        ] {
            let expected = format!("shaders/main.wgsl:{expected}");
            assert_eq!(error_of(&[("main", text)]), expected);
        }
        // A condition ends in the file in which it begins.
        let files = [("main", "#ifdef A\n#else\n#import a\n"), ("a", "#endif\n")];
        assert_eq!(
            error_of(&files),
            "shaders/a.wgsl:1: #endif belongs to no #ifdef"
        );
    }

    #[test]
    fn other_directives_are_errors() {
        for line in [
            "#include a",
            "#ifdef",
            "#ifdef A B",
            "# import a",
            "#else if",
        ] {
            let found = error_of(&[("main", line)]);
            assert!(found.starts_with("shaders/main.wgsl:1: "), "{found}");
            assert!(found.contains("is no directive"), "{found}");
        }
    }

    #[test]
    fn a_define_that_means_nothing_is_an_error() {
        let error = assembled(&[("main", "a\n")], &["STATS"]).unwrap_err();
        assert_eq!(error, "main: no #ifdef STATS in the program");
    }
}
