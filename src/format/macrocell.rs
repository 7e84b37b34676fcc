//! Macrocell (`.mc`): a pattern as a tree of squares, as Golly writes it. It is read only.
//!
//! ```text
//! [M2] (golly 3.3)        the program's name may be missing
//! #R B3/S23               rule, perhaps with a bounded grid; #G 7 would be the generation
//! $$$$$$$.*$              node 1: a square of 8 x 8 cells, rows ended by $ (. dead, * red)
//! ..*$***$                node 2
//! 4 0 1 0 2               node 3: its level, then its quarters nw, ne, sw, se; 0 is empty
//! ```
//!
//! A node of level n is a square of 2^n columns and rows, its quarters are nodes of level n - 1 in
//! earlier lines, and the last line is the pattern. Files of more states have nodes of level 1
//! with four states in place of node numbers: 0 dead, 1 red, 2 blue.
//!
//! Nodes are shared, so that a short file may describe more cells than any memory holds. Therefore
//! the rectangle around its live cells is computed for every node, from those of its quarters, and
//! only a root whose rectangle is allowed is painted onto a board of that size. Nothing is done for
//! empty nodes: a pattern of few cells far apart costs no more than its board.

mod node;

use glam::i64vec2;
use thiserror::Error;

use super::lines::{Line, RuleAndGrid, lines, text_start};
use super::{
    FormatError, LifelikePattern, Limits, begins_with, found_at, generation_left_out, quoted,
};
use crate::board::{LifelikeBoard, Size};
use node::{EMPTY, Node, Nodes};

/// The highest level that is read. Coordinates in a square of 2^60 cells are far from overflowing.
const MAX_LEVEL: u8 = 60;

/// What is wrong with a macrocell file.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum Fault {
    /// It does not begin like one.
    #[error("expected '[M2]' at the start of a macrocell file, found {0}")]
    Start(String),
    /// A line that is no node.
    #[error(
        "expected a node, found {0}; a node is a leaf of '.', '*' and '$' or five whole numbers like '4 0 1 0 2'"
    )]
    Node(String),
    /// More than a leaf holds.
    #[error(
        "expected a leaf of at most 8 rows of 8 cells, found {0} after them; save the file again"
    )]
    Leaf(String),
    /// A level that cannot be.
    #[error("expected a level from 1 to {MAX_LEVEL}, found {0}; no board is that large")]
    Level(String),
    /// A state above 2, or none.
    #[error(
        "expected a state from 0 to 2, found {0}; cells here are dead (0), red (1) or blue (2)"
    )]
    State(String),
    /// A node that stands below, or nowhere.
    #[error(
        "node {child} is not defined before this line, which is node {node}; a node is made of nodes in earlier lines"
    )]
    Forward {
        /// The node referred to.
        child: u64,
        /// The node of the line.
        node: u64,
    },
    /// A quarter of the wrong size.
    #[error(
        "node {child} is of level {found}, but a node of level {level} is made of nodes one level lower; the file is damaged, save it again"
    )]
    ChildLevel {
        /// The node referred to.
        child: u64,
        /// Its level.
        found: u8,
        /// The level of the line.
        level: u8,
    },
    /// A generation that is no whole number.
    #[error("expected a generation, found {0}; write it like '#G 7'")]
    Generation(String),
    /// More nodes than memory is allowed for.
    #[error("{nodes} nodes take {bytes} bytes, at most {most} are allowed; more memory would do")]
    TooManyNodes {
        /// Nodes in the file.
        nodes: u64,
        /// Bytes they take.
        bytes: u64,
        /// Bytes allowed.
        most: u64,
    },
}

/// Whether the text begins like a macrocell file.
pub(super) fn begins(text: &[u8]) -> bool {
    begins_with(text, b"[M2]")
}

/// The pattern in a macrocell file. Its board is the smallest that holds all live cells, and its
/// position counts from the middle of the root.
///
/// # Errors
/// [`FormatError`] for the first place that cannot be read, or for cells too far apart.
pub fn parse(bytes: &[u8], limits: &Limits) -> Result<LifelikePattern, FormatError> {
    let start = first_line(bytes)?;
    let mut nodes = room(bytes, start, limits)?;
    let mut heading = Heading::default();
    let mut root_at = bytes.len();
    for line in lines(bytes, start) {
        let line = line.skip(line.indent());
        match line.text {
            [] => {}
            [b'#', ..] => heading.read(bytes, line)?,
            _ => {
                root_at = line.at;
                nodes.push(read_node(bytes, line, &nodes)?);
            }
        }
    }
    let refuse = |fault| FormatError::at(bytes, root_at, fault);
    let root = nodes.root();
    let bounds = nodes.bounds(root);
    let (width, height) = (bounds.right - bounds.left, bounds.bottom - bounds.top);
    let size = match width {
        0 => Size::new(1, 1).map_err(|error| refuse(error.into()))?,
        _ => limits.size(width, height).map_err(refuse)?,
    };
    let mut board = LifelikeBoard::new(size).map_err(|error| refuse(error.into()))?;
    let (mut position, mut notes) = (None, heading.notes);
    if width == 0 {
        notes.push("there is no live cell: the board is a single dead one".into());
    } else {
        // All of these are below 2^60.
        let (left, top) = (bounds.left as i64, bounds.top as i64);
        let half = 1i64 << (nodes.level(root) - 1);
        let corner = i64vec2(left, top);
        position = Some(corner - half);
        nodes.draw(root, -corner, &mut board);
    }
    let (rule, topology) = heading.rule.unzip();
    Ok(LifelikePattern {
        board,
        rule,
        topology: topology.flatten(),
        position,
        generation: heading.generation,
        notes,
    })
}

/// Where the line after `[M2]` begins.
fn first_line(bytes: &[u8]) -> Result<usize, FormatError> {
    let mut filled = lines(bytes, text_start(bytes)).filter(|line| !line.text.is_empty());
    match filled.next() {
        // The end of the line is left over as an empty one.
        Some(line) if line.skip(line.indent()).text.starts_with(b"[M2]") => Ok(line.end()),
        line => {
            let at = line.map_or(bytes.len(), |line| line.at);
            let found = line.map_or_else(|| found_at(bytes, at), |line| quoted(line.text));
            Err(FormatError::at(bytes, at, Fault::Start(found)))
        }
    }
}

/// Room for the nodes of a file, which may take more memory than its bytes.
fn room(bytes: &[u8], start: usize, limits: &Limits) -> Result<Nodes, FormatError> {
    let is_node = |line: &Line| !matches!(line.text.get(line.indent()), None | Some(b'#'));
    let count = lines(bytes, start).filter(is_node).count();
    let needed = (count as u64).saturating_mul(size_of::<Node>() as u64);
    let few = u32::try_from(count).is_ok() && needed <= limits.max_board_bytes;
    let nodes = Nodes::with_room(count).filter(|_| few || count == 0);
    nodes.ok_or_else(|| {
        let fault = Fault::TooManyNodes {
            nodes: count as u64,
            bytes: needed,
            most: limits.max_board_bytes,
        };
        FormatError::at(bytes, start, fault)
    })
}

/// What the lines with `#` say.
#[derive(Default)]
struct Heading {
    rule: Option<RuleAndGrid>,
    generation: u64,
    notes: Vec<String>,
    /// There are several generations.
    timeline: bool,
}

impl Heading {
    fn read(&mut self, bytes: &[u8], line: Line) -> Result<(), FormatError> {
        let value = line.skip(line.text.len().min(2));
        match line.text {
            [b'#', b'R', ..] => self.rule = Some(value.rule(bytes)?),
            [b'#', b'G', ..] => {
                let value = value.skip(value.indent());
                match value.number() {
                    Some(generation) => self.generation = generation,
                    None if is_whole(value.text) => {
                        self.notes.push(generation_left_out(value.text));
                    }
                    None => {
                        let fault = Fault::Generation(quoted(value.text));
                        return Err(FormatError::at(bytes, value.at, fault));
                    }
                }
            }
            [b'#', b'F', ..] if !std::mem::replace(&mut self.timeline, true) => {
                let note = "the file has a timeline: only the pattern of its last line is read";
                self.notes.push(note.into());
            }
            _ => {}
        }
        Ok(())
    }
}

/// Whether a value is a whole number, however large.
fn is_whole(value: &[u8]) -> bool {
    !value.is_empty() && value.iter().all(u8::is_ascii_digit)
}

/// A line that is neither blank nor a comment.
fn read_node(bytes: &[u8], line: Line, nodes: &Nodes) -> Result<Node, FormatError> {
    match line.text.first() {
        Some(b'.' | b'*' | b'$') => read_leaf(bytes, line),
        Some(b'0'..=b'9') => read_inner(bytes, line, nodes),
        _ => {
            let fault = Fault::Node(found_at(bytes, line.at));
            Err(FormatError::at(bytes, line.at, fault))
        }
    }
}

fn read_leaf(bytes: &[u8], line: Line) -> Result<Node, FormatError> {
    let (mut alive, mut x, mut y) = (0u64, 0, 0);
    for (at, byte) in (line.at..).zip(line.text) {
        let full = match byte {
            b'$' => y >= 8,
            _ => x >= 8 || y >= 8,
        };
        match byte {
            b'.' | b'*' | b'$' if full => {
                let fault = Fault::Leaf(found_at(bytes, at));
                return Err(FormatError::at(bytes, at, fault));
            }
            b'$' => (x, y) = (0, y + 1),
            b'.' => x += 1,
            b'*' => {
                alive |= 1 << (8 * y + x);
                x += 1;
            }
            _ => return Err(FormatError::at(bytes, at, Fault::Node(found_at(bytes, at)))),
        }
    }
    Ok(Node::small(3, alive, 0))
}

/// A line of five numbers.
fn read_inner(bytes: &[u8], line: Line, nodes: &Nodes) -> Result<Node, FormatError> {
    let mut rest = line;
    let mut words = [line; 5];
    let mut numbers = [0u64; 5];
    for (word, number) in words.iter_mut().zip(&mut numbers) {
        (*word, rest) = rest.word();
        let at = if word.text.is_empty() {
            line.end()
        } else {
            word.at
        };
        *number = word.number().ok_or_else(|| {
            let found = match word.text {
                [] => found_at(bytes, at),
                text => quoted(text),
            };
            FormatError::at(bytes, at, Fault::Node(found))
        })?;
    }
    let more = rest.word().0;
    if !more.text.is_empty() {
        return Err(FormatError::at(
            bytes,
            more.at,
            Fault::Node(quoted(more.text)),
        ));
    }
    let [first, quarters @ ..] = numbers;
    let refuse = |word: Line, fault| Err(FormatError::at(bytes, word.at, fault));
    let Some(level) = u8::try_from(first)
        .ok()
        .filter(|level| (1..=MAX_LEVEL).contains(level))
    else {
        return refuse(words[0], Fault::Level(quoted(words[0].text)));
    };
    if level == 1 {
        let (mut alive, mut blue) = (0, 0);
        for ((state, word), bit) in quarters.into_iter().zip(&words[1..]).zip([0, 1, 8, 9]) {
            if state > 2 {
                return refuse(*word, Fault::State(quoted(word.text)));
            }
            alive |= u64::from(state > 0) << bit;
            blue |= u64::from(state == 2) << bit;
        }
        return Ok(Node::small(1, alive, blue));
    }
    let mut children = [EMPTY; 4];
    for ((child, number), word) in children.iter_mut().zip(quarters).zip(&words[1..]) {
        let node = nodes.next();
        // Never more than 32 bits, because the next number is not.
        *child = match u32::try_from(number) {
            Ok(child) if number < node => child,
            _ => {
                let child = number;
                return refuse(*word, Fault::Forward { child, node });
            }
        };
        let found = nodes.level(*child);
        if *child != EMPTY && found != level - 1 {
            let fault = Fault::ChildLevel {
                child: number,
                found,
                level,
            };
            return refuse(*word, fault);
        }
    }
    Ok(nodes.join(level, children))
}

#[cfg(test)]
mod tests;
