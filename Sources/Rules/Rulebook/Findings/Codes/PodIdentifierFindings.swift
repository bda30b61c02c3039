enum PodIdentifierFindings {
    static let rows: [FindingCode] = [
        breakIdentifierSplit,
        breakIdentifierReused,
        breakIdentifierSkipped,
        breakIdentifierBackwards,
    ]

    static let breakIdentifierSplit = FindingCode(
        "break_identifier_split",
        .pods,
        .broken,
        meaning: "Viewers of one break asked for different pod identifiers, so they were shown different pods.",
        rule: .onePodForEachBreak
            .and(
                .page(
                    .podTokens,
                    "the token of a pod request, which signs its identifier, is one for all sessions",
                    quotation: "This token can be calculated once per ad break and shared across all stream sessions."
                )
            )
            .and(
                .assumed(
                    "names that were made of starts at most a frame apart are one, whatever rounding made of them",
                    .announcementTolerance
                )
            ),
        likelyCauses: [
            "Packagers tell different starts of one break, and the identifier is made of the start; where the player "
                + "makes it of the date range's ID, so does podswarm with breaks.identifierTemplate and {id} in it.",
            "The player names the pod after its own clock, for example the minute of the click, not after the break.",
            "Clocks of viewers disagree around a rounding boundary.",
            "Some viewers saw another announcement of the break, from another variant or a stale edge cache.",
        ],
        whereToLook: "The shares below: who asked for which identifier, and what the player derives it from."
    )

    static let breakIdentifierReused = FindingCode(
        "break_identifier_reused",
        .pods,
        .broken,
        meaning: "Two breaks had one pod identifier, so the second shows the ads of the first or none.",
        rule: .onePodForEachBreak,
        likelyCauses: [
            "The identifier is made of something that comes round again, as the minute of the hour.",
            "A counter began anew when the encoder or the manifest manipulator started again.",
            "Two announcements of one break differ in their start, so that they look like two.",
        ],
        whereToLook: "The two breaks below: where their identifier comes from, and what it is made of."
    )

    static let breakIdentifierSkipped = FindingCode(
        "break_identifier_skipped",
        .pods,
        .suspect,
        meaning: "Numbered pods leave numbers out: breaks in between were decided, or announced, for nobody.",
        rule: .assumed(
            "the numbers of pods in a sequence grow by one with each break; what a vendor does with others is not told",
            .allowance
        ),
        likelyCauses: [
            "A break was created twice, or cancelled after its number was given out.",
            "Some announcement never reached viewers: a lost cue, a stale edge, a variant without it.",
            "The number counts something else than breaks, as minutes.",
        ],
        whereToLook: "The breaks of the event between the two numbers, on the ad side and in the signalling."
    )

    static let breakIdentifierBackwards = FindingCode(
        "break_identifier_backwards",
        .pods,
        .wrong,
        meaning: "A numbered pod has a smaller number than that of an earlier break.",
        rule: .assumed(
            "the numbers of pods in a sequence grow by one with each break; what a vendor does with others is not told",
            .allowance
        ),
        likelyCauses: [
            "A counter began anew after a restart or a fail-over.",
            "Two manifest manipulators count for themselves.",
            "A cache serves an announcement of an earlier break.",
        ],
        whereToLook: "The counter: who keeps it, and what becomes of it at a restart."
    )
}
