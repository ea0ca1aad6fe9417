//! Providers of models, and what is built around them.

use super::{Certainty, Place, Rule, token};

pub const RULES: &[Rule] = &[
    token("an Anthropic API key", &["sk-ant-"], r"sk-ant-(?:api|admin|oat|ort|sid)[0-9][0-9]-[\w-]{80,110}", 4.0),
    token("a Cerebras API key", &["csk-"], r"csk-[a-z0-9]{48}", 3.8),
    token("a Fireworks API key", &["fw_"], r"fw_[A-Za-z0-9]{22,24}", 3.8).is(Certainty::Question),
    token("a Groq API key", &["gsk_"], r"gsk_[A-Za-z0-9]{52}", 4.0),
    token("a Hugging Face token", &["hf_", "api_org_"], r"(?:hf|api_org)_[A-Za-z0-9]{34}", 3.8),
    token("a Langfuse secret key", &["sk-lf-"], r"sk-lf-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", 3.0),
    token(
        "a LangSmith API key",
        &["lsv2_", "ls__"],
        r"(?:lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}|ls__[a-f0-9]{32})",
        3.0,
    ),
    token("an NVIDIA API key", &["nvapi-"], r"nvapi-[\w-]{60,70}", 4.0),
    token(
        "an OpenAI API key",
        &["T3BlbkFJ"],
        r"sk-(?:(?:proj|svcacct|admin|None)-[\w-]{20,100}T3BlbkFJ[\w-]{20,100}|[a-zA-Z0-9]{20}T3BlbkFJ[a-zA-Z0-9]{20})",
        3.5,
    )
    .at(Place::Word),
    token("an OpenAI API key", &["sk-proj-", "sk-svcacct-"], r"sk-(?:proj|svcacct)-[\w-]{40,200}", 4.2)
        .is(Certainty::Question),
    token("an OpenRouter API key", &["sk-or-v1-"], r"sk-or-v1-[a-f0-9]{64}", 3.0),
    token("a Perplexity API key", &["pplx-"], r"pplx-[a-zA-Z0-9]{48}", 4.0),
    token("a Pinecone API key", &["pcsk_"], r"pcsk_[A-Za-z0-9]{5,8}_[A-Za-z0-9]{50,65}", 4.0),
    token("a Replicate API token", &["r8_"], r"r8_[A-Za-z0-9]{37}", 3.8),
    // DeepSeek's, and those of many a service that speaks OpenAI's protocol.
    token("a key of a model's API", &["sk-"], r"sk-(?:[a-f0-9]{32}|[A-Za-z0-9]{48})", 3.0).is(Certainty::Question),
    token("a Tavily API key", &["tvly-"], r"tvly-(?:dev-|prod-)?[A-Za-z0-9]{32}", 3.8),
    token("a Together API key", &["tgp_v1_"], r"tgp_v1_[\w-]{43}", 4.0),
    token("a Voyage API key", &["pa-"], r"pa-[\w-]{43}", 4.2).is(Certainty::Likely),
    token("a Weights and Biases API key", &["wandb_v1_"], r"wandb_v1_[\w-]{40,90}", 4.0),
    token("an xAI API key", &["xai-"], r"xai-[A-Za-z0-9]{70,90}", 4.0),
];
