//! Chat, mail and telephones.

use super::{Certainty, Place, Rule, token};

pub const RULES: &[Rule] = &[
    token(
        "a Discord webhook",
        &["/api/webhooks/"],
        r"discord(?:app)?\.com/api/webhooks/[0-9]{17,20}/([\w-]{60,72})",
        4.0,
    )
    .at(Place::Anywhere),
    token("a Facebook token", &["EAA"], r"EAA[A-Z][A-Za-z0-9]{80,250}", 4.0),
    token("an Intra42 secret", &["s-s4t2"], r"s-s4t2(?:ud|af)-[a-f0-9]{64}", 3.0),
    token("a Mailchimp API key", &["-us"], r"[a-f0-9]{32}-us[0-9]{1,2}", 3.0).at(Place::Word),
    token("a Mailgun API key", &["key-"], r"key-[a-f0-9]{32}", 3.0).is(Certainty::Question),
    token("a Mailgun signing key", &["pubkey-"], r"pubkey-[a-f0-9]{32}", 3.0).is(Certainty::Question),
    token("a Mapbox secret token", &["sk.eyJ"], r"sk\.eyJ[\w-]{50,200}\.[\w-]{22}", 4.0),
    token(
        "a Microsoft Teams webhook",
        &[".webhook.office.com"],
        r"https://[\w-]{1,40}\.webhook\.office\.com/webhookb2/([\w@-]{73}/IncomingWebhook/[a-f0-9]{32}/[\w-]{36})",
        3.0,
    )
    .at(Place::Anywhere),
    token("a Resend API key", &["re_"], r"re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}", 3.8),
    token("a SendGrid API key", &["SG."], r"SG\.[\w-]{22}\.[\w-]{43}", 4.0),
    token("a Sendinblue API key", &["xkeysib-", "xsmtpsib-"], r"x(?:keysib|smtpsib)-[a-f0-9]{64}-[A-Za-z0-9]{16}", 3.0),
    token(
        "a Slack token",
        &["xoxb-", "xoxp-", "xoxe-", "xoxe.", "xoxs-", "xoxo-", "xoxa-", "xoxr-", "xapp-", "xwfp-"],
        r"(?:xoxb-[0-9]{10,13}-[0-9]{10,13}-[a-zA-Z0-9]{20,32}|xox[pe](?:-[0-9]{10,13}){3}-[a-zA-Z0-9-]{28,34}|xox[os]-[0-9]+-[0-9]+-[0-9]+-[a-fA-F0-9]{32,64}|xox[ar]-[0-9]-[0-9a-zA-Z]{30,60}|xoxe(?:\.xox[bp])?-[0-9]-[A-Z0-9]{140,170}|xapp-[0-9]-[A-Z0-9]{8,14}-[0-9]{10,14}-[a-f0-9]{60,70}|xwfp-[a-zA-Z0-9-]{30,100})",
        3.3,
    ),
    token(
        "a Slack webhook",
        &["hooks.slack.com"],
        r"hooks\.slack\.com/(?:services|workflows|triggers)/(T[A-Z0-9]{8,12}/[A-Z0-9]{8,14}/[A-Za-z0-9]{23,56})",
        3.8,
    )
    .at(Place::Anywhere),
    token("a Telegram bot token", &[":AA"], r"[0-9]{8,10}:AA[\w-]{33}", 4.0).at(Place::Word),
    token("a Twilio API key", &["SK"], r"SK[0-9a-f]{32}", 3.0),
    // It names the account, and is half of what opens it.
    token("a Twilio account", &["AC"], r"AC[0-9a-f]{32}", 3.0).is(Certainty::Likely),
];
