//! When to try again, and how long to wait before: decisions only; `http` does the waiting.

use std::time::{Duration, SystemTime};

use reqwest::header::HeaderMap;

/// What the head of a failed response says about trying again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Advice {
    /// `x-should-retry`.
    pub should: Option<bool>,
    /// `retry-after-ms`, else `retry-after`.
    pub after: Option<Duration>,
}

impl Advice {
    /// `now` is what a date in `retry-after` counts from.
    pub(super) fn read(headers: &HeaderMap, now: SystemTime) -> Self {
        let text = |name| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
        let should = match text("x-should-retry") {
            Some("true") => Some(true),
            Some("false") => Some(false),
            _ => None,
        };
        let number = |name| text(name)?.parse::<f64>().ok().filter(|number| number.is_finite());
        let milliseconds = number("retry-after-ms").map(|ms| ms / 1000.0);
        let seconds = || number("retry-after");
        let date = || {
            let date = httpdate::parse_http_date(text("retry-after")?).ok()?;
            Some(date.duration_since(now).unwrap_or_default())
        };
        let after = milliseconds
            .or_else(seconds)
            .and_then(|seconds| Duration::try_from_secs_f64(seconds.max(0.0)).ok())
            .or_else(date);
        Advice { should, after }
    }
}

/// Is the status one that may be gone at the next try?
pub(super) fn is_passing(status: u16) -> bool {
    matches!(status, 408 | 409 | 429 | 500..=599)
}

/// The wait after try `number` (from 1) when the server asks for none: half a second, doubled each time up to 8 s,
/// less up to a quarter. `chance` is between 0 and 1; without it all clients would come back at once.
pub(super) fn backoff(number: u32, chance: f64) -> Duration {
    let full = 0.5 * f64::from(1u32 << number.saturating_sub(1).min(4));
    Duration::from_secs_f64(full * (1.0 - 0.25 * chance.clamp(0.0, 1.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn advice(headers: &[(&'static str, &str)]) -> Advice {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.insert(*name, value.parse().unwrap());
        }
        Advice::read(&map, httpdate::parse_http_date("Wed, 21 Oct 2026 07:28:00 GMT").unwrap())
    }

    #[test]
    fn retry_after_is_read_in_milliseconds_seconds_and_as_a_date() {
        fn after(headers: &[(&'static str, &str)]) -> Option<u128> {
            advice(headers).after.map(|wait| wait.as_millis())
        }
        assert_eq!(after(&[("retry-after-ms", "1500"), ("retry-after", "9")]), Some(1500));
        assert_eq!(after(&[("retry-after", "2")]), Some(2000));
        assert_eq!(after(&[("retry-after", "0.5")]), Some(500));
        assert_eq!(after(&[("retry-after", "Wed, 21 Oct 2026 07:28:10 GMT")]), Some(10_000));
        assert_eq!(after(&[("retry-after", "Wed, 21 Oct 2020 07:28:10 GMT")]), Some(0));
        assert_eq!(after(&[("retry-after", "-4")]), Some(0));
        for nonsense in ["soon", "NaN", "inf", "1e300", ""] {
            assert_eq!(after(&[("retry-after", nonsense)]), None, "{nonsense}");
        }
    }

    #[test]
    fn the_server_may_forbid_or_ask_for_another_try() {
        assert_eq!(advice(&[("x-should-retry", "false")]).should, Some(false));
        assert_eq!(advice(&[("x-should-retry", "true")]).should, Some(true));
        assert_eq!(advice(&[]).should, None);
    }

    #[test]
    fn waits_double_from_half_a_second_to_eight_and_vary_by_a_quarter() {
        let waits: Vec<f64> = (1..=7).map(|number| backoff(number, 0.0).as_secs_f64()).collect();
        assert_eq!(waits, [0.5, 1.0, 2.0, 4.0, 8.0, 8.0, 8.0]);
        assert_eq!(backoff(1, 1.0).as_secs_f64(), 0.375);
    }
}
