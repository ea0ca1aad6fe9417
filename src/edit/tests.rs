use super::*;

#[test]
fn the_example_shown_to_the_model_applies_in_every_format() {
    for spec in FORMATS {
        let example = &spec.example;
        for format in [Some(spec.format), None] {
            let applied = apply(format, example.path, Some(example.base), example.reply).expect(spec.name);
            assert_eq!(applied.text, example.result, "{}", spec.name);
            assert_eq!(applied.format, spec.format);
        }
    }
}
