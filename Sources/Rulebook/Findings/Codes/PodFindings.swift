/// What is wrong with a pod.
enum PodFindings {
    static let rows: [FindingCode] = [
        emptyPod,
        podChangedOnRepeat,
        podUnderfilled,
        podOverfilled,
        slateOnly,
        stalePod,
        podRenditionMismatch,
        podPartUnreachable,
        podUnavailable,
    ]

    static let emptyPod = FindingCode(
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

    static let podChangedOnRepeat = FindingCode(
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

    private static let durationRule =
        "Google Ad Manager, pod serving: pd is the duration of the pod in milliseconds; how far it may be off is "
        + "podswarm's assumption: pods.durationTolerance, and pods.adTolerance for each ad, a frame at 24 a second"

    static let podUnderfilled = FindingCode(
        "pod_underfilled",
        .pods,
        .wrong,
        meaning: "The pod is shorter than the break it fills, so viewers see nothing, or come back too early.",
        rule: durationRule,
        likelyCauses: [
            "Too few ads were booked and no slate made up for it.",
            "Transcoded creatives are shorter than they were booked.",
            "pd was read in another unit, or not at all.",
        ],
        whereToLook: "pd in the request beside the sum of EXTINF in the pod."
    )

    static let podOverfilled = FindingCode(
        "pod_overfilled",
        .pods,
        .wrong,
        meaning: "The pod is longer than its break: the programme goes on without its viewers, or the last ad is cut.",
        rule: durationRule,
        likelyCauses: [
            "Transcoded creatives are longer than they were booked.",
            "The ad decision does not keep to the duration that it was given.",
            "pd was read in another unit, or not at all.",
        ],
        whereToLook: "pd in the request beside the sum of EXTINF in the pod."
    )

    static let slateOnly = FindingCode(
        "slate_only",
        .pods,
        .suspect,
        meaning: "The pod holds nothing but slate: the break is filled, and earns nothing.",
        rule: "Google Ad Manager, pod serving: what no ad fills is filled with slate",
        likelyCauses: [
            "No ad was booked, or none that this audience may see.",
            "The ad decision timed out, or began too late to be ready at the break.",
            "Creatives were still being transcoded.",
        ],
        whereToLook: "The ad decision log of the break: what was asked for, and why nothing was chosen."
    )

    static let stalePod = FindingCode(
        "stale_pod",
        .pods,
        .wrong,
        meaning: "A break was answered with the pod of the break before it, under the new identifier.",
        rule: "Google Ad Manager, pod serving: an identifier that was never seen before is a break of its own",
        likelyCauses: [
            "A cache in front of the ad server ignores the identifier in its key.",
            "The decision service answers with its last decision while a new one is not ready.",
            "A manifest manipulator writes a new name over an old pod.",
        ],
        whereToLook: "The URIs in the body: which identifier and which decision do they name?"
    )

    static let podRenditionMismatch = FindingCode(
        "pod_rendition_mismatch",
        .pods,
        .wrong,
        meaning: """
            Renditions of a pod differ in how long they are, or in where one ad ends and the next begins: who switches \
            loses the place.
            """,
        rule: """
            HLS (rfc8216bis) section 6.2.4: content that matches has matching timestamps and discontinuity sequence \
            numbers, whatever segments it is cut into; that 500 ms more or less still match is podswarm's assumption \
            (`pods.consistency: per-session` compares no renditions)
            """,
        likelyCauses: [
            "A creative was not transcoded to every profile.",
            "The transcodes of one creative differ in length, as by a trimmed beginning or end.",
            "The decision was made for each rendition by itself.",
        ],
        whereToLook: """
            Two playlists of the pod side by side: the sum of EXTINF, of all and up to each EXT-X-DISCONTINUITY.
            """
    )

    static let podPartUnreachable = FindingCode(
        "pod_part_unreachable",
        .pods,
        .wrong,
        meaning: "A playlist or segment that the pod itself lists cannot be loaded.",
        rule: "RFC 8216 section 6.2.1: what a playlist lists is available to clients",
        likelyCauses: [
            "The creative was not yet copied to the host that serves it.",
            "The URI lacks what the host asks for, as a session or a token.",
            "The host that serves creatives is overloaded or down.",
        ],
        whereToLook: "The URL below, asked for again, and the log of the host that serves it."
    )

    static let podUnavailable = FindingCode(
        "pod_unavailable",
        .pods,
        .broken,
        meaning: """
            A break's pod manifest or asset list was never given (5xx, 429, a timeout, a reset or a refused connection), \
            so its ads are lost.
            """,
        rule: """
            Google Ad Manager, pod serving: 429 and 5xx are a host's failure, to be met by asking again; RFC 9110 \
            section 15.6; RFC 6585 section 4
            """,
        likelyCauses: [
            "The ad server, or what it asks for decisions, does not bear all viewers of a break at once.",
            "A rate limit counts the burst of a break, or a proxy shared by all viewers, as abuse.",
            "Connections, ports or TLS handshakes run out in the burst.",
            "There is no fail-over host, or it is asked in vain as well.",
        ],
        whereToLook: """
            The break's burst of requests per 100 ms beside the ad server's error rate, and whether the answers to \
            repeated requests were better.
            """
    )
}
