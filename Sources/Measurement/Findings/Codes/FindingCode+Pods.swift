extension FindingCode {
    /// The rows of their group, in the order of the codes.
    static let podsTable: [FindingCode] = [
        .breakIdentifierSplit,
        .emptyPod,
        .podChangedOnRepeat,
        .podDurationOff,
    ]

    package static let breakIdentifierSplit = FindingCode(
        "break_identifier_split",
        .pods,
        .broken,
        meaning: "Viewers of one break asked for different pod identifiers, so they were shown different pods.",
        rule: "Google Ad Manager, pod serving: every viewer of a break requests the same pod identifier",
        likelyCauses: [
            "The player names the pod after its own clock, for example the minute of the click, not after the break.",
            "Clocks of viewers disagree around a rounding boundary.",
            "Some viewers saw another announcement of the break, from another variant or a stale edge cache.",
        ],
        whereToLook: "The shares below: who asked for which identifier, and what the player derives it from."
    )

    package static let emptyPod = FindingCode(
        "empty_pod",
        .pods,
        .broken,
        meaning: "The pod answered with success but holds nothing to play.",
        rule: "Google Ad Manager, pod serving: a pod manifest lists the segments of the pod",
        likelyCauses: [
            "No ad and no slate was booked for the break.",
            "The ad decision timed out and the packager published what it had.",
            "The pod was requested before it existed.",
        ],
        whereToLook: "The ad decision log of the break: what was booked, and whether the slate is there."
    )

    package static let podChangedOnRepeat = FindingCode(
        "pod_changed_on_repeat",
        .pods,
        .wrong,
        meaning: "The same session asked for the same pod twice and got a different one.",
        rule: "Google Ad Manager, pod serving: a pod is decided once for a stream and identifier",
        likelyCauses: [
            "The ad decision is not stored with the session and is made anew.",
            "A fail-over host decided for itself.",
            "The pod was still being filled when it was asked for first.",
        ],
        whereToLook: "Where a decision is kept between two requests of one session."
    )

    package static let podDurationOff = FindingCode(
        "pod_duration_off",
        .pods,
        .wrong,
        meaning: "The pod is longer or shorter than the break it fills, so viewers return at the wrong moment.",
        rule: "Google Ad Manager, pod serving: pd is the duration of the pod in milliseconds",
        likelyCauses: [
            "The break was under-filled or over-filled and no slate made up for it.",
            "The durations of transcoded creatives differ from the booked ones.",
            "pd was read in seconds.",
        ],
        whereToLook: "pd in the request beside the sum of EXTINF in the pod."
    )
}
