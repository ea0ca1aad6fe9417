//! Keys of cryptography, and tokens that carry what they say.

use super::{Certainty, PRIVATE_KEY, Place, Rule, token};

pub const RULES: &[Rule] = &[
    // Where there are as many lines, the fourth: the first ones of what OpenSSH writes are the same in all keys, or public.
    token(
        PRIVATE_KEY,
        &["PRIVATE KEY"],
        r#"-----BEGIN[ A-Z0-9_-]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:[\s"'`+,\\]|\\[nr]|(?:Proc-Type|DEK-Info|Version|Comment):[^\r\n\\]{0,100})*(?:(?:[A-Za-z0-9+/]{60,80}(?:[\s"'`+,\\]|\\[nr])+){3})?([A-Za-z0-9+/]{40,})"#,
        4.0,
    )
    .at(Place::Anywhere),
    token(PRIVATE_KEY, &["Private-Lines: "], r"Private-Lines: [0-9]+\s+([A-Za-z0-9+/]{40,})", 4.0).at(Place::Anywhere),
    // "-----BEGIN ", then "RSA PRIVATE KEY", "PRIVATE KEY", "EC PRIVATE KEY", "OPENSSH PRIVATE KEY".
    token(
        "a private key in base64",
        &["LS0tLS1CRUdJTiBS", "LS0tLS1CRUdJTiBQ", "LS0tLS1CRUdJTiBF", "LS0tLS1CRUdJTiBP"],
        r"LS0tLS1CRUdJTiB(?:SU0EgUFJJVkFURSBLRVkt|QUklWQVRFIEtFWS0t|FQyBQUklWQVRFIEtFWS|PUEVOU1NIIFBSSVZBVEUgS0VZ)[A-Za-z0-9+/=]{60,}",
        4.0,
    ),
    token("an age secret key", &["AGE-SECRET-KEY-1"], r"AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}", 3.5),
    // Many are short-lived, and every text about them has one.
    token("a JSON web token", &["eyJ"], r"eyJ[\w-]{14,1000}\.eyJ[\w-]{14,3000}\.[\w-]{20,700}", 4.0)
        .is(Certainty::Likely),
];
