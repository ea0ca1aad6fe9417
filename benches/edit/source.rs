//! Source text as it is in real files, the same in each run: functions of fifteen lines that share many lines with one
//! another, some with more in common than others.

/// One function of the text.
pub struct Function {
    name: String,
    lines: Vec<String>,
}

/// As many functions as make `lines` lines.
pub fn source(lines: usize) -> Vec<Function> {
    let mut functions = Vec::new();
    let mut count = 0;
    while count < lines {
        let function = Function::new(functions.len());
        count += function.lines.len();
        functions.push(function);
    }
    functions
}

pub fn text(functions: &[Function]) -> String {
    functions.iter().map(Function::text).collect()
}

impl Function {
    fn new(number: usize) -> Function {
        const NOUNS: [&str; 12] = [
            "account", "balance", "entry", "invoice", "ledger", "order", "payment", "posting", "report", "rule", "tax",
            "transfer",
        ];
        // A number that looks like no other, and is the same each time.
        let seed = (number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
        let noun = |shift: u32| NOUNS[(seed >> shift) as usize % NOUNS.len()];
        let name = format!("{}_{}_{number}", noun(0), noun(5));
        let mut lines = vec![
            format!("def {name}(values, limit={}):", seed % 1000),
            format!("    \"\"\"The {} of each {}, as the {} has it.\"\"\"", noun(10), noun(15), noun(20)),
            "    total = 0".into(),
            "    for value in values:".into(),
            "        if value is None:".into(),
            "            continue".into(),
        ];
        for step in 0..5 + seed % 4 {
            lines.push(format!("        total += value.{}_{step}(limit, {})", noun(step as u32), seed % 97 + step));
        }
        lines.push(format!("    check_{}(total, \"{name}\")", noun(25)));
        lines.extend(["    return total".into(), String::new(), String::new()]);
        Function { name, lines }
    }
    pub fn text(&self) -> String {
        join(&self.lines)
    }
    /// With one line changed and one added.
    pub fn changed(&self) -> String {
        join(&self.changed_lines())
    }
    fn changed_lines(&self) -> Vec<String> {
        let mut lines = self.lines.clone();
        let at = lines.len() - 4;
        lines[at].push_str("  # checked");
        lines.insert(at, format!("    log(\"{}\")", self.name));
        lines
    }
    /// What is indented.
    pub fn body(&self) -> String {
        join(&self.lines[1..])
    }
    pub fn changed_body(&self) -> String {
        join(&self.changed_lines()[1..])
    }
    /// The head and the last lines, with a mark for those between.
    pub fn elided(&self) -> String {
        self.elide(&self.lines)
    }
    pub fn elided_and_changed(&self) -> String {
        self.elide(&self.changed_lines())
    }
    fn elide(&self, lines: &[String]) -> String {
        format!("{}    # ... existing code ...\n{}", join(&lines[..2]), join(&lines[self.lines.len() - 4..]))
    }
}

fn join(lines: &[String]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

pub fn dedented(text: &str) -> String {
    text.lines().map(|line| format!("{}\n", line.strip_prefix("    ").unwrap_or(line))).collect()
}

/// `old` and `new` as the body of a hunk.
pub fn diff(old: &str, new: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let tail = old[head..].iter().rev().zip(new[head..].iter().rev()).take_while(|(a, b)| a == b).count();
    let marked = |mark: char, lines: &[&str]| lines.iter().map(|line| format!("{mark}{line}\n")).collect::<String>();
    let (before, after) = (&old[..head], &old[old.len() - tail..]);
    marked(' ', before)
        + &marked('-', &old[head..old.len() - tail])
        + &marked('+', &new[head..new.len() - tail])
        + &marked(' ', after)
}
