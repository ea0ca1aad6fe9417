//! What secrets look like: formats that a provider gives its tokens, so that nothing else has them.
//!
//! Nearly all of the patterns are those of gitleaks (<https://github.com/gitleaks/gitleaks>, MIT licence, copyright (c)
//! 2019 Zachary Rice: `LICENSE-gitleaks` beside this file), less the end markers that only matter to it. Its rules
//! for `password = …` and for formats that need a provider's name nearby are left out on purpose: they find more
//! examples than secrets.

/// One format.
pub struct Rule {
    /// What the finding calls it, after "what looks like".
    pub name: &'static str,
    /// Every match holds one of these, in this very case. At least three bytes, so that looking for all of them at once
    /// costs next to nothing.
    pub keywords: &'static [&'static str],
    /// Of bytes; `\w` and `\b` are those of ASCII. The first group, if there is one, is the secret itself.
    pub pattern: &'static str,
    /// Bits a character that a real one has at least.
    pub entropy: f64,
    /// Sure enough to refuse a text for.
    pub sure: bool,
    /// The last six characters are a checksum of the thirty before them.
    pub checksum: bool,
}

const fn rule(name: &'static str, keywords: &'static [&'static str], pattern: &'static str, entropy: f64) -> Rule {
    Rule { name, keywords, pattern, entropy, sure: true, checksum: false }
}

/// A token of GitHub's, which can be told from a made-up one.
const fn github(name: &'static str, keywords: &'static [&'static str], pattern: &'static str) -> Rule {
    Rule { checksum: true, ..rule(name, keywords, pattern, 3.0) }
}

pub const PRIVATE_KEY: &str = "a private key";

pub const RULES: &[Rule] = &[
    rule(
        PRIVATE_KEY,
        &["PRIVATE KEY"],
        r#"-----BEGIN[ A-Z0-9_-]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:[\s"'`+,\\]|\\[nr]|(?:Proc-Type|DEK-Info|Version|Comment):[^\r\n\\]{0,100})*([A-Za-z0-9+/]{40,})"#,
        4.0,
    ),
    rule(
        "a 1Password secret key",
        &["A3-"],
        r"\bA3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}\b",
        3.8,
    ),
    rule("a 1Password service account token", &["ops_eyJ"], r"ops_eyJ[a-zA-Z0-9+/]{250,}", 4.0),
    rule("an Adobe client secret", &["p8e-"], r"\bp8e-[A-Za-z0-9]{32}\b", 3.0),
    rule("an age secret key", &["AGE-SECRET-KEY-1"], r"AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}", 3.5),
    rule("an Anthropic API key", &["sk-ant-"], r"\bsk-ant-(?:api|admin|oat|ort)\d\d-[\w-]{80,110}\b", 4.0),
    rule("an Artifactory API key", &["AKCp"], r"\bAKCp[A-Za-z0-9]{69}\b", 4.5),
    rule("an Atlassian API token", &["ATATT3"], r"\bATATT3[\w=-]{186}", 4.0),
    rule("an AWS access key", &["AKIA", "ASIA", "ABIA", "ACCA"], r"\b((?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16})\b", 3.0),
    rule("an AWS Bedrock API key", &["ABSK"], r"\bABSK[A-Za-z0-9+/]{109,269}={0,2}", 4.0),
    rule(
        "an Azure client secret",
        &["7Q~", "8Q~"],
        r#"(?:^|[\\'"`\s>=:(,)])([\w~.]{3}[78]Q~[\w~.-]{31,34})(?:$|[\\'"`\s<),])"#,
        3.5,
    ),
    rule("a Clojars token", &["CLOJARS_"], r"\bCLOJARS_[a-z0-9]{60}\b", 3.0),
    rule("a Cloudflare origin CA key", &["v1.0-"], r"\bv1\.0-[a-f0-9]{24}-[a-f0-9]{146}\b", 3.0),
    rule("a Databricks token", &["dapi"], r"\bdapi[a-f0-9]{32}(?:-\d)?\b", 3.0),
    rule("a DigitalOcean token", &["doo_v1_", "dop_v1_", "dor_v1_"], r"\bdo[opr]_v1_[a-f0-9]{64}\b", 3.0),
    rule("a Doppler token", &["dp.pt."], r"\bdp\.pt\.[A-Za-z0-9]{43}\b", 3.5),
    rule("a Dynatrace token", &["dt0c01."], r"\bdt0c01\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{64}\b", 4.0),
    rule("an EasyPost API key", &["EZAK"], r"\bEZAK[A-Za-z0-9]{54}\b", 3.5),
    rule(
        "a Fly.io token",
        &["fo1_", "fm1a_", "fm1r_", "fm2_"],
        r"\b(?:fo1_[\w-]{43}|fm(?:1[ar]|2)_[a-zA-Z0-9+/]{100,}={0,3})",
        4.0,
    ),
    github("a GitHub token", &["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], r"\bgh[pousr]_([0-9a-zA-Z]{36})\b"),
    rule("a GitHub fine-grained token", &["github_pat_"], r"\bgithub_pat_[0-9a-zA-Z]{22}_[0-9a-zA-Z]{59}\b", 4.0),
    rule(
        "a GitLab token",
        &["glpat-", "gldt-", "glptt-", "glrt-", "glsoat-", "glcbt-", "gloas-", "glagent-"],
        r"\b(?:glpat-(?:[\w-]{27,300}\.[0-9a-z]{9}|[\w-]{20})|gldt-[\w-]{20}|glptt-[0-9a-f]{40}|glrt-(?:t\d_[\w-]{27,300}\.[0-9a-z]{9}|[\w-]{20})|glsoat-[\w-]{20}|glcbt-[0-9a-zA-Z]{1,5}_[\w-]{20}|gloas-[\w-]{64}|glagent-[\w-]{50})(?:[^\w-]|$)",
        3.5,
    ),
    // Often public by design (maps, Firebase in a browser), so that it can only be a question.
    Rule { sure: false, ..rule("a Google API key", &["AIza"], r"\bAIza[\w-]{35}(?:[^\w-]|$)", 4.0) },
    rule("a Google OAuth client secret", &["GOCSPX-"], r"\bGOCSPX-[\w-]{28}(?:[^\w-]|$)", 3.5),
    rule(
        "a Grafana token",
        &["glsa_", "glc_eyJ"],
        r"\b(?:glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}\b|glc_eyJ[A-Za-z0-9+/]{32,400})",
        3.5,
    ),
    rule("a HashiCorp Terraform token", &[".atlasv1."], r"\b[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,70}", 4.0),
    rule("a HashiCorp Vault token", &["hvs.", "hvb."], r"\b(?:hvs\.[\w-]{90,120}|hvb\.[\w-]{138,300})", 4.0),
    rule("a Heroku API key", &["HRKU-AA"], r"\bHRKU-AA[\w-]{58}", 4.0),
    rule("a Hugging Face token", &["hf_", "api_org_"], r"\b(?:hf|api_org)_[A-Za-z]{34}\b", 3.8),
    rule("a Linear API key", &["lin_api_"], r"\blin_api_[A-Za-z0-9]{40}\b", 3.5),
    rule("a Notion token", &["ntn_"], r"\bntn_[0-9]{11}[A-Za-z0-9]{35}\b", 4.0),
    rule("an npm token", &["npm_"], r"\bnpm_[A-Za-z0-9]{36}\b", 3.5),
    rule(
        "an OpenAI API key",
        &["T3BlbkFJ"],
        r"\bsk-(?:(?:proj|svcacct|admin)-[\w-]{58,74}T3BlbkFJ[\w-]{58,74}|[a-zA-Z0-9]{20}T3BlbkFJ[a-zA-Z0-9]{20})(?:[^\w-]|$)",
        3.5,
    ),
    rule("a Perplexity API key", &["pplx-"], r"\bpplx-[a-zA-Z0-9]{48}\b", 4.0),
    rule("a PlanetScale token", &["pscale_"], r"\bpscale_(?:tkn|oauth|pw)_[\w=.-]{32,64}", 3.5),
    rule("a Postman API key", &["PMAK-"], r"\bPMAK-[a-f0-9]{24}-[a-f0-9]{34}\b", 3.0),
    rule("a Pulumi token", &["pul-"], r"\bpul-[a-f0-9]{40}\b", 3.0),
    rule("a PyPI token", &["pypi-AgE"], r"\bpypi-AgE(?:IcHlwaS5vcmc|NdGVzdC5weXBpLm9yZw)[\w-]{50,1000}", 3.5),
    rule("a ReadMe API key", &["rdme_"], r"\brdme_[a-z0-9]{70}\b", 3.5),
    rule("a RubyGems token", &["rubygems_"], r"\brubygems_[a-f0-9]{48}\b", 3.0),
    rule("a SendGrid API key", &["SG."], r"\bSG\.[\w-]{22}\.[\w-]{43}(?:[^\w-]|$)", 4.0),
    rule("a Sendinblue API key", &["xkeysib-"], r"\bxkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}\b", 3.0),
    rule(
        "a Sentry token",
        &["sntrys_eyJ", "sntryu_"],
        r"\b(?:sntrys_eyJ[a-zA-Z0-9+/=]{50,500}_[a-zA-Z0-9+/]{43}|sntryu_[a-f0-9]{64})\b",
        3.5,
    ),
    rule("a Shippo token", &["shippo_live_"], r"\bshippo_live_[a-fA-F0-9]{40}\b", 3.0),
    rule("a Shopify token", &["shpat_", "shpca_", "shppa_", "shpss_"], r"\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}\b", 3.0),
    rule(
        "a Slack token",
        &["xoxb-", "xoxp-", "xoxe-", "xoxs-", "xoxa-", "xoxr-", "xapp-"],
        r"\b(?:xoxb-[0-9]{10,13}-[0-9]{10,13}-[a-zA-Z0-9]{20,32}|xox[pe](?:-[0-9]{10,13}){3}-[a-zA-Z0-9-]{28,34}|xox[os]-\d+-\d+-\d+-[a-fA-F\d]{32,64}|xox[ar]-\d-[0-9a-zA-Z]{30,60}|xapp-\d-[A-Z0-9]{8,14}-\d{10,14}-[a-f0-9]{60,70})\b",
        3.3,
    ),
    rule(
        "a Slack webhook",
        &["hooks.slack.com"],
        r"hooks\.slack\.com/services/(T[A-Z0-9]{8,12}/B[A-Z0-9]{8,12}/[A-Za-z0-9]{24})\b",
        3.8,
    ),
    rule("a Square token", &["sq0atp-", "sq0csp-"], r"\bsq0(?:atp-[\w-]{22}|csp-[\w-]{43})(?:[^\w-]|$)", 3.5),
    rule("a Stripe live key", &["sk_live_", "rk_live_"], r"\b[rs]k_live_[a-zA-Z0-9]{20,99}\b", 3.5),
];
