/// What several viewers were given differently.
enum AudienceFindings {
    static let rows: [FindingCode] = [
        assetListMismatch,
        foreignStreamID,
        podMismatch,
        stitchedMismatch,
    ]

    static let assetListMismatch = FindingCode(
        "asset_list_mismatch",
        .audience,
        .broken,
        meaning: "Sessions that must match got different asset lists for the same interstitial.",
        rule: "HLS (rfc8216bis) appendix D.2: X-CONTENT-MAY-VARY=NO means that every viewer gets equal content",
        likelyCauses: [
            "The ad decision is made for each session although the sessions' targeting is equal.",
            "Servers behind one name decide independently of each other.",
            "A cache keeps the list of an earlier decision on some of its nodes.",
        ],
        whereToLook: "The two lists below, without what is a viewer's own: which servers answered, and when."
    )

    static let foreignStreamID = FindingCode(
        "foreign_stream_id",
        .audience,
        .broken,
        meaning: "A body carries the stream id of another viewer's session.",
        rule: "A stream id names one session; RFC 9111 section 3: a shared cache keys and stores per request",
        likelyCauses: [
            "A cache in front of the ad server ignores stream_id in its key.",
            "A personalised body is marked cacheable for everyone.",
            "The manifest manipulator mixes up concurrent sessions.",
        ],
        whereToLook: "The cache key of whatever stands between viewers and the ad server: is stream_id in it?"
    )

    static let podMismatch = FindingCode(
        "pod_mismatch",
        .audience,
        .broken,
        meaning: "Sessions that must match got different pods for the same identifier.",
        rule: "Google Ad Manager, pod serving: equal targeting and an equal identifier give an equal pod",
        likelyCauses: [
            "Servers behind one name decide independently of each other.",
            "An edge cache serves the pod of another identifier.",
            "Personalisation was on although the sessions' targeting is equal.",
        ],
        whereToLook: "The two fingerprints below: which servers answered, and when."
    )

    static let stitchedMismatch = FindingCode(
        "stitched_mismatch",
        .audience,
        .wrong,
        meaning: "Viewers of one stitched break were given different ad segments.",
        rule: "HLS (rfc8216bis) section 6.2.1: every client that loads a playlist at one time sees the same segments",
        likelyCauses: [
            "The ad decision is made for each session where one for the whole channel was asked for.",
            "Packagers behind one address stitch on their own and decided apart.",
            "An edge serves an earlier version of the break.",
        ],
        whereToLook: "The two lists of segments, and the packagers or edges that they came from."
    )
}
