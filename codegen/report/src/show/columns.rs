//! Aligned columns of text.

use std::fmt::Write as _;

/// The maximum width of a column; a longer text overflows it.
const WIDEST: usize = 60;

/// Writes each row on its own line, with aligned columns. A column without any text is left out.
pub(super) fn write<const N: usize>(text: &mut String, indent: &str, rows: &[[String; N]]) {
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        let widest = cells.map(|cell| cell.chars().count()).max();
        widest.unwrap_or(0).min(WIDEST)
    };
    let widths: Vec<usize> = (0..N).map(width).collect();
    for row in rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths).filter(|(_, width)| **width > 0) {
            let _ = write!(line, "{cell:<width$}  ");
        }
        let _ = writeln!(text, "{indent}{}", line.trim_end());
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn columns_are_aligned_and_empty_ones_left_out() {
        let rows = [["a", "", "long"], ["bcd", "", ""], ["ö", "", "x"]];
        let rows = rows.map(|row| row.map(str::to_owned));
        let mut text = String::new();
        super::write(&mut text, "  ", &rows);
        assert_eq!(text, "  a    long\n  bcd\n  ö    x\n");
    }
}
