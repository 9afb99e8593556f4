//! Days as the catalogue writes them.

/// Whether a text is a day of the calendar, `2024-02-29`.
pub fn is_day(text: &str) -> bool {
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let parts: Vec<&str> = text.split('-').collect();
    let [year, month, day] = parts.as_slice() else {
        return false;
    };
    if [year.len(), month.len(), day.len()] != [4, 2, 2] || !parts.iter().all(|part| digits(part)) {
        return false;
    }
    let numbers = [year, month, day].map(|part| part.parse::<u32>().unwrap_or_default());
    let [year, month, day] = numbers;
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    };
    (1..=days).contains(&day)
}

#[cfg(test)]
mod tests {
    use super::is_day;

    #[test]
    fn days() {
        for day in ["2024-02-29", "2000-02-29", "2016-03-16", "2025-12-31", "2026-08-20"] {
            assert!(is_day(day), "{day}");
        }
        for none in [
            "2025-02-29",
            "1900-02-29",
            "2024-13-01",
            "2024-00-10",
            "2024-04-31",
            "2024-1-1",
            "24-01-01",
            "2024-01-00",
            "2024/01/01",
            "+024-01-01",
            "2026",
            "2026-8-20",
            "2026-13-01",
            "2026-00-01",
            "2026-04-31",
            "2026-08-00",
            "20-08-2026",
            "2026-08-2x",
            "2026-08-20-1",
            "",
        ] {
            assert!(!is_day(none), "{none}");
        }
    }
}
