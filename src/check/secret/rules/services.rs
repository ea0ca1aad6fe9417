//! Payments, shops, data, and other services.

use super::{Certainty, Rule, token};

pub const RULES: &[Rule] = &[
    token("an Adobe client secret", &["p8e-"], r"p8e-[A-Za-z0-9]{32}", 3.0),
    token("an Airtable token", &["pat"], r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}", 3.5),
    token("an Authress key", &["authress_"], r"authress_[a-z0-9]{1,10}_[\w.-]{30,120}", 3.5),
    token("a Databricks token", &["dapi"], r"dapi[a-f0-9]{32}(?:-[0-9])?", 3.0),
    token("a Duffel token", &["duffel_live_"], r"duffel_live_[\w=-]{43}", 4.0),
    token("a Dynatrace token", &["dt0c01."], r"dt0c01\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{64}", 4.0),
    token("an EasyPost API key", &["EZAK"], r"EZAK[A-Za-z0-9]{54}", 3.5),
    token("a Flutterwave key", &["FLWSECK-", "FLWSECK_"], r"FLWSECK[-_][a-zA-Z0-9]{12,40}(?:-X)?", 3.0),
    token("a Frame.io token", &["fio-u-"], r"fio-u-[\w=-]{64}", 4.0),
    token(
        "a LaunchDarkly key",
        &["sdk-", "api-"],
        r"(?:sdk|api)-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}",
        3.0,
    )
    .is(Certainty::Question),
    token(
        "a Plaid token",
        &["access-"],
        r"access-(?:sandbox|development|production)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
        3.0,
    ),
    token("a PostHog API key", &["phx_"], r"phx_[A-Za-z0-9]{43,50}", 4.0),
    token("a Razorpay key", &["rzp_live_"], r"rzp_live_[A-Za-z0-9]{14}", 3.3),
    token("a Shippo token", &["shippo_live_"], r"shippo_live_[a-fA-F0-9]{40}", 3.0),
    token("a Shopify token", &["shpat_", "shpca_", "shppa_", "shpss_"], r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}", 3.0),
    token(
        "a Square token",
        &["sq0atp-", "sq0csp-", "EAAA"],
        r"(?:sq0(?:atp-[\w-]{22}|csp-[\w-]{43})|EAAA[\w-]{60})",
        3.5,
    ),
    token("a Stripe live key", &["sk_live_", "rk_live_"], r"[rs]k_live_[a-zA-Z0-9]{20,247}", 3.5),
    // It opens nothing but the test mode; it is still nobody else's.
    token("a Stripe test key", &["sk_test_", "rk_test_"], r"[rs]k_test_[a-zA-Z0-9]{20,247}", 3.5).is(Certainty::Likely),
    token("a webhook's signing secret", &["whsec_"], r"whsec_[A-Za-z0-9+/]{32,64}={0,2}", 3.8).is(Certainty::Question),
    token("a Typeform token", &["tfp_"], r"tfp_[\w.-]{40,64}", 4.0),
];
