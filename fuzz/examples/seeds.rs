//! Writes a first corpus for each target from the examples that the formats show to models.

use git_implement::edit::FORMATS;
use std::{fs, io, path::Path};

fn main() -> io::Result<()> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    for spec in FORMATS {
        let example = &spec.example;
        let base = example.base.replace("sys", "os");
        let seeds = [
            format!("{}\0{}", example.base, example.reply),
            format!("{}\0{}", example.base.replace('\n', "\r\n"), example.reply),
            format!("\u{feff}{}\0{}", example.base.trim_end(), example.reply.replace("    ", "  ")),
            format!("{base}{base}\0{}", example.reply),
            example.reply.to_owned(),
            format!("\0Here it is:\n\n{}\nThat is all.\n", example.reply),
        ];
        for target in [spec.name.replace('-', "_").as_str(), "auto"] {
            let folder = corpus.join(target);
            fs::create_dir_all(&folder)?;
            for (n, seed) in seeds.iter().enumerate() {
                fs::write(folder.join(format!("{}-{n}", spec.name)), seed)?;
            }
        }
    }
    Ok(())
}
