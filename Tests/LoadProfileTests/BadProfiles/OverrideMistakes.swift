/// Overrides from the command line.
extension BadProfile {
    static let overrideMistakes: [BadProfile] = [
        BadProfile(
            "no equals sign",
            .minimal,
            set: ["seed"],
            expected: [
                """
                --set: "seed" has no equals sign; allowed: a field, an equals sign and a value, such as \
                breaks.podIdentifier=synchronised
                """
            ]
        ),
        BadProfile(
            "no field",
            .minimal,
            set: ["=5"],
            expected: [
                """
                --set: "" is not a field; allowed: a field, an equals sign and a value, such as \
                breaks.podIdentifier=synchronised
                """
            ]
        ),
        BadProfile(
            "no value",
            .minimal,
            set: ["seed="],
            expected: [
                """
                --set: "seed" is given no value; allowed: a field, an equals sign and a value, such as \
                breaks.podIdentifier=synchronised
                """
            ]
        ),
        BadProfile(
            "a gap in the field",
            .minimal,
            set: ["breaks..grace=1s"],
            expected: [
                """
                --set: "breaks..grace" is not a field; allowed: a field, an equals sign and a value, such \
                as breaks.podIdentifier=synchronised
                """
            ]
        ),
        BadProfile(
            "a misspelt field",
            .minimal,
            set: ["breaks.podIdentifer=synchronised"],
            expected: [
                "--set breaks.podIdentifer: unknown field; did you mean podIdentifier?"
            ]
        ),
        BadProfile(
            "a bad value",
            .minimal,
            set: ["breaks.podIdentifier=synchronise"],
            expected: [
                """
                --set breaks.podIdentifier: "synchronise" is not known; allowed: synchronised, sequence, \
                guide-sample; did you mean synchronised?
                """
            ]
        ),
        BadProfile(
            "a way through a value",
            .minimal,
            set: ["duration.minutes=3"],
            expected: [
                "--set duration.minutes: the profile has a single value where minutes would be set"
            ]
        ),
        BadProfile(
            "a way through a list",
            .minimal(and: "thresholds: [findings.* == 0]"),
            set: ["thresholds.0=x"],
            expected: [
                "--set thresholds.0: the profile has a list where 0 would be set"
            ]
        ),
        BadProfile(
            "a value that is no YAML",
            .minimal,
            set: ["thresholds=[a"],
            expected: [
                "--set thresholds: not YAML: while parsing a flow sequence, did not find expected ',' or ']'"
            ]
        ),
        BadProfile(
            "two at once",
            .minimal,
            set: ["seed=x", "audience.viewers=0"],
            expected: [
                #"--set seed: "x" is not a whole number; allowed: a whole number from 0 to 18446744073709551615"#,
                #"--set audience.viewers: "0" is not in range; allowed: a whole number from 1 to 1000000"#,
            ]
        ),
        BadProfile(
            "a conflict with the profile",
            .minimal,
            set: ["breaks.podDuration=30s"],
            expected: [
                "--set breaks.podDuration: 30s is too long for the break interval of 20s"
            ]
        ),
        BadProfile(
            "a second source",
            .minimal,
            set: ["breaks.source.guideMinute.repeats=true"],
            expected: [
                """
                --set breaks.source.guideMinute.repeats: breaks.source: needs exactly one kind, has every \
                and guideMinute; allowed: one of every, guideMinute, list, dateRange, trigger
                """
            ]
        ),
        BadProfile(
            "a secret",
            .minimal,
            set: ["target.embedded.authTokenKey={hunter2: hunter2}"],
            expected: [
                """
                --set target.embedded.authTokenKey: a mapping where a single value is needed; allowed: a \
                key, or ${NAME} for the environment variable that holds it
                """
            ]
        ),
        BadProfile(
            "a secret without an equals sign",
            .minimal,
            set: ["target.embedded.authTokenKey:hunter2"],
            expected: [
                """
                --set: "target.embedded.authTokenKey" has no equals sign; allowed: a field, an equals sign \
                and a value, such as breaks.podIdentifier=synchronised
                """
            ]
        ),
    ]
}
