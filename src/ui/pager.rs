//! Results through a pager, as git shows its own: only on a terminal, and by the program that the person has chosen.

use super::printer;
use crate::environment::Environment;
use crate::process::page;
use std::io::Write;

/// Unless the person has set them, what git tells pagers.
const VARIABLES: &[(&str, &str)] = &[("LESS", "FRX"), ("LV", "-c")];

/// Shows a whole result. `configured` is what git's configuration says, as far as the person has said it and not the
/// repository.
pub fn show(environment: &Environment, configured: Option<&str>, text: &str) -> std::io::Result<()> {
    if printer::out_is_terminal()
        && let Some(pager) = chosen(environment, configured)
        && page(environment, &pager, VARIABLES, text.as_bytes()).is_ok()
    {
        return Ok(());
    }
    printer::out().write_all(text.as_bytes())
}

/// The pager, by git's own order. None where the person wants none, or the terminal cannot show one.
fn chosen(environment: &Environment, configured: Option<&str>) -> Option<String> {
    let of = |name: &str| environment.get(name).map(|value| value.to_string_lossy().into_owned());
    let pager = of("GIT_PAGER").or_else(|| configured.map(str::to_owned)).or_else(|| of("PAGER"));
    let pager = pager.unwrap_or_else(|| "less".to_owned());
    let wanted = !matches!(pager.trim(), "" | "cat") && !environment.terminal_is_dumb();
    wanted.then_some(pager)
}

#[cfg(test)]
mod tests {
    use super::chosen;
    use crate::environment::Environment;

    fn of(variables: &[(&str, &str)], configured: Option<&str>) -> Option<String> {
        let terminal = [("TERM", "xterm")];
        let all = variables.iter().chain(&terminal).map(|(name, value)| ((*name).into(), (*value).into()));
        chosen(&all.collect::<Environment>(), configured)
    }

    #[test]
    fn the_pager_is_the_one_that_git_would_take_and_cat_is_none() {
        assert_eq!(of(&[], None).as_deref(), Some("less"));
        assert_eq!(of(&[("PAGER", "more")], None).as_deref(), Some("more"));
        assert_eq!(of(&[("PAGER", "more")], Some("most")).as_deref(), Some("most"));
        assert_eq!(of(&[("GIT_PAGER", "mine"), ("PAGER", "more")], Some("most")).as_deref(), Some("mine"));
        assert_eq!(of(&[("GIT_PAGER", "cat")], None), None);
        assert_eq!(of(&[("GIT_PAGER", "")], None), None);
        assert_eq!(of(&[("TERM", "dumb")], None), None);
    }
}
