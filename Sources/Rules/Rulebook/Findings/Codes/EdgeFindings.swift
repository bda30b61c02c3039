enum EdgeFindings {
    static let rows: [FindingCode] = [
        edgeContentDiffers,
        edgeTimeTravel,
    ]

    static let edgeContentDiffers = FindingCode(
        "edge_content_differs",
        .audience,
        .wrong,
        meaning: "Answers for one playlist disagree about the segment at one media sequence number.",
        rule: .hls("6.3.4", "a segment with the same media sequence number has the same URI")
            .and(.assumed("hosts and queries aside, this holds for all viewers of a playlist's address", .allowance)),
        likelyCauses: [
            """
            The playlist is made for each session: ads aimed at persons, a frequency cap, or a session or signature in the \
            paths of segments. \(ProfileSetting.podMatching.rawValue) says whose ads must match, and \(ProfileSetting.allowance.rawValue) \
            lifts the rest.
            """,
            "Packagers of a redundant pair count or name segments each on their own.",
            "A packager was restarted, and edges hold playlists from before and after.",
            "An edge is filled from another origin than the rest.",
        ],
        whereToLook:
            "The two lines below, and which edge or origin each came from: the address that answered, its point of presence."
    )

    static let edgeTimeTravel = FindingCode(
        "edge_time_travel",
        .audience,
        .wrong,
        meaning: "A viewer was given an older version of a live playlist than one that it had already.",
        rule: .hls("6.2.2", "the media sequence number must not decrease")
            .and(
                .assumed("the edges behind one name are one server to a viewer, who may be one update back", .allowance)
            ),
        likelyCauses: [
            "Requests of one viewer reach edges that lag behind each other by more than an update.",
            "A cache answers stale while it revalidates.",
            "A failed-over origin serves its own, older state.",
        ],
        whereToLook:
            "Which edges answered the two requests (address, X-Cache, Via, Age), and how old each one's copy was."
    )
}
