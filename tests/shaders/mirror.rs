//! Compares functions of a shader with those that mirror them in Rust, statement by statement.
//!
//! Both are parsed by the same small parser into one canonical form, in which only these differences of
//! the two languages are gone:
//!
//! * types: `let mut x: u32` and `var x`, `as u32`, `u32::from(x)`, `0x80u` and `0x80`;
//! * vectors: `Words(x)` and `vec4(x)` are `x`; `v.x` is `v[0]`; what is added for the number of a lane,
//!   `Words(0u, 1u, 2u, 3u)`, is left out; `v.map(|v| f(v))` is `f(v)`;
//! * operators: `!x` is `~x`, `a.wrapping_add(b)` is `a + b`, `a = a + b` is `a += b`;
//! * structs: `Lanes { even: a, odd: b }` is `Lanes(a, b)`, if the shader declares the fields so;
//! * the last expression is a `return`, `if c { a } else { b }` is `select(b, a, c)`;
//! * `[above, middle, below]: [RowSum; 3]` are three parameters.
//!
//! What else differs has to be listed with the function, and each such entry has to be needed.

use std::collections::BTreeMap;

/// A function of both sides.
struct Mirrored {
    name: &'static str,
    /// Parameters that only the Rust side has: the shader has them as globals.
    only_rust: &'static [&'static str],
    /// Parts of the Rust side in canonical form, and what the shader has in their place.
    differences: &'static [(&'static str, &'static str)],
}

/// A function that both sides have alike.
const fn alike(name: &'static str) -> Mirrored {
    Mirrored {
        name,
        only_rust: &[],
        differences: &[],
    }
}

/// A shader, its mirror, their functions in order, and constants of both.
struct Pair {
    shader: (&'static str, &'static str),
    mirror: (&'static str, &'static str),
    functions: &'static [Mirrored],
    constants: &'static [&'static str],
}

macro_rules! pair {
    ($shader:literal, $mirror:literal, $functions:expr, $constants:expr) => {
        Pair {
            shader: ($shader, include_str!(concat!("../../", $shader))),
            mirror: ($mirror, include_str!(concat!("../../", $mirror))),
            functions: $functions,
            constants: $constants,
        }
    };
}

const PAIRS: &[Pair] = &[
    pair!(
        "shaders/lifelike.wgsl",
        "src/rules/lifelike.rs",
        &[
            alike("mux"),
            alike("majority_of_three"),
            alike("row_sum"),
            alike("block_count"),
            alike("all_if"),
            Mirrored {
                name: "outcome",
                only_rust: &["rule"],
                differences: &[
                    ("rule.birth", "birth_counts()"),
                    ("rule.survival", "survival_counts()"),
                ],
            },
            Mirrored {
                name: "next_alive",
                only_rust: &["rule"],
                differences: &[("outcome(rule, ", "outcome(")],
            },
            alike("majority"),
            alike("life_alive"),
            alike("life_blue"),
        ],
        &["EVEN_COUNTS"]
    ),
    pair!(
        "shaders/rezolution.wgsl",
        "src/rules/rezolution.rs",
        &[
            alike("even_odd"),
            alike("row_sum"),
            alike("block_sum"),
            alike("magnitude"),
            alike("at_least"),
            alike("next_pair"),
            alike("next_populations"),
            alike("marked"),
        ],
        &["BIAS", "LOW_BYTES", "ONES", "HIGH_BITS", "NINE_BIASES"]
    ),
    pair!(
        "shaders/rezolution.wgsl",
        "src/board/rezolution.rs",
        &[alike("spread")],
        &[]
    ),
    pair!(
        "shaders/lifelike/ties.wgsl",
        "src/rules/ties.rs",
        &[
            Mirrored {
                name: "priority_bits",
                only_rust: &["seed"],
                differences: &[
                    ("seed[0]", "params.seed_low"),
                    ("seed[1]", "params.seed_high"),
                    (
                        "[low[0], low[1], low[2], low[3], high[0], high[1], high[2]]",
                        "PriorityBits(low, high.xyz)",
                    ),
                ],
            },
            alike("first_live"),
            Mirrored {
                name: "first_blue",
                only_rust: &[],
                differences: &[
                    ("bits, neighbours", "bits, above, middle, below"),
                    (
                        "let [nw, n, ne, w, e, sw, s, se] = neighbours;",
                        "let nw = FirstLive(above.alive.left, above.blue.left);\n\
                         let n = FirstLive(above.alive.centre, above.blue.centre);\n\
                         let ne = FirstLive(above.alive.right, above.blue.right);\n\
                         let w = FirstLive(middle.alive.left, middle.blue.left);\n\
                         let e = FirstLive(middle.alive.right, middle.blue.right);\n\
                         let sw = FirstLive(below.alive.left, below.blue.left);\n\
                         let s = FirstLive(below.alive.centre, below.blue.centre);\n\
                         let se = FirstLive(below.alive.right, below.blue.right);",
                    ),
                    ("bits[0]", "bits.nw_n"),
                    ("bits[1]", "bits.ne_w"),
                    ("bits[2]", "bits.e_sw"),
                    ("bits[3]", "bits.s_se"),
                    ("bits[4]", "bits.north"),
                    ("bits[5]", "bits.south"),
                    ("bits[6]", "bits.root"),
                ],
            },
            alike("checkerboard_blue"),
        ],
        &[]
    ),
    pair!(
        "shaders/shared/hash.wgsl",
        "src/board/hash.rs",
        &[alike("pcg4d")],
        &[]
    ),
];

#[test]
fn rules_have_the_same_statements_on_both_sides() {
    let mut compared = 0;
    for pair in PAIRS {
        if let Err(difference) = compare(pair, pair.shader.1) {
            panic!("{difference}");
        }
        compared += pair.functions.len();
    }
    assert!(compared > 20);
}

/// Every operator of every shader function matters: with another one in its place the comparison fails.
#[test]
fn a_planted_difference_is_found() {
    let others = [
        (" & ", " | "),
        (" | ", " & "),
        (" ^ ", " | "),
        (" + ", " - "),
        (" - ", " + "),
        (" * ", " + "),
        ("~", ""),
        (">>", "<<"),
        ("<<", ">>"),
    ];
    let mut planted = 0;
    for pair in PAIRS {
        let (_, shader) = pair.shader;
        for function in pair.functions {
            let start = shader.find(&format!("fn {}(", function.name)).unwrap();
            let end = start + whole(shader, start).len();
            for (from, to) in others {
                for (at, _) in shader[start..end].match_indices(from) {
                    let at = start + at;
                    let changed = [&shader[..at], to, &shader[at + from.len()..]].concat();
                    let found = compare(pair, &changed);
                    assert!(found.is_err(), "{}: {from} -> {to}", function.name);
                    planted += 1;
                }
            }
        }
    }
    assert!(planted > 100, "{planted}");
}

/// Compares a shader text with the mirror.
fn compare(pair: &Pair, shader: &str) -> Result<(), String> {
    let (mirror_file, mirror) = pair.mirror;
    let fields = struct_fields(shader);
    let mut last = [0, 0];
    for function in pair.functions {
        let [in_shader, in_mirror] = [shader, mirror].map(|text| find(text, function.name));
        if in_shader < last[0] || in_mirror < last[1] {
            return Err(format!("{}: the order of functions differs", function.name));
        }
        last = [in_shader, in_mirror];
        let expected = Parser::new(whole(shader, in_shader), &fields).function(&[]);
        let mut found = Parser::new(whole(mirror, in_mirror), &fields).function(function.only_rust);
        for (rust, wgsl) in function.differences {
            if !found.contains(rust) {
                return Err(format!("{}: {rust} is not needed", function.name));
            }
            found = found.replace(rust, wgsl);
        }
        if expected != found {
            let name = function.name;
            let file = pair.shader.0;
            return Err(format!(
                "{name} differs.\n{file}:\n{expected}\n\n{mirror_file}:\n{found}"
            ));
        }
    }
    for name in pair.constants {
        let [in_shader, in_mirror] = [shader, mirror].map(|text| {
            let (_, rest) = text.split_once(&format!("const {name}: ")).unwrap();
            let (_, value) = rest.split_once('=').unwrap();
            let (value, _) = value.split_once(';').unwrap();
            Parser::new(value, &fields).expression(0).to_string()
        });
        if in_shader != in_mirror {
            return Err(format!("{name}: {in_shader} and {in_mirror}"));
        }
    }
    Ok(())
}

fn find(text: &str, name: &str) -> usize {
    let found = text.find(&format!("fn {name}("));
    found.unwrap_or_else(|| panic!("fn {name} is missing"))
}

/// The function that begins at a place of a text.
fn whole(text: &str, start: usize) -> &str {
    let length = text[start..].find("\n}").unwrap();
    &text[start..start + length + 2]
}

/// The fields of the structs of a shader.
fn struct_fields(shader: &str) -> BTreeMap<String, Vec<String>> {
    let structs = shader.split("\nstruct ").skip(1);
    structs
        .map(|text| {
            let (name, rest) = text.split_once(" {").unwrap();
            let (body, _) = rest.split_once("\n}").unwrap();
            let lines = body.lines().map(str::trim);
            let fields = lines.filter(|line| !line.starts_with("//"));
            let names = fields.filter_map(|line| line.split_once(':'));
            let names = names.map(|(name, _)| name.to_owned()).collect();
            (name.to_owned(), names)
        })
        .collect()
}

/// Words, numbers without their types in decimal, and operators.
fn tokens(text: &str) -> Vec<String> {
    const LONG: [&str; 15] = [
        "<<=", ">>=", "->", "<<", ">>", "+=", "-=", "*=", "&=", "|=", "^=", "==", "&&", "||", "::",
    ];
    let mut rest = text;
    let mut tokens = Vec::new();
    loop {
        rest = rest.trim_start();
        if let Some(comment) = rest.strip_prefix("//") {
            rest = comment.split_once('\n').map_or("", |(_, rest)| rest);
            continue;
        }
        let Some(first) = rest.chars().next() else {
            return tokens;
        };
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let length = match LONG.iter().find(|long| rest.starts_with(**long)) {
            Some(long) => long.len(),
            None if is_word(first) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            None => first.len_utf8(),
        };
        let (token, after) = rest.split_at(length);
        rest = after;
        tokens.push(match first.is_ascii_digit() {
            true => number(token),
            false => token.to_owned(),
        });
    }
}

fn number(token: &str) -> String {
    let digits = token.replace('_', "");
    let digits = digits.trim_end_matches("u32").trim_end_matches('u');
    let value = match (digits.strip_prefix("0x"), digits.strip_prefix("0b")) {
        (Some(hex), _) => u32::from_str_radix(hex, 16),
        (_, Some(bits)) => u32::from_str_radix(bits, 2),
        _ => digits.parse(),
    };
    // Numbers of other types do not occur in mirrored functions.
    value.unwrap().to_string()
}

/// An expression; names, numbers and fields are leaves.
#[derive(Clone, PartialEq)]
enum Expression {
    Leaf(String),
    Unary(String, Box<Expression>),
    Binary(String, Box<[Expression; 2]>),
    Call(String, Vec<Expression>),
    List(Vec<Expression>),
}

use Expression::{Binary, Call, Leaf, List, Unary};

impl std::fmt::Display for Expression {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let joined = |parts: &[Self]| {
            let parts: Vec<String> = parts.iter().map(Self::to_string).collect();
            parts.join(", ")
        };
        match self {
            Leaf(name) => f.write_str(name),
            Unary(operator, operand) => write!(f, "{operator}{operand}"),
            Binary(operator, sides) => write!(f, "({} {operator} {})", sides[0], sides[1]),
            Call(name, arguments) => write!(f, "{name}({})", joined(arguments)),
            List(parts) => write!(f, "[{}]", joined(parts)),
        }
    }
}

impl Expression {
    /// With another expression in place of a name.
    fn with(self, name: &str, value: &Self) -> Self {
        let all = |parts: Vec<Self>| parts.into_iter().map(|part| part.with(name, value));
        match self {
            Leaf(leaf) if leaf == name => value.clone(),
            Leaf(leaf) => Leaf(leaf),
            Unary(operator, operand) => Unary(operator, Box::new(operand.with(name, value))),
            Binary(operator, sides) => {
                Binary(operator, Box::new(sides.map(|side| side.with(name, value))))
            }
            Call(called, arguments) => Call(called, all(arguments).collect()),
            List(parts) => List(all(parts).collect()),
        }
    }

    /// Whether this is the number of a lane.
    fn is_lane(&self) -> bool {
        matches!(self, List(parts) if parts.iter().map(Self::to_string).eq(["0", "1", "2", "3"]))
    }
}

struct Parser<'a> {
    tokens: Vec<String>,
    at: usize,
    fields: &'a BTreeMap<String, Vec<String>>,
}

impl<'a> Parser<'a> {
    fn new(text: &str, fields: &'a BTreeMap<String, Vec<String>>) -> Self {
        let mut tokens = tokens(text);
        tokens.push(String::new());
        Self {
            tokens,
            at: 0,
            fields,
        }
    }

    fn peek(&self) -> &str {
        &self.tokens[self.at]
    }

    fn next(&mut self) -> String {
        self.at += 1;
        self.tokens[self.at - 1].clone()
    }

    fn takes(&mut self, token: &str) -> bool {
        let is_next = self.peek() == token;
        self.at += usize::from(is_next);
        is_next
    }

    fn expect(&mut self, token: &str) {
        let found = self.next();
        assert_eq!(found, token, "after {:?}", &self.tokens[..self.at]);
    }

    /// Skips a type, up to one of these tokens.
    fn skip_type(&mut self, ends: &[&str]) {
        let mut depth = 0;
        while depth > 0 || !ends.contains(&self.peek()) {
            match self.next().as_str() {
                "[" | "(" | "<" => depth += 1,
                "]" | ")" | ">" => depth -= 1,
                "" => panic!("a type without an end"),
                _ => {}
            }
        }
    }

    /// A function: its parameters, and a line for each statement.
    fn function(&mut self, left_out: &[&str]) -> String {
        self.expect("fn");
        self.next();
        self.expect("(");
        let mut parameters = Vec::new();
        while !self.takes(")") {
            if self.takes("[") {
                while !self.takes("]") {
                    parameters.push(self.next());
                    self.takes(",");
                }
            } else {
                parameters.push(self.next());
            }
            self.expect(":");
            self.skip_type(&[",", ")"]);
            self.takes(",");
        }
        self.skip_type(&["{"]);
        self.expect("{");
        let before = parameters.len();
        parameters.retain(|name| !left_out.contains(&name.as_str()));
        assert_eq!(before - parameters.len(), left_out.len());
        let mut lines = vec![parameters.join(", ")];
        while !self.takes("}") {
            lines.push(self.statement());
        }
        lines.join("\n")
    }

    fn statement(&mut self) -> String {
        if self.takes("let") || self.takes("var") {
            self.takes("mut");
            let name = match self.peek() {
                "[" => self.expression(0).to_string(),
                _ => self.next(),
            };
            if self.takes(":") {
                self.skip_type(&["="]);
            }
            self.expect("=");
            let value = self.expression(0);
            self.expect(";");
            return format!("let {name} = {value};");
        }
        let returns = self.takes("return");
        let first = self.expression(0);
        if returns || self.peek() == "}" {
            assert!(self.takes(";") || !returns);
            return format!("return {first};");
        }
        let operator = self.next();
        let value = self.expression(0);
        self.expect(";");
        match operator.strip_suffix('=') {
            Some("") => match value {
                Binary(operator, sides) if sides[0] == first => {
                    format!("{first} {operator}= {};", sides[1])
                }
                value => format!("{first} = {value};"),
            },
            Some(operator) => format!("{first} {operator}= {value};"),
            None => panic!("{first} {operator}"),
        }
    }

    fn expression(&mut self, least: u8) -> Expression {
        let mut left = self.operand();
        loop {
            let operator = self.peek().to_owned();
            let strength = match operator.as_str() {
                "*" => 7,
                "+" | "-" => 6,
                "<<" | ">>" => 5,
                "&" => 4,
                "^" => 3,
                "|" => 2,
                "==" => 1,
                _ => return left,
            };
            if strength < least {
                return left;
            }
            self.at += 1;
            let right = self.expression(strength + 1);
            left = match operator == "+" && right.is_lane() {
                true => left,
                false => Binary(operator, Box::new([left, right])),
            };
        }
    }

    fn operand(&mut self) -> Expression {
        let token = self.next();
        let mut operand = match token.as_str() {
            "!" | "~" => return Unary("~".to_owned(), Box::new(self.operand())),
            "(" => {
                let inner = self.expression(0);
                self.expect(")");
                inner
            }
            "[" => List(self.list("]")),
            "if" => {
                let condition = self.expression(0);
                self.expect("{");
                let then = self.expression(0);
                self.expect("}");
                self.expect("else");
                self.expect("{");
                let otherwise = self.expression(0);
                self.expect("}");
                Call("select".to_owned(), vec![otherwise, then, condition])
            }
            _ => self.named(token),
        };
        loop {
            if self.takes(".") {
                let name = self.next();
                operand = match self.takes("(") {
                    true => self.method(operand, &name),
                    false => match ["x", "y", "z", "w"].iter().position(|lane| *lane == name) {
                        Some(lane) => Leaf(format!("{operand}[{lane}]")),
                        None => Leaf(format!("{operand}.{name}")),
                    },
                };
            } else if self.takes("[") {
                let index = self.expression(0);
                self.expect("]");
                operand = Leaf(format!("{operand}[{index}]"));
            } else if self.takes("as") {
                self.next();
            } else {
                return operand;
            }
        }
    }

    /// What begins with a name: the name, a call, or a struct.
    fn named(&mut self, mut name: String) -> Expression {
        while self.takes("::") {
            name = self.next();
        }
        if self.takes("(") {
            let mut arguments = self.list(")");
            let is_vector = ["Words", "vec3", "vec4"].contains(&name.as_str());
            return match (name.as_str(), arguments.len()) {
                ("from" | "u32", 1) => arguments.remove(0),
                (_, 1) if is_vector => arguments.remove(0),
                _ if is_vector => List(arguments),
                _ => Call(name, arguments),
            };
        }
        let is_struct = name.starts_with(|c: char| c.is_ascii_uppercase())
            && name.contains(|c: char| c.is_ascii_lowercase());
        if is_struct && self.takes("{") {
            let (mut fields, mut values) = (Vec::new(), Vec::new());
            while !self.takes("}") {
                fields.push(self.next());
                self.expect(":");
                values.push(self.expression(0));
                self.takes(",");
            }
            assert_eq!(self.fields.get(&name), Some(&fields), "{name}");
            return Call(name, values);
        }
        Leaf(name)
    }

    fn method(&mut self, of: Expression, name: &str) -> Expression {
        let operator = match name {
            "wrapping_add" => "+",
            "wrapping_sub" => "-",
            "wrapping_mul" => "*",
            "map" => {
                self.expect("|");
                let variable = self.next();
                self.expect("|");
                let applied = self.expression(0);
                self.expect(")");
                return applied.with(&variable, &of);
            }
            _ => panic!("method {name}"),
        };
        let argument = self.expression(0);
        self.expect(")");
        Binary(operator.to_owned(), Box::new([of, argument]))
    }

    fn list(&mut self, end: &str) -> Vec<Expression> {
        let mut parts = Vec::new();
        while !self.takes(end) {
            parts.push(self.expression(0));
            self.takes(",");
        }
        parts
    }
}
