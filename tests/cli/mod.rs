/// Tournaments of many small games.
mod arena;
/// Battles that lines of commands run, show and edit.
mod battle;
/// The speed of every engine, measured.
mod bench;
/// The conformance suite as a user calls it, and its planted fault.
mod conform;
/// Files from one format to another.
mod convert;
/// Adapters: the list of them, the choice, the tuning.
mod devices;
/// Two-player Life, printed word for word.
mod duel;
/// What a build without a feature says.
#[cfg(not(all(feature = "window", feature = "parquet", feature = "plot")))]
mod features;
/// Pictures and films of a run.
mod film;
/// The fragment puzzle in a terminal.
mod fragment;
/// The Immigration Game as it is played at a terminal and from scripts.
mod immigration;
/// Where outputs go.
mod outputs;
/// Boards of reZolution: targets, status, pictures, what does not go with them.
mod rezolution;
/// Golly rule files.
mod rule_file;
/// Runs of a board, their reports, starts and ends.
mod run;
/// Programs that are ended from outside.
#[cfg(unix)]
mod signals;
/// Help, wrong usage, and outputs that fail.
mod usage;
