extension FindingCode {
    package static let assetListMismatch = FindingCode(
        ("asset_list_mismatch", .audience, .broken),
        meaning: "Sessions that must match got different asset lists for the same interstitial.",
        rule: .hls("D.2", "X-CONTENT-MAY-VARY=NO means that all players get the same content"),
        .assumed("this is compared between viewers that are meant to match", .podMatching),
        likelyCauses: """
            The list is aimed at persons or groups although X-CONTENT-MAY-VARY=NO stands in the tag: \
            \(ProfileSetting.podMatching.rawValue) says who must match.
            """,
        "A frequency cap was reached by some sessions and not by others.",
        "Addresses are signed for each session in their paths, and the ads behind them are the same.",
        "Servers behind one name decide independently of each other.",
        "A cache keeps the list of an earlier decision on some of its nodes.",
        whereToLook: "The two lists shown, without what is a viewer's own: which servers answered, and when."
    )

    package static let foreignStreamID = FindingCode(
        ("foreign_stream_id", .audience, .broken),
        meaning: "An answer carries a session that this run was given for another viewer.",
        rule: .page(
            .podServing,
            "a stream id is one viewer's",
            quotation: "Retrieve the unique user session ID from the stream registration response."
        ),
        .rfc(9111, "2", "a cache's key holds at least the method and the whole address"),
        .assumed("a cookie with session in its name is one viewer's", .sessionCookies),
        likelyCauses: "A cache in front of the ad server ignores stream_id in its key.",
        "A personalised body is marked cacheable for all clients.",
        "The manifest manipulator mixes up concurrent sessions.",
        whereToLook: """
            The cache key of whatever stands between viewers and the ad server: is the session in it? The leak itself is \
            proved: another viewer of this run was given that session. An id that only looks like one is never taken for it.
            """
    )

    package static let podLadderDiffers = FindingCode(
        ("pod_ladder_differs", .audience, .wrong),
        meaning:
            "The pod of one identifier offers some viewers other renditions than most: sizes, frame rates or codecs.",
        rule: .assumed(
            "all viewers are offered the same renditions of one pod, even if ads are aimed",
            .ladderMatching
        ),
        likelyCauses: """
            Manifests are made for classes of devices, with renditions left out: then it is meant, and \
            \(ProfileSetting.ladderMatching.rawValue) says who must match.
            """,
        "A creative was transcoded into fewer renditions than the channel has, or not all of them are ready.",
        "Origins behind one name have different encoding profiles.",
        whereToLook: "The two lists of renditions shown beside the channel's own, and the creatives of the pod."
    )

    package static let podMismatch = FindingCode(
        ("pod_mismatch", .audience, .broken),
        meaning: "Sessions that must match got different pods for the same identifier.",
        rule: .assumed(
            "viewers who are meant to match get one pod for one identifier, which no vendor promises",
            .podMatching
        ),
        .page(
            .insertionTypes,
            "a pod may well be one viewer's own",
            quotation:
                "embedding Google DAI ad segment URLs which redirect to unique Google DAI ad segments per user"
        ),
        likelyCauses: """
            Pods are aimed at persons or groups, by targeting, consent, region or device: \
            \(ProfileSetting.podMatching.rawValue) says who must match.
            """,
        "A frequency cap was reached by some sessions and not by others.",
        "Addresses are signed for each session in their paths, and the ads behind them are the same.",
        "Servers behind one name decide independently of each other.",
        "An edge cache serves the pod of another identifier.",
        whereToLook: """
            The difference between the pods shown, the share of viewers that was given each, and which servers answered, when.
            """
    )

    package static let stitchedMismatch = FindingCode(
        ("stitched_mismatch", .audience, .wrong),
        meaning: "Viewers of one stitched break were given different ad segments.",
        rule: .assumed("viewers who are meant to match are given the same ads", .podMatching),
        .page(
            .personalisedManifests,
            "a playlist may well be one viewer's own",
            quotation: """
                for each viewer, which is used to deliver ad placements that are personalized to the individual
                """
        ),
        likelyCauses: """
            Ads are aimed at persons or groups, in a playlist that is made for each session: \
            \(ProfileSetting.podMatching.rawValue) says who must match.
            """,
        "A frequency cap was reached by some sessions and not by others.",
        "Addresses are signed for each session in their paths, and the ads behind them are the same.",
        "Packagers behind one address stitch on their own and decided apart.",
        "An edge serves an earlier version of the break.",
        whereToLook: "The two lists of segments, and the packagers or edges that they came from."
    )
}

extension FindingCode {
    package static let breakAnnouncementDiffers = FindingCode(
        ("break_announcement_differs", .audience, .wrong),
        meaning: "The break at one start was announced under different identities or with different attributes.",
        rule: .hls("6.2.4", "playlists with date ranges have the same ones, with the same attributes"),
        .assumed("what holds between the playlists of a channel holds between its viewers", .allowance),
        likelyCauses:
            "An attribute carries what is one viewer's own: a session, targeting or a signature in an asset's address.",
        "Packagers of a redundant pair name the break each on their own.",
        "An identity holds a counter or a clock that differs from server to server.",
        "An edge still serves the announcement as it was before an attribute was corrected.",
        whereToLook: "The two date ranges shown, and the edges or packagers that they came from."
    )

    package static let breakAnnouncementMissing = FindingCode(
        ("break_announcement_missing", .audience, .broken),
        meaning:
            "A viewer polled through a break that was announced to others, or joined in it, and its playlists never had it.",
        rule: .hls("6.2.4", "playlists with date ranges have the same ones, with the same attributes"),
        .hls("6.2.1", "a date range stays while a date in it maps to a listed segment"),
        .assumed("what holds between the playlists of a channel holds between its viewers", .allowance),
        likelyCauses: "One packager or one variant's playlist lacks the splice.",
        "An edge that lags keeps the playlist from before the announcement until the break has left the window.",
        "A manifest manipulator drops date ranges for some sessions.",
        "The announcement leaves the playlist with the break's first segment, and late joiners are told nothing.",
        whereToLook: "The playlist URL of such a viewer beside another's: edge, variant and session."
    )

    package static let breakStartDiffers = FindingCode(
        ("break_start_differs", .audience, .broken),
        meaning: "Viewers were told different starts or durations of one break, so they leave or return apart.",
        rule: .hls("4.4.5.1", "tags of one date range give the same values"),
        .hls("6.2.4", "in all playlists that have it"),
        .assumed("times that are at most a frame apart are the same", .announcementTolerance),
        likelyCauses: "Packagers derive the start from their own clocks, not from the splice time.",
        "The break was moved after it was announced to some viewers.",
        "Variants place the splice at segment boundaries of their own.",
        whereToLook: "The two starts and durations shown: which playlist said which, and the encoder's splice."
    )

    package static let earlyReturnMissed = FindingCode(
        ("early_return_missed", .audience, .wrong),
        meaning: "A break was cut short, and a viewer was not told within 1.5 target durations of the first that was.",
        rule: .hls("6.2.1", "an update comes at most 1.5 target durations after the one before"),
        .assumed("it reaches every viewer within that time of the first", .allowance),
        likelyCauses: "An edge or a cache serves the playlist from before the early return for too long.",
        "Only some packagers or variants received the early return.",
        "The playlist's cache lifetime is longer than half a target duration.",
        whereToLook: "When the first viewer and this one saw the end of the break, and the edges that they asked."
    )
}

extension FindingCode {
    package static let edgeContentDiffers = FindingCode(
        ("edge_content_differs", .audience, .wrong),
        meaning: "Answers for one playlist disagree about the segment at one media sequence number.",
        rule: .hls("6.3.4", "a segment with the same media sequence number has the same URI"),
        .assumed("hosts and queries aside, this holds for all viewers of a playlist's address", .allowance),
        likelyCauses: """
            The playlist is made for each session: ads aimed at persons, a frequency cap, or a session or signature in the \
            paths of segments. \(ProfileSetting.podMatching.rawValue) says whose ads must match, and \(ProfileSetting.allowance.rawValue) \
            lifts the rest.
            """,
        "Packagers of a redundant pair count or name segments each on their own.",
        "A packager was restarted, and edges hold playlists from before and after.",
        "An edge is filled from another origin than the rest.",
        whereToLook:
            "The two lines shown, and which edge or origin each came from: the address that answered, its point of presence."
    )

    package static let edgeTimeTravel = FindingCode(
        ("edge_time_travel", .audience, .wrong),
        meaning: "A viewer was given an older version of a live playlist than one that it had already.",
        rule: .hls("6.2.2", "the media sequence number must not decrease"),
        .assumed("the edges behind one name are one server to a viewer, who may be one update back", .allowance),
        likelyCauses: "Requests of one viewer reach edges that lag behind each other by more than an update.",
        "A cache answers stale while it revalidates.",
        "A failed-over origin serves its own, older state.",
        whereToLook:
            "Which edges answered the two requests (address, X-Cache, Via, Age), and how old each one's copy was."
    )
}
