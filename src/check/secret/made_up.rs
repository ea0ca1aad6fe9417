//! Is a text as random as a real secret, or what people write in its place?

/// Words and patterns of examples, in lower case.
const WORDS: &[&str] = &[
    "example",
    "placeholder",
    "redacted",
    "dummy",
    "changeme",
    "change_me",
    "change-me",
    "replace",
    "insert",
    "secret",
    "sample",
    "notreal",
    "invalid",
    "abcdef",
    "qwerty",
    "asdfgh",
    "1q2w3e",
    "a1b2c3",
    "deadbeef",
    "cafebabe",
    "0123456",
    "1234567",
    "9876543",
    "fake",
    "your",
    "foobar",
    "hunter2",
    "password",
    "passw0rd",
    "p@ssw0rd",
    "s3cr3t",
    // Published as examples: by Stripe, jwt.io, and in RFC 5849, 6749 and 7617.
    "4ec39hqlyjwdarj",
    "sflkxwrjsmekkf2qt4fwp",
    "mtizndu2nzg5m",
    "ad180jjd733klru7",
    "kkk9d7dh3k39sjv7",
    "h480djs93hd8",
    "2yotnfzfejr1zcsicmwpaa",
    "tgzv3jokf0xg5qx2tlkwia",
    "czzcagrsa3f0mzpnwdfmqmf0m2jw",
    "qwxhzgrpbjpv",
    "ywxhzgrpbjpv",
];

/// Does it hold a word of examples, or the same character over and over?
pub(super) fn is_made_up(secret: &str) -> bool {
    let lower = secret.to_ascii_lowercase();
    if WORDS.iter().any(|word| lower.contains(word)) {
        return true;
    }
    // "xxxxx", "00000".
    let bytes = lower.as_bytes();
    bytes.windows(5).any(|run| run.iter().all(|byte| Some(byte) == run.first()))
}

/// Shannon's, in bits a byte.
pub(super) fn entropy(text: &str) -> f64 {
    let mut counts = [0u32; 256];
    text.bytes().for_each(|byte| counts[usize::from(byte)] += 1);
    let total = text.len().max(1) as f64;
    let share = |count: &u32| f64::from(*count) / total;
    -counts.iter().filter(|count| **count > 0).map(|count| share(count) * share(count).log2()).sum::<f64>()
}

/// Is it a value that nobody thought of: no words, no name, no number, no template that a value will take the place of,
/// and none of what is as random and public?
pub(super) fn is_random(value: &str) -> bool {
    let Some(first) = value.bytes().next() else { return false };
    let count = |is: fn(&u8) -> bool| value.bytes().filter(is).count();
    let (digits, letters) = (count(u8::is_ascii_digit), count(u8::is_ascii_alphabetic));
    let is_hex = value.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_mixed = count(u8::is_ascii_uppercase) > 0 && count(u8::is_ascii_lowercase) > 0;
    let surprise = surprise(value);
    // Whoever hits keys at random does it in lower case.
    let is_varied = match value.len() {
        ..10 => false,
        10..16 => surprise >= 0.6 && is_mixed && digits > 0,
        16..24 => surprise >= 0.55 && is_mixed && (digits > 0 || surprise >= 0.7),
        24.. => surprise >= 0.55 && (digits > 1 || is_mixed),
    };
    is_varied
        && value.bytes().all(|byte| byte.is_ascii_graphic())
        && letters >= 4
        && (!is_hex || value.len() >= 32)
        && !b"$%{[<(&*.".contains(&first)
        && !TEMPLATES.iter().any(|mark| value.contains(mark))
        && !PUBLIC.iter().any(|start| value.starts_with(start))
        && !is_uuid(value)
        && entropy(value) >= if value.len() < 20 || is_hex { 3.0 } else { 3.6 }
        && !is_made_up(value)
        && !decoded(value).is_some_and(|text| is_made_up(&text))
}

/// What `value` is in base64, if that is something that people write.
fn decoded(value: &str) -> Option<String> {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut text, mut bits, mut count) = (String::new(), 0u32, 0);
    for byte in value.trim_end_matches('=').bytes() {
        bits = bits << 6 & 0xffff | u32::try_from(DIGITS.iter().position(|digit| *digit == byte)?).ok()?;
        count += 6;
        if count >= 8 {
            count -= 8;
            let byte = u8::try_from(bits >> count & 0xff).ok()?;
            text.push(Some(char::from(byte)).filter(|c| c.is_ascii_graphic() || *c == ' ')?);
        }
    }
    Some(text)
}

/// What stands for a value that comes from elsewhere, is a call, or is escaped.
const TEMPLATES: &[&str] = &["${", "{{", "%(", "#{", "$(", "<", ">", "://", "...", "()", "\\", "{}", "**"];

/// How checksums, what was hashed, public keys and the like begin.
const PUBLIC: &[&str] = &[
    "$",
    "sha1-",
    "sha1:",
    "sha256-",
    "sha256:",
    "sha384-",
    "sha512-",
    "sha512:",
    "md5:",
    "{SSHA",
    "{SHA",
    "pbkdf2",
    "data:",
    "AAAAB3Nza",
    "AAAAC3Nza",
    "AAAAE2Vj",
    "MIIB",
    "MIIC",
    "MIID",
    "MFkw",
    "pk_",
    "pk.",
    "urn:",
    "0x",
    "/",
    "./",
    "UklGR",
    "iVBORw0",
    "R0lGOD",
    "/9j/",
    "ENC[",
    "enc:",
    "AgA",
    "vault:",
    "ssm:",
    "projects/",
    "arn:",
    "op:",
];

fn is_uuid(text: &str) -> bool {
    let parts = || text.split('-').map(str::len);
    text.len() == 36 && parts().eq([8, 4, 4, 4, 12])
}

/// The letters that often follow each letter in words and names of code: four in five pairs of those are here, and of
/// random ones one in four.
const FOLLOW: [&str; 26] = [
    "bcdgilmnprstuvy",
    "aeilorsu",
    "aehklortu",
    "adeioru",
    "acdeflmnprstvxy",
    "aefiloru",
    "aehilnoru",
    "aeioru",
    "acdefglmnoprstvz",
    "aosu",
    "ein",
    "adeilostuvy",
    "aeiopsu",
    "acdegiostu",
    "abcdlmnoprstuvw",
    "aehiloprtu",
    "u",
    "acdeikmnorstuy",
    "acehilmopstuy",
    "aehiorstuwy",
    "abceilmnprst",
    "aeio",
    "aehio",
    "aeipt",
    "eops",
    "aeio",
];

/// The share of neighbours that do not follow each other in words: near one in what is random, a fifth in names.
fn surprise(value: &str) -> f64 {
    let (mut pairs, mut breaks) = (0u32, 0u32);
    for pair in value.as_bytes().windows(2) {
        let [a, b] = pair else { continue };
        let breaks_here = match (Kind::of(*a), Kind::of(*b)) {
            (Kind::Between, _) | (_, Kind::Between) | (Kind::Digit, Kind::Digit) => continue,
            // Words in camel case.
            (Kind::Letter, Kind::Letter) if a.is_ascii_lowercase() && b.is_ascii_uppercase() => continue,
            (Kind::Letter, Kind::Letter) => {
                let at = usize::from(a.to_ascii_lowercase() - b'a');
                !FOLLOW.get(at).is_some_and(|follow| follow.contains(char::from(b.to_ascii_lowercase())))
            }
            _ => true,
        };
        pairs += 1;
        breaks += u32::from(breaks_here);
    }
    // Of too few nothing can be said.
    if pairs < 6 { 0.0 } else { f64::from(breaks) / f64::from(pairs) }
}

#[derive(PartialEq, Eq)]
enum Kind {
    Letter,
    Digit,
    /// What stands between words.
    Between,
    Other,
}

impl Kind {
    fn of(byte: u8) -> Kind {
        match byte {
            b'0'..=b'9' => Kind::Digit,
            b'a'..=b'z' | b'A'..=b'Z' => Kind::Letter,
            b'_' | b'-' | b'.' | b'/' | b':' | b',' | b'=' => Kind::Between,
            _ => Kind::Other,
        }
    }
}

/// GitHub's: thirty characters, then their CRC-32 in base 62.
pub(super) fn checksum_fits(token: &str) -> bool {
    const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let Some((random, sum)) = token.len().checked_sub(6).and_then(|at| token.split_at_checked(at)) else {
        return false;
    };
    let mut crc = !0u32;
    for byte in random.bytes() {
        crc ^= u32::from(byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
        }
    }
    let mut rest = !crc;
    sum.bytes().rev().all(|digit| {
        let fits = DIGITS.get((rest % 62) as usize) == Some(&digit);
        rest /= 62;
        fits
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_random_is_told_from_names_words_and_what_stands_for_a_value() {
        for random in [
            "hV9#kQ2zLm7pXr4T",
            "q8Zk2vX9LrT4",
            "c1xRkPqTzWvMnBxJ",
            "9f86d081884c7d659a2feaa0c55ad015",
            "T7$wq!z0&kfh3x^p9(2m-vb@r",
        ] {
            assert!(is_random(random), "{random}");
        }
        for other in [
            "correct-horse-battery-staple-42",
            "application/x-www-form-urlencoded2",
            "getAccessToken2FromResponse",
            "${DATABASE_PASSWORD}",
            "0b8f3c1e-9d4a-4c7b-8e2f-6a5d4c3b2a19",
            "sha256-47DEQpj8HBSa4TIW7x",
            "$2b$12$KIXQ4S1hVq7a8zR3n9pQ2u",
            "hunter2hunter2",
            "20240115093000",
            "d41d8cd98f",
            "your-k3y-zQ9x-here",
            "xxxxxxxx9k2zQ7vL",
            "ZXhhbXBsZS1hcHAtc2VjcmV0",
            "lsdkfol23w54jlksdef",
        ] {
            assert!(!is_random(other), "{other}");
        }
    }
}
