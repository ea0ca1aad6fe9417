//! Tables for terminals: columns as wide as what is in them, measured as terminals measure, and one column that gives
//! way when the line is too long.

use super::plain::{neutralise, neutralise_line};
use std::borrow::Cow;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// How a column is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Column {
    Left(&'static str),
    Right(&'static str),
    /// To the left, and shortened at its beginning where the table is wider than the terminal: of a path the end tells most.
    Shrinking(&'static str),
}

impl Column {
    fn title(self) -> &'static str {
        match self {
            Column::Left(title) | Column::Right(title) | Column::Shrinking(title) => title,
        }
    }
}

const GAP: &str = "  ";
/// A shrinking column does not become narrower than this: a longer line is better than no path.
const NARROWEST: usize = 16;

/// The table, each line with its end and without blanks before it. Cells are made safe here; `foot` is the last row,
/// under all others. A row that is too short has empty cells.
pub fn render(columns: &[Column], rows: &[Vec<String>], foot: Option<&Vec<String>>, width: usize) -> String {
    let rows: Vec<Vec<Cow<str>>> =
        rows.iter().chain(foot).map(|row| row.iter().map(|cell| neutralise(cell)).collect()).collect();
    let cell = |row: &[Cow<str>], at: usize| row.get(at).map_or(0, |cell| cell.width());
    let mut widths: Vec<usize> = columns
        .iter()
        .enumerate()
        .map(|(at, column)| rows.iter().map(|row| cell(row, at)).fold(column.title().width(), usize::max))
        .collect();
    let whole = widths.iter().sum::<usize>() + GAP.len() * columns.len().saturating_sub(1);
    for (column, room) in columns.iter().zip(&mut widths) {
        if matches!(column, Column::Shrinking(_)) {
            *room = (*room).min(room.saturating_sub(whole.saturating_sub(width)).max(NARROWEST));
        }
    }
    let titles: Vec<Cow<str>> = columns.iter().map(|column| column.title().into()).collect();
    let mut text = String::new();
    for row in std::iter::once(&titles).chain(&rows) {
        let mut line = String::new();
        for (at, (column, room)) in columns.iter().zip(&widths).enumerate() {
            if at > 0 {
                line.push_str(GAP);
            }
            let shown = row.get(at).map_or(Cow::Borrowed(""), |cell| shorten_left(cell, *room));
            let blanks = " ".repeat(room.saturating_sub(shown.width()));
            match column {
                Column::Right(_) => line.extend([blanks.as_str(), &shown]),
                Column::Left(_) | Column::Shrinking(_) => line.extend([&shown, blanks.as_str()]),
            }
        }
        text.push_str(&neutralise_line(line.trim_end()));
        text.push('\n');
    }
    text
}

/// `text` in at most `room` columns: `…` and its end. Cut before a `/` where one is near.
pub fn shorten_left(text: &str, room: usize) -> Cow<'_, str> {
    if text.width() <= room {
        return Cow::Borrowed(text);
    }
    let mut left = room.saturating_sub(1);
    let mut from = text.len();
    for (at, c) in text.char_indices().rev() {
        let wide = c.width().unwrap_or(0);
        if wide > left {
            break;
        }
        (left, from) = (left - wide, at);
    }
    let (_, end) = text.split_at(from);
    let end = match end.find('/') {
        Some(slash) if end.len() - slash > end.len() / 2 => end.split_at(slash).1,
        _ => end,
    };
    Cow::Owned(if room == 0 { String::new() } else { format!("…{end}") })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(cells: &[&[&str]]) -> Vec<Vec<String>> {
        cells.iter().map(|row| row.iter().map(|cell| (*cell).to_owned()).collect()).collect()
    }

    #[test]
    fn columns_are_as_wide_as_what_is_in_them_as_terminals_measure() {
        let columns = [Column::Shrinking("path"), Column::Left("change"), Column::Right("size")];
        let body = rows(&[&["a.py", "add", "-"], &["文件.md", "modify", "1,200"]]);
        let foot = rows(&[&["2 files", "", "1,200"]]);
        assert_eq!(
            render(&columns, &body, foot.first(), 80),
            "path     change   size\na.py     add         -\n文件.md  modify  1,200\n2 files          1,200\n"
        );
    }

    #[test]
    fn a_line_too_long_is_shortened_in_its_path_and_from_the_left() {
        let columns = [Column::Shrinking("path"), Column::Left("change")];
        let body = rows(&[&["a/very/long/directory/of/some/project/module.py", "modify"]]);
        let text = render(&columns, &body, None, 40);
        assert!(text.lines().all(|line| line.width() <= 40), "{text}");
        assert!(text.contains("…/of/some/project/module.py"), "{text}");
        let narrow = render(&columns, &body, None, 5);
        assert!(narrow.contains("module.py"), "{narrow}");
    }

    #[test]
    fn shortening_never_cuts_a_character_and_fits_the_room() {
        let text = "路径/很长/文件名称.md";
        for room in 0..text.width() + 2 {
            let short = shorten_left(text, room);
            assert!(short.width() <= room, "{short} in {room}");
            assert!(text.ends_with(short.trim_start_matches('…')));
        }
    }

    #[test]
    fn cells_cannot_steer_the_terminal_or_break_the_table() {
        let text = render(&[Column::Left("x")], &rows(&[&["a\u{1b}[2J\nb"]]), None, 80);
        assert_eq!(text, "x\na\\u{1b}[2J\\u{a}b\n");
    }
}
