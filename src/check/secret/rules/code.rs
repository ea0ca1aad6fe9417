//! Where code, packages and tickets are kept, built and watched.

use super::{Certainty, Place, Rule, token};

pub const RULES: &[Rule] = &[
    token(
        "an Artifactory API key",
        &["AKCp", "cmVmdGtuO"],
        r"(?:AKCp[A-Za-z0-9]{69}|cmVmdGtuO[A-Za-z0-9]{50,60})",
        4.0,
    ),
    token(
        "an Atlassian API token",
        &["ATATT3", "ATCTT3", "ATBB"],
        r"(?:AT[AC]TT3[\w=-]{180,200}|ATBB[A-Za-z0-9]{32})",
        3.8,
    ),
    token("an Azure DevOps token", &["AZDO"], r"[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}", 4.0).at(Place::Word),
    token("a Buildkite token", &["bkua_", "bkaj_"], r"bk(?:ua|aj)_[a-z0-9]{40}", 3.3),
    token("a crates.io token", &["cio"], r"cio[A-Za-z0-9]{32}", 3.8),
    token("a CircleCI token", &["CCIPAT_"], r"CCIPAT_[A-Za-z0-9]{20,24}_[a-f0-9]{40}", 3.5),
    token("a Clojars token", &["CLOJARS_"], r"CLOJARS_[a-z0-9]{60}", 3.0),
    token("a Contentful token", &["CFPAT-"], r"CFPAT-[\w-]{43}", 4.0),
    token("a Docker Hub token", &["dckr_pat_", "dckr_oat_"], r"dckr_[po]at_[\w-]{27,32}", 3.5),
    token("a Figma token", &["figd_", "figo_"], r"fig[do]_[\w-]{38,44}", 4.0),
    token("a GitHub token", &["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], r"gh[pousr]_([0-9a-zA-Z]{36})", 3.0)
        .with_checksum(),
    token("a GitHub fine-grained token", &["github_pat_"], r"github_pat_[0-9a-zA-Z]{22}_[0-9a-zA-Z]{59}", 4.0),
    token(
        "a GitLab token",
        &[
            "glpat-",
            "gldt-",
            "glptt-",
            "glrt-",
            "glsoat-",
            "glcbt-",
            "gloas-",
            "glagent-",
            "glft-",
            "glffct-",
            "glimt-",
            "glrtr-",
            "GR1348941",
        ],
        r"(?:glpat-(?:[\w-]{27,300}\.[0-9a-z]{9}|[\w-]{20})|gl(?:dt|soat|ft|ffct|rtr)-[\w-]{20}|glimt-[\w-]{25}|glptt-[0-9a-f]{40}|glrt-(?:t[0-9]_[\w-]{27,300}\.[0-9a-z]{9}|[\w-]{20})|glcbt-[0-9a-zA-Z]{1,5}_[\w-]{20}|gloas-[\w-]{64}|glagent-[\w-]{50}|GR1348941[\w-]{20})",
        3.5,
    ),
    token(
        "a Grafana token",
        &["glsa_", "glc_eyJ"],
        r"(?:glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}|glc_eyJ[A-Za-z0-9+/]{32,400}={0,3})",
        3.5,
    ),
    token("a Harness token", &["pat.", "sat."], r"(?:pat|sat)\.[\w-]{22}\.[a-f0-9]{24}\.[a-zA-Z0-9]{20}", 3.5),
    token("a Linear API key", &["lin_api_", "lin_oauth_"], r"lin_(?:api_[A-Za-z0-9]{40}|oauth_[a-f0-9]{64})", 3.0),
    token(
        "a New Relic key",
        &["NRAK-", "NRII-", "NRJS-", "NRAA-", "NRAL"],
        r"NR(?:AK-[A-Z0-9]{27}|II-[\w-]{32}|AA-[a-f0-9]{27}|JS-[a-f0-9]{19})|[a-f0-9]{36}NRAL",
        3.0,
    ),
    token("a Notion token", &["ntn_"], r"ntn_[0-9]{11}[A-Za-z0-9]{35}", 4.0),
    token("a Notion token", &["secret_"], r"secret_[A-Za-z0-9]{43}", 4.0),
    token("an npm token", &["npm_"], r"npm_[A-Za-z0-9]{36}", 3.5),
    token("a registry's token", &[":_authToken="], r":_authToken=([\w.+/=-]{20,200})", 3.0).at(Place::Anywhere),
    token("a NuGet API key", &["oy2"], r"oy2[a-z0-9]{43}", 4.0),
    token("an Octopus Deploy API key", &["API-"], r"API-[A-Z0-9]{26}", 3.8).is(Certainty::Likely),
    token("a Postman API key", &["PMAK-"], r"PMAK-[a-f0-9]{24}-[a-f0-9]{34}", 3.0),
    token("a PyPI token", &["pypi-AgE"], r"pypi-AgE(?:IcHlwaS5vcmc|NdGVzdC5weXBpLm9yZw)[\w-]{50,1000}", 3.5),
    token("a ReadMe API key", &["rdme_"], r"rdme_[a-z0-9]{70}", 3.5),
    token("a RubyGems token", &["rubygems_"], r"rubygems_[a-f0-9]{48}", 3.0),
    // It only lets a program report its errors, and stands in many a page.
    token("a Sentry DSN", &[".ingest."], r"https://([a-f0-9]{32})(?::[a-f0-9]{32})?@[\w-]{1,30}\.ingest\.", 3.0)
        .at(Place::Anywhere)
        .is(Certainty::Likely),
    token(
        "a Sentry token",
        &["sntrys_eyJ", "sntryu_"],
        r"(?:sntrys_eyJ[a-zA-Z0-9+/=]{50,500}_[a-zA-Z0-9+/]{43}|sntryu_[a-f0-9]{64})",
        3.0,
    ),
    token("a SonarQube token", &["sqp_", "squ_", "sqa_"], r"sq[pua]_[a-f0-9]{40}", 3.0),
    token("a Sourcegraph token", &["sgp_"], r"sgp_(?:[a-fA-F0-9]{16}_|local_)?[a-fA-F0-9]{40}", 3.0),
    token("a Snyk token", &["snyk_uat."], r"snyk_uat\.[a-f0-9]{8}\.[\w-]{20,700}", 3.5),
];
