//! Numbers as text: five bits a character, the lowest first.

const FIRST: u8 = b'0';
/// Added to each character but the last.
const MORE: u8 = 32;

pub(super) fn write(mut number: usize, out: &mut String) {
    loop {
        let bits = u8::try_from(number % 32).unwrap_or_default();
        number /= 32;
        let more = if number > 0 { MORE } else { 0 };
        out.push(char::from(FIRST + bits + more));
        if more == 0 {
            return;
        }
    }
}

/// The next number. Ends of lines are skipped.
pub(super) fn read(from: &mut impl Iterator<Item = u8>) -> Option<usize> {
    let (mut number, mut shift) = (0, 0);
    loop {
        let byte = from.next()?;
        if byte == b'\n' {
            continue;
        }
        let bits = byte.checked_sub(FIRST).filter(|bits| *bits < 2 * MORE)?;
        if shift > 30 {
            return None;
        }
        number |= usize::from(bits % MORE) << shift;
        shift += 5;
        if bits < MORE {
            return Some(number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let mut text = String::from("\n");
        let numbers = [0, 1, 31, 32, 1023, 1024, 617_199, (1 << 30) - 1];
        for number in numbers {
            write(number, &mut text);
            text.push('\n');
        }
        let mut bytes = text.bytes();
        let read: Vec<_> = std::iter::from_fn(|| read(&mut bytes)).collect();
        assert_eq!(read, numbers);
    }

    #[test]
    fn anything_else_is_no_number() {
        for text in ["", "\n", "o", "ooooooooo0", "é", " ", "p"] {
            assert_eq!(read(&mut text.bytes()), None, "{text}");
        }
    }
}
