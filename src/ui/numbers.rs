//! Numbers as people read them.

/// `950`, `12.3k`, `4.6M`.
pub fn count(n: u64) -> String {
    match n {
        0..1_000 => n.to_string(),
        1_000..1_000_000 => format!("{:.1}k", n as f64 / 1e3),
        _ => format!("{:.1}M", n as f64 / 1e6),
    }
}

/// `$0.0042`, `$0.21`, `$13.50`: two digits that mean something.
pub fn dollars(amount: f64) -> String {
    if amount > 0.0 && amount < 0.1 { format!("${amount:.4}") } else { format!("${amount:.2}") }
}

/// `0.3 s`, `42 s`, `3 min 05 s`.
pub fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 10.0 => format!("{s:.1} s"),
        s if s < 60.0 => format!("{s:.0} s"),
        s => format!("{} min {:02} s", s as u64 / 60, s as u64 % 60),
    }
}

/// `1 file`, `2 files`.
pub fn plural(n: usize, one: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{n} {one}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_keep_what_matters() {
        assert_eq!((count(950), count(12_345), count(4_600_000)), ("950".into(), "12.3k".into(), "4.6M".into()));
        assert_eq!(
            (dollars(0.00421), dollars(13.5), dollars(0.0)),
            ("$0.0042".into(), "$13.50".into(), "$0.00".into())
        );
        assert_eq!((duration(0.31), duration(185.0)), ("0.3 s".into(), "3 min 05 s".into()));
        assert_eq!((plural(1, "file"), plural(0, "file")), ("1 file".into(), "0 files".into()));
    }
}
