//! Machines, networks and stores for rent, and what keeps their secrets.

use super::{Certainty, Place, Rule, token};

pub const RULES: &[Rule] = &[
    token(
        "a 1Password secret key",
        &["A3-"],
        r"A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}",
        3.8,
    ),
    token("a 1Password service account token", &["ops_eyJ"], r"ops_eyJ[a-zA-Z0-9+/]{250,1000}={0,3}", 4.0),
    token("an Alibaba Cloud access key", &["LTAI"], r"LTAI[a-zA-Z0-9]{17,21}", 3.5).is(Certainty::Question),
    token("an AWS access key", &["AKIA", "ASIA", "ABIA", "ACCA"], r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}", 3.0),
    token("an AWS Bedrock API key", &["ABSK"], r"ABSK[A-Za-z0-9+/]{109,269}={0,2}", 4.0),
    token("an Azure client secret", &["7Q~", "8Q~"], r"[\w~.]{3}[78]Q~[\w~.-]{31,34}", 3.5).at(Place::Word),
    token(
        "an Azure storage key",
        &["AccountKey=", "SharedAccessKey="],
        r"(?:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{43}=|[A-Za-z0-9+/]{86}==)",
        4.0,
    )
    .at(Place::Anywhere),
    token("an Azure shared access signature", &["&sig=", "?sig="], r"[?&]sig=([A-Za-z0-9%+/]{43,70}(?:%3[dD]|=))", 4.0)
        .at(Place::Anywhere)
        .is(Certainty::Question),
    token("a Cloudflare origin CA key", &["v1.0-"], r"v1\.0-[a-f0-9]{24}-[a-f0-9]{146}", 3.0),
    token("a DigitalOcean token", &["doo_v1_", "dop_v1_", "dor_v1_"], r"do[opr]_v1_[a-f0-9]{64}", 3.0),
    token("a Doppler token", &["dp."], r"dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[\w-]{1,35}\.)?[A-Za-z0-9]{40,44}", 3.5),
    token(
        "a Fly.io token",
        &["fo1_", "fm1a_", "fm1r_", "fm2_"],
        r"(?:fo1_[\w-]{43}|fm(?:1[ar]|2)_[a-zA-Z0-9+/]{100,800}={0,3})",
        4.0,
    ),
    // Often public by design (maps, Firebase in a browser).
    token("a Google API key", &["AIza"], r"AIza[\w-]{35}", 4.0).is(Certainty::Question),
    token("a Google OAuth client secret", &["GOCSPX-"], r"GOCSPX-[\w-]{28}", 3.5),
    token("a Google OAuth access token", &["ya29."], r"ya29\.[\w-]{30,300}", 4.0).is(Certainty::Question),
    token("a HashiCorp Terraform token", &[".atlasv1."], r"[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,70}", 4.0)
        .at(Place::Word),
    token("a HashiCorp Vault token", &["hvs.", "hvb.", "hvr."], r"hv(?:s\.[\w-]{24,300}|[br]\.[\w-]{138,300})", 4.0),
    token("a Heroku API key", &["HRKU-AA"], r"HRKU-AA[\w-]{58}", 4.0),
    token("an Infracost API token", &["ico-"], r"ico-[a-zA-Z0-9]{32}", 3.5),
    token("an OpenShift token", &["sha256~"], r"sha256~[\w-]{43}", 4.0),
    token("an Oracle Cloud API key", &["ocid1."], r"ocid1\.apikey\.[\w.-]{60,100}", 4.0),
    token("a PlanetScale token", &["pscale_"], r"pscale_(?:tkn|oauth|pw)_[\w=.-]{32,64}", 3.5),
    token("a Prefect token", &["pnu_", "pnb_"], r"pn[ub]_[a-zA-Z0-9]{36}", 3.5),
    token("a Pulumi token", &["pul-"], r"pul-[a-f0-9]{40}", 3.0),
    token("a Scalingo token", &["tk-us-"], r"tk-us-[\w-]{48}", 3.5),
    token("a Supabase token", &["sbp_", "sb_secret_"], r"(?:sbp_[a-f0-9]{40}|sb_secret_[\w-]{31})", 3.0),
    token("a Tailscale key", &["tskey-"], r"tskey-[a-z]{3,10}-[A-Za-z0-9]{8,25}-[A-Za-z0-9]{20,50}", 3.5),
    token("a Vercel token", &["vercel_blob_rw_"], r"vercel_blob_rw_[A-Za-z0-9]{16}_[A-Za-z0-9]{30}", 4.0),
    token("a Netlify token", &["nfp_"], r"nfp_[a-zA-Z0-9]{36,40}", 3.5),
    token("a Yandex Cloud key", &["AQVN", "YCAJE"], r"(?:AQVN[\w-]{35,38}|YCAJE[\w-]{20})", 3.5),
];
