//! Fences that hold what is put into them, whatever it is.

/// `text` in a Markdown fence longer than any run of backticks inside, with a line end added where the text has
/// none at its end.
pub fn fenced(text: &str, tag: &str) -> String {
    let ticks = "`".repeat(longest_run(text).max(2) + 1);
    let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    format!("{ticks}{tag}\n{text}{end}{ticks}\n")
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::fenced;

    #[test]
    fn a_fence_is_longer_than_any_run_of_backticks_inside() {
        assert_eq!(fenced("x\n", "py"), "```py\nx\n```\n");
        assert_eq!(fenced("a ```` b", ""), "`````\na ```` b\n`````\n");
        assert_eq!(fenced("", ""), "```\n```\n");
    }
}
