/// A text that is no profile.
extension BadProfile {
    static let syntaxMistakes: [BadProfile] = [
        BadProfile(
            "an empty file",
            .yaml(""),
            expected: [
                "1:1: the profile is empty"
            ]
        ),
        BadProfile(
            "nothing but a comment",
            .yaml("# later\n"),
            expected: [
                "1:1: the profile is empty"
            ]
        ),
        BadProfile(
            "an explicit null",
            .yaml("~\n"),
            expected: [
                "1:1: the profile is empty"
            ]
        ),
        BadProfile(
            "a list at the root",
            .yaml("- duration\n"),
            expected: [
                "1:1: a list where a mapping is needed"
            ]
        ),
        BadProfile(
            "a word at the root",
            .yaml("duration\n"),
            expected: [
                "1:1: a single value where a mapping is needed"
            ]
        ),
        BadProfile(
            "a duplicated key",
            .minimal(and: "seed: 1\nseed: 2"),
            expected: [
                #"5:1: "seed" stands more than once in one mapping; the first is here"#
            ]
        ),
        BadProfile(
            "a duplicated key inside",
            .minimal(audience: "{viewers: 10, ramp: 1s, ramp: 2s}"),
            expected: [
                #"3:25: "ramp" stands more than once in one mapping; the first is here"#
            ]
        ),
        BadProfile(
            "an unclosed bracket",
            .minimal(and: "thresholds: [a"),
            expected: [
                "6:1: not YAML: while parsing a flow sequence, did not find expected ',' or ']'"
            ]
        ),
        BadProfile(
            "a tab for indentation",
            .yaml("duration: 60s\naudience:\n\tviewers: 10\n"),
            expected: [
                "3:1: not YAML: while scanning for the next token, found character that cannot start any token"
            ]
        ),
        BadProfile(
            "wrong indentation",
            .yaml("duration: 60s\n  target: embedded\n"),
            expected: [
                "2:9: not YAML: mapping values are not allowed in this context"
            ]
        ),
        BadProfile(
            "an unclosed quote",
            .minimal(and: #"name: "abc"#),
            expected: [
                "6:1: not YAML: while scanning a quoted scalar, found unexpected end of stream"
            ]
        ),
        BadProfile(
            "two documents",
            .minimal(
                and: "---\nduration: 60s\ntarget: embedded\naudience: {viewers: 10}\nbreaks: {source: {every: 20s}}"
            ),
            expected: [
                "5:1: not YAML: expected a single document in the stream, but found another document"
            ]
        ),
        BadProfile(
            "an alias",
            .yaml(
                "duration: &d 60s\ntarget: embedded\naudience: {viewers: 10, ramp: *d}\nbreaks: {source: {every: 20s}}\n"
            ),
            expected: [
                "3:31: the alias *d is not supported; write the value out"
            ]
        ),
        BadProfile(
            "an undefined alias",
            .minimal(and: "name: *nobody"),
            expected: [
                "5:7: not YAML: found undefined alias"
            ]
        ),
        BadProfile(
            "a mapping as a key",
            .minimal(and: "? {a: b}\n: c"),
            expected: [
                "5:3: a field's name must be a single word"
            ]
        ),
        BadProfile(
            "a control character",
            .minimal(and: "name: a\u{7}b"),
            expected: [
                "5:8: not YAML: control characters are not allowed"
            ]
        ),
        BadProfile(
            "nesting without end",
            .minimal(and: "name: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]"),
            expected: [
                "5:39: nested more than 32 deep"
            ]
        ),
    ]
}
