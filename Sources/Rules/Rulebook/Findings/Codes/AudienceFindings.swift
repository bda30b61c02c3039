/// Differences between viewers' pods, asset lists and sessions.
enum AudienceFindings {
    static let rows: [FindingCode] = [
        assetListMismatch,
        foreignStreamID,
        podLadderDiffers,
        podMismatch,
        stitchedMismatch,
    ]

    static let assetListMismatch = FindingCode(
        "asset_list_mismatch",
        .audience,
        .broken,
        meaning: "Sessions that must match got different asset lists for the same interstitial.",
        rule: .hls("D.2", "X-CONTENT-MAY-VARY=NO means that all players get the same content")
            .and(.assumed("this is held against viewers who are meant to match", .podMatching)),
        likelyCauses: [
            """
            The list is aimed at persons or groups although X-CONTENT-MAY-VARY=NO stands in the tag: \
            \(ProfileSetting.podMatching.rawValue) says who must match.
            """,
            "A frequency cap was reached by some sessions and not by others.",
            "Addresses are signed for each session in their paths, and the ads behind them are the same.",
            "Servers behind one name decide independently of each other.",
            "A cache keeps the list of an earlier decision on some of its nodes.",
        ],
        whereToLook: "The two lists below, without what is a viewer's own: which servers answered, and when."
    )

    static let foreignStreamID = FindingCode(
        "foreign_stream_id",
        .audience,
        .broken,
        meaning: "An answer carries a session that this run was given for another viewer.",
        rule: .page(
            .podServing,
            "a stream id is one viewer's",
            quotation: "Retrieve the unique user session ID from the stream registration response."
        )
        .and(.rfc(9111, "2", "a cache's key holds at least the method and the whole address"))
        .and(.assumed("a cookie with session in its name is one viewer's", .sessionCookies)),
        likelyCauses: [
            "A cache in front of the ad server ignores stream_id in its key.",
            "A personalised body is marked cacheable for everyone.",
            "The manifest manipulator mixes up concurrent sessions.",
        ],
        whereToLook: """
            The cache key of whatever stands between viewers and the ad server: is the session in it? The leak itself is \
            proved: another viewer of this run was given that session. An id that only looks like one is never taken for it.
            """
    )

    static let podLadderDiffers = FindingCode(
        "pod_ladder_differs",
        .audience,
        .wrong,
        meaning:
            "The pod of one identifier offers some viewers other renditions than most: sizes, frame rates or codecs.",
        rule: .assumed(
            "whoever the ads are aimed at, everybody is offered the same renditions of one pod",
            .ladderMatching
        ),
        likelyCauses: [
            """
            Manifests are made for classes of devices, with renditions left out: then it is meant, and \
            \(ProfileSetting.ladderMatching.rawValue) says who must match.
            """,
            "A creative was transcoded into fewer renditions than the channel has, or not all of them are ready.",
            "Origins behind one name have different encoding profiles.",
        ],
        whereToLook: "The two lists of renditions below beside the channel's own, and the creatives of the pod."
    )

    static let podMismatch = FindingCode(
        "pod_mismatch",
        .audience,
        .broken,
        meaning: "Sessions that must match got different pods for the same identifier.",
        rule: .assumed(
            "viewers who are meant to match get one pod for one identifier, which no vendor promises",
            .podMatching
        )
        .and(
            .page(
                .insertionTypes,
                "a pod may well be one viewer's own",
                quotation:
                    "embedding Google DAI ad segment URLs which redirect to unique Google DAI ad segments per user"
            )
        ),
        likelyCauses: [
            """
            Pods are aimed at persons or groups, by targeting, consent, region or device: \
            \(ProfileSetting.podMatching.rawValue) says who must match.
            """,
            "A frequency cap was reached by some sessions and not by others.",
            "Addresses are signed for each session in their paths, and the ads behind them are the same.",
            "Servers behind one name decide independently of each other.",
            "An edge cache serves the pod of another identifier.",
        ],
        whereToLook: """
            The difference between the pods below, the share of viewers that was given each, and which servers answered, when.
            """
    )

    static let stitchedMismatch = FindingCode(
        "stitched_mismatch",
        .audience,
        .wrong,
        meaning: "Viewers of one stitched break were given different ad segments.",
        rule: .assumed("viewers who are meant to match are given the same ads", .podMatching)
            .and(
                .page(
                    .personalisedManifests,
                    "a playlist may well be one viewer's own",
                    quotation: """
                        for each viewer, which is used to deliver ad placements that are personalized to the individual
                        """
                )
            ),
        likelyCauses: [
            """
            Ads are aimed at persons or groups, in a playlist that is made for each session: \
            \(ProfileSetting.podMatching.rawValue) says who must match.
            """,
            "A frequency cap was reached by some sessions and not by others.",
            "Addresses are signed for each session in their paths, and the ads behind them are the same.",
            "Packagers behind one address stitch on their own and decided apart.",
            "An edge serves an earlier version of the break.",
        ],
        whereToLook: "The two lists of segments, and the packagers or edges that they came from."
    )
}
