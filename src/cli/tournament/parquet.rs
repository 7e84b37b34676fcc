//! Results by columns, as a Parquet file.
//!
//! Such a file has its index at the end: a process that is killed leaves nothing that can be read.
//! So the lines of a result file are what games are kept in, and this one is made from them when
//! the last game has been played.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use serde_json::Value;

use super::result_file::{for_each_row, is_stream};
use crate::arena::results::{COLUMNS, ResultRow, Values};
use crate::format::check_place;
use crate::format::file::{OutputWriter, PendingFile};

/// Games whose columns are in memory at once.
const GROUP_GAMES: usize = 1 << 15;

/// Whether a file of that name can be written, before any game is played.
pub(super) fn check(path: &Path) -> Result<()> {
    let extension = path.extension().and_then(|extension| extension.to_str());
    let is_parquet = |extension: &str| extension.eq_ignore_ascii_case("parquet");
    if !is_stream(path) && !extension.is_some_and(is_parquet) {
        bail!(
            "{}: columns are written as .parquet; choose such a name",
            path.display()
        );
    }
    check_place(path)?;
    Ok(())
}

/// Writes the results in the file `rows` to the Parquet file `path`.
pub(super) fn save(rows: &Path, path: &Path) -> Result<()> {
    let pending = PendingFile::create(path)?;
    let cannot = || format!("{}: cannot be written", path.display());
    let mut table = Table::create(pending.writer()?).with_context(cannot)?;
    for_each_row(rows, |row| table.add(row).with_context(cannot))?;
    table.finish().with_context(cannot)?;
    pending.commit()?;
    Ok(())
}

/// The values of a column that wait to be written.
enum Column {
    Text(Vec<ByteArray>),
    /// Numbers from 2^63 on wrap, as Parquet has it for unsigned ones.
    Numbers(Vec<i64>),
    /// With 1 for each number that is there and 0 for each that is not.
    NumbersIfAny(Vec<i64>, Vec<i16>),
}

struct Table {
    writer: SerializedFileWriter<OutputWriter>,
    columns: Vec<Column>,
    games: usize,
}

impl Table {
    fn create(file: OutputWriter) -> Result<Self> {
        let schema = parse_message_type(&schema())?;
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .build();
        let writer = SerializedFileWriter::new(file, Arc::new(schema), Arc::new(properties))?;
        let columns = COLUMNS.iter().map(|(_, values)| match values {
            Values::Text => Column::Text(Vec::new()),
            Values::Numbers | Values::Signed => Column::Numbers(Vec::new()),
            Values::NumbersIfAny => Column::NumbersIfAny(Vec::new(), Vec::new()),
        });
        Ok(Self {
            writer,
            columns: columns.collect(),
            games: 0,
        })
    }

    fn add(&mut self, row: &ResultRow) -> Result<()> {
        let Value::Object(fields) = serde_json::to_value(row)? else {
            bail!("a row is not an object");
        };
        for ((name, _), column) in COLUMNS.iter().zip(&mut self.columns) {
            let value = fields.get(*name).unwrap_or(&Value::Null);
            let whole = || value.as_i64().or(value.as_u64().map(u64::cast_signed));
            match column {
                Column::Text(texts) => {
                    let text = value
                        .as_str()
                        .ok_or_else(|| anyhow!("{name} is not a text"))?;
                    texts.push(text.into());
                }
                Column::Numbers(numbers) => {
                    numbers.push(whole().ok_or_else(|| anyhow!("{name} is not a number"))?);
                }
                Column::NumbersIfAny(numbers, levels) => {
                    numbers.extend(whole());
                    levels.push(whole().is_some().into());
                }
            }
        }
        self.games += 1;
        if self.games == GROUP_GAMES {
            self.write_group()?;
        }
        Ok(())
    }

    fn write_group(&mut self) -> Result<()> {
        let mut group = self.writer.next_row_group()?;
        for column in &mut self.columns {
            let mut writer = group
                .next_column()?
                .ok_or_else(|| anyhow!("there are fewer columns than fields"))?;
            match column {
                Column::Text(texts) => {
                    let writer = writer.typed::<ByteArrayType>();
                    writer.write_batch(texts, None, None)?;
                    texts.clear();
                }
                Column::Numbers(numbers) => {
                    let writer = writer.typed::<Int64Type>();
                    writer.write_batch(numbers, None, None)?;
                    numbers.clear();
                }
                Column::NumbersIfAny(numbers, levels) => {
                    let writer = writer.typed::<Int64Type>();
                    writer.write_batch(numbers, Some(levels), None)?;
                    numbers.clear();
                    levels.clear();
                }
            }
            writer.close()?;
        }
        group.close()?;
        self.games = 0;
        Ok(())
    }

    fn finish(mut self) -> Result<()> {
        if self.games > 0 {
            self.write_group()?;
        }
        self.writer.close()?;
        Ok(())
    }
}

/// The columns in Parquet's language for schemas.
fn schema() -> String {
    let columns = COLUMNS.map(|(name, values)| {
        let kind = match values {
            Values::Text => format!("REQUIRED BYTE_ARRAY {name} (STRING)"),
            Values::Numbers => format!("REQUIRED INT64 {name} (INTEGER(64, false))"),
            Values::Signed => format!("REQUIRED INT64 {name} (INTEGER(64, true))"),
            Values::NumbersIfAny => format!("OPTIONAL INT64 {name} (INTEGER(64, false))"),
        };
        format!("{kind};\n")
    });
    format!("message games {{\n{}}}\n", columns.concat())
}
