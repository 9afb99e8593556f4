//! How strong passwords are.

use std::collections::BTreeSet;

/// The least entropy of a password, in bits.
const STRONG: f64 = 60.0;
/// The greatest length of a password, in bytes.
const LONGEST: usize = 72;
/// The signs that passwords are made of, by kind.
const SIGNS: [&str; 6] = [
    "!@$&*",
    "_-., ",
    "\"#%'()+/:;<=>?[\\]^{|}~",
    "abcdefghijklmnopqrstuvwxyz",
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "0123456789",
];
/// Signs of which no more than two count that follow each other, forth or back.
const RUNS: [&str; 5] =
    ["0123456789", "qwertyuiop", "asdfghjkl", "zxcvbnm", "abcdefghijklmnopqrstuvwxyz"];

/// Says why GoToSocial refuses a password: for its length, or for what go-password-validator finds.
pub(crate) fn strong(password: &str) -> Result<(), String> {
    let length = password.len();
    let told = "no password provided / provided password was 0 bytes".to_owned();
    refuse_if!(length == 0, told);
    let told = "password should be no more than";
    let told = format!("{told} {LONGEST} bytes, provided password was {length} bytes");
    refuse_if!(length > LONGEST, told);
    let has = SIGNS.map(|kind| password.contains(|sign| kind.contains(sign)));
    let others = password.chars().filter(|sign| !SIGNS.iter().any(|kind| kind.contains(*sign)));
    let kinds = SIGNS.iter().zip(has).filter(|(_, has)| *has).map(|(kind, _)| kind.len());
    let base = kinds.sum::<usize>() + others.collect::<BTreeSet<_>>().len();
    let bits = number(base).log2() * number(counted(password));
    if bits >= STRONG {
        return Ok(());
    }
    let advice = [
        (has[0] && has[1] && has[2], "including more special characters"),
        (has[3], "using lowercase letters"),
        (has[4], "using uppercase letters"),
        (has[5], "using numbers"),
    ];
    let advice = advice.into_iter().filter(|(has, _)| !has).map(|(_, advice)| advice);
    let advice: Vec<_> = advice.collect();
    let or = if advice.is_empty() { "" } else { " or " };
    let (part, advice) = ((100.0 * bits / STRONG).floor(), advice.join(", "));
    Err(format!("password is only {part}% strength, try {advice}{or}using a longer password"))
}

fn number(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::INFINITY, f64::from)
}

/// The length of a password without what repeats or follows in a row.
fn counted(password: &str) -> usize {
    let mut signs: Vec<char> = Vec::new();
    for sign in password.chars() {
        if !signs.ends_with(&[sign, sign]) {
            signs.push(sign);
        }
    }
    let back = RUNS.map(|run| run.chars().rev().collect::<String>());
    for run in RUNS.into_iter().chain(back.iter().map(String::as_str)) {
        let (mut at, mut following) = (0, 0);
        while at < signs.len() {
            for expected in run.chars() {
                match signs.get(at) {
                    None => break,
                    Some(sign) if *sign != expected => following = 0,
                    Some(_) if following < 2 => (at, following) = (at + 1, following + 1),
                    Some(_) => drop(signs.remove(at)),
                }
            }
            at += 1;
        }
    }
    signs.into_iter().map(char::len_utf8).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_as_strong_as_gotosocial_finds_it() {
        let told = |password: &str| strong(password).err();
        let (special, longer) =
            ("try including more special characters", "using a longer password");
        let refused = |part, more: &str| {
            Some(format!("password is only {part}% strength, {special}{more} or {longer}"))
        };
        assert_eq!(told("password"), refused(62, ", using uppercase letters, using numbers"));
        assert_eq!(told("OKPassword"), refused(95, ", using numbers"));
        assert_eq!(told("Ok12%"), refused(53, ""));
        assert_eq!(told("3dX5@Zc%mV*W2MBNEy$@"), None);
        assert_eq!(counted("aaaabcdefgh321"), 6);
        let empty = "no password provided / provided password was 0 bytes";
        assert_eq!(told("").as_deref(), Some(empty));
        let long = "password should be no more than 72 bytes, provided password was 73 bytes";
        assert_eq!(told(&"aB3$".repeat(19)[..73]).as_deref(), Some(long));
        assert_eq!(told(&"aB3$".repeat(18)), None);
    }
}
