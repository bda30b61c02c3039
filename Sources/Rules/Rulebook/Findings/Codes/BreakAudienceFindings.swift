/// Differences between viewers' announcements of one break.
enum BreakAudienceFindings {
    static let rows: [FindingCode] = [
        breakAnnouncementDiffers,
        breakAnnouncementMissing,
        breakStartDiffers,
        earlyReturnMissed,
    ]

    static let breakAnnouncementDiffers = FindingCode(
        "break_announcement_differs",
        .audience,
        .wrong,
        meaning: "Viewers were told of the break at one start under different identities or with different attributes.",
        rule: .hls("6.2.4", "playlists with date ranges have the same ones, with the same attributes")
            .and(.assumed("what holds between the playlists of a channel holds between its viewers", .allowance)),
        likelyCauses: [
            "An attribute carries what is one viewer's own: a session, targeting or a signature in an asset's address.",
            "Packagers of a redundant pair name the break each on their own.",
            "An identity holds a counter or a clock that differs from server to server.",
            "An edge still serves the announcement as it was before an attribute was corrected.",
        ],
        whereToLook: "The two date ranges below, and the edges or packagers that they came from."
    )

    static let breakAnnouncementMissing = FindingCode(
        "break_announcement_missing",
        .audience,
        .broken,
        meaning:
            "A viewer polled through a break that others were told of, or joined in it, and its playlists never had it.",
        rule: .hls("6.2.4", "playlists with date ranges have the same ones, with the same attributes")
            .and(.hls("6.2.1", "a date range stays while a date in it maps to a listed segment"))
            .and(.assumed("what holds between the playlists of a channel holds between its viewers", .allowance)),
        likelyCauses: [
            "One packager or one variant's playlist lacks the splice.",
            "An edge that lags keeps the playlist from before the announcement until the break has left the window.",
            "A manifest manipulator drops date ranges for some sessions.",
            "The announcement leaves the playlist with the break's first segment, and late joiners are told nothing.",
        ],
        whereToLook: "The playlist URL of such a viewer beside another's: edge, variant and session."
    )

    static let breakStartDiffers = FindingCode(
        "break_start_differs",
        .audience,
        .broken,
        meaning: "Viewers were told different starts or durations of one break, so they leave or return apart.",
        rule: .hls("4.4.5.1", "tags of one date range give the same values")
            .and(.hls("6.2.4", "in all playlists that have it"))
            .and(.assumed("times that are at most a frame apart are the same", .announcementTolerance)),
        likelyCauses: [
            "Packagers derive the start from their own clocks, not from the splice time.",
            "The break was moved after some viewers had been told of it.",
            "Variants place the splice at segment boundaries of their own.",
        ],
        whereToLook: "The two starts and durations below: which playlist said which, and the encoder's splice."
    )

    static let earlyReturnMissed = FindingCode(
        "early_return_missed",
        .audience,
        .wrong,
        meaning: "A break was cut short, and a viewer was not told within 1.5 target durations of the first that was.",
        rule: .hls("6.2.1", "an update comes at most 1.5 target durations after the one before")
            .and(.assumed("it reaches every viewer within that time of the first", .allowance)),
        likelyCauses: [
            "An edge or a cache serves the playlist from before the early return for too long.",
            "Only some packagers or variants were told of the early return.",
            "The playlist's cache lifetime is longer than half a target duration.",
        ],
        whereToLook: "When the first viewer and this one saw the end of the break, and the edges that they asked."
    )
}
