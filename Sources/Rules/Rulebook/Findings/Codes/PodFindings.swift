extension FindingCode {
    package static let emptyPod = FindingCode(
        ("empty_pod", .pods, .broken),
        meaning: "The pod answered with success but holds nothing to play.",
        rule: .page(
            .insertionTypes,
            "a pod manifest holds the segments of the pod",
            quotation: """
                Ads manifest is served by Google DAI, containing unique ad pod segments for the video player to switch to \
                from the content stream
                """
        ),
        .assumed("no other ad server means a viewer to switch to nothing either", .allowance),
        likelyCauses: "No ad and no slate was booked for the break, or the event fills it with the programme itself.",
        "The ad decision timed out and the packager published what it had.",
        "The pod was requested before it existed.",
        whereToLook: "The ad decision log of the break: what was booked, and whether the slate is there."
    )

    package static let podChangedOnRepeat = FindingCode(
        ("pod_changed_on_repeat", .pods, .wrong),
        meaning: "The same session asked for the same pod twice and got a different one.",
        rule: .assumed(
            "one session gets one pod for one identifier, however often it asks; no vendor says so, or otherwise",
            .podRepeats,
            .allowance
        ),
        likelyCauses: """
            Ads are aimed at persons and decided for each request: a frequency cap or a budget was used up by the first. \
            \(ProfileSetting.podRepeats.rawValue): 0 lets no viewer ask twice.
            """,
        "Addresses are signed anew in their paths for each request, and the ads behind them are the same.",
        "The ad decision is not stored with the session and is made anew.",
        "A fail-over host decided for itself.",
        "The pod was still being filled when it was asked for first.",
        whereToLook: "Where a decision is kept between two requests of one session."
    )

    package static let podUnderfilled = FindingCode(
        ("pod_underfilled", .pods, .wrong),
        meaning: "The pod is shorter than the break it fills, so viewers see nothing, or come back too early.",
        rule: .podFillsItsBreak,
        .page(
            .breakFill,
            "an event may be set to leave it so",
            quotation: "Ad break should be filled with underlying content."
        ),
        likelyCauses: "Too few ads were booked and no slate made up for it.",
        "The event fills what ads do not with the programme itself (AdBreakFillType), so a short pod is meant.",
        "Transcoded creatives are shorter than they were booked.",
        "pd was read in another unit, or not at all.",
        whereToLook: "pd in the request beside the sum of EXTINF in the pod."
    )

    package static let podOverfilled = FindingCode(
        ("pod_overfilled", .pods, .wrong),
        meaning: "The pod is longer than its break: the programme goes on without its viewers, or the last ad is cut.",
        rule: .podFillsItsBreak,
        .hls("D.2", "the duration of an interstitial's date range should be that of its assets"),
        likelyCauses: "Transcoded creatives are longer than they were booked.",
        "The ad decision does not keep to the duration that it was given.",
        "pd was read in another unit, or not at all.",
        whereToLook: """
            pd in the request beside the sum of EXTINF in the pod; of an interstitial, DURATION of the date range beside \
            those of its assets.
            """
    )

    package static let slateOnly = FindingCode(
        ("slate_only", .pods, .suspect),
        meaning: "The pod holds nothing but slate: the break is filled, and earns nothing.",
        rule: .page(
            .slates,
            "slate stands in for ads that are missing",
            quotation: """
                Slates are content that can be served when there are gaps in a live stream ad break that cannot be filled \
                with a dynamically-served ad.
                """
        ),
        .assumed("what is slate says so in its address or its signalling's id, where metadata do not", .slate),
        likelyCauses: "No ad was booked, or none that this audience may see.",
        "The ad decision timed out, or began too late to be ready at the break.",
        "Creatives were still being transcoded.",
        whereToLook: "The ad decision log of the break: what was asked for, and why nothing was chosen."
    )

    package static let stalePod = FindingCode(
        ("stale_pod", .pods, .wrong),
        meaning: "A break was answered with the pod of the break before it, under the new identifier.",
        rule: .onePodForEachBreak,
        .assumed("a pod whose addresses name an earlier break is that break's", .allowance),
        likelyCauses: "A cache in front of the ad server ignores the identifier in its key.",
        "The decision service answers with its last decision while a new one is not ready.",
        "A manifest manipulator writes a new name over an old pod.",
        whereToLook: "The URIs in the body: which identifier and which decision do they name?"
    )

    package static let podRenditionMismatch = FindingCode(
        ("pod_rendition_mismatch", .pods, .wrong),
        meaning: """
            Renditions of a pod differ in how long they are, or in where one ad ends and the next begins: who switches \
            loses the place.
            """,
        rule: .hls(
            "6.2.4",
            "content that matches has matching timestamps and discontinuity numbers, whatever segments it is cut into"
        ),
        .assumed("500 ms more or less still match", .allowance),
        likelyCauses: "A creative was not transcoded to every profile.",
        "The transcodes of one creative differ in length, as by a trimmed beginning or end.",
        "The decision was made for each rendition by itself.",
        whereToLook: """
            Two playlists of the pod side by side: the sum of EXTINF, of all and up to each EXT-X-DISCONTINUITY.
            """
    )

    package static let podPartUnreachable = FindingCode(
        ("pod_part_unreachable", .pods, .wrong),
        meaning: "A playlist or segment that the pod itself lists cannot be loaded.",
        rule: .hls("6.2.1", "a segment can be downloaded at once when it is added to a playlist"),
        .hls("4.4.6.2", "the URI of a variant is that of a media playlist"),
        likelyCauses: "The creative was not yet copied to the host that serves it.",
        "The URI lacks what the host asks for, as a session or a token.",
        "The host that serves creatives is overloaded or down.",
        whereToLook: "The URL shown, asked for again, and the log of the host that serves it."
    )

    package static let podUnavailable = FindingCode(
        ("pod_unavailable", .pods, .broken),
        meaning: """
            A break's pod manifest or asset list was never given (5xx, 429, a timeout, a reset or a refused connection), \
            so its ads are lost.
            """,
        rule: .rfc(9110, "15.6", "5xx says that the server has failed, and not the client"),
        .rfc(6585, "4", "429 says that there were too many requests in a given time"),
        .page(
            .backupStreams,
            "both are the ad server's failure, for which a player falls back",
            quotation: """
                When you see an HTTP 429 or HTTP 5XX errors, you should fall back to the raw backup stream, without \
                monetization.
                """
        ),
        .hls("D.5", "an asset list that is answered with an error cancels its interstitial"),
        likelyCauses: "The ad server, or what it asks for decisions, does not bear all viewers of a break at once.",
        "A rate limit counts the burst of a break, or a proxy shared by all viewers, as abuse.",
        "Connections, ports or TLS handshakes run out in the burst.",
        "There is no fail-over host, or it is asked in vain as well.",
        whereToLook: """
            The break's burst of requests per 100 ms beside the ad server's error rate, and whether the answers to \
            repeated requests were better.
            """
    )
}

extension FindingCode {
    package static let breakIdentifierSplit = FindingCode(
        ("break_identifier_split", .pods, .broken),
        meaning: "Viewers of one break asked for different pod identifiers, so they were shown different pods.",
        rule: .onePodForEachBreak,
        .page(
            .podTokens,
            "the token of a pod request, which signs its identifier, is one for all sessions",
            quotation: "This token can be calculated once per ad break and shared across all stream sessions."
        ),
        .assumed(
            "names that were made of starts at most a frame apart are one, whatever rounding made of them",
            .announcementTolerance
        ),
        likelyCauses:
            "Packagers tell different starts of one break, and the identifier is made of the start; where the player "
            + "makes it of the date range's ID, so does podswarm with breaks.identifierTemplate and {id} in it.",
        "The player names the pod after its own clock, for example the minute of the click, not after the break.",
        "Clocks of viewers disagree around a rounding boundary.",
        "Some viewers saw another announcement of the break, from another variant or a stale edge cache.",
        whereToLook: "The shares shown: who asked for which identifier, and what the player derives it from."
    )

    package static let breakIdentifierReused = FindingCode(
        ("break_identifier_reused", .pods, .broken),
        meaning: "Two breaks had one pod identifier, so the second shows the ads of the first or none.",
        rule: .onePodForEachBreak,
        likelyCauses: "The identifier is made of something that comes round again, as the minute of the hour.",
        "A counter began anew when the encoder or the manifest manipulator started again.",
        "Two announcements of one break differ in their start, so that they look like two.",
        whereToLook: "The two breaks shown: where their identifier comes from, and what it is made of."
    )

    package static let breakIdentifierSkipped = FindingCode(
        ("break_identifier_skipped", .pods, .suspect),
        meaning: "Numbered pods leave numbers out: pods in between were decided, or announced, in vain.",
        rule: .assumed(
            "the numbers of pods in a sequence grow by one with each break; other numbers of a vendor are not documented",
            .allowance
        ),
        likelyCauses: "A break was created twice, or cancelled after its number was given out.",
        "Some announcement never reached viewers: a lost cue, a stale edge, a variant without it.",
        "The number counts something else than breaks, as minutes.",
        whereToLook: "The breaks of the event between the two numbers, on the ad side and in the signalling."
    )

    package static let breakIdentifierBackwards = FindingCode(
        ("break_identifier_backwards", .pods, .wrong),
        meaning: "A numbered pod has a smaller number than that of an earlier break.",
        rule: .assumed(
            "the numbers of pods in a sequence grow by one with each break; other numbers of a vendor are not documented",
            .allowance
        ),
        likelyCauses: "A counter began anew after a restart or a fail-over.",
        "Two manifest manipulators count for themselves.",
        "A cache serves an announcement of an earlier break.",
        whereToLook: "The counter: who keeps it, and what becomes of it at a restart."
    )
}

extension FindingCode {
    package static let assetListEmpty = FindingCode(
        ("asset_list_empty", .pods, .suspect),
        meaning: "An asset list answered with success and holds no assets, so the interstitial is cancelled.",
        rule: .hls("D.5", "a list without assets plays nothing"),
        likelyCauses: "No ad was booked for the break, and no slate.",
        "The ad decision timed out and the answer was made of nothing.",
        "Targeting or consent parameters were lost on the way.",
        whereToLook: "The request as the ad server saw it, and its decision."
    )

    package static let assetListInvalid = FindingCode(
        ("asset_list_invalid", .pods, .broken),
        meaning: "An asset list answered with success, but no player can read it.",
        rule: .hls("D.2", "an asset list is a JSON object with an array ASSETS, each entry of which has a URI"),
        likelyCauses: "An error page with status 200, from a gateway or the CDN.",
        "The body was cut off, or is VAST or VMAP instead of JSON.",
        "ASSETS is missing, or an entry of it has no URI.",
        whereToLook: "The body that the URL answers with, and who sent it.",
        fault: "asset_list_garbage"
    )

    package static let assetDurationMissing = FindingCode(
        ("asset_duration_missing", .pods, .wrong),
        meaning: """
            An asset has no DURATION that is a JSON number: players cannot tell how long the interstitial is, and Media3 \
            leaves the asset out.
            """,
        rule: .hls("D.2", "each entry of ASSETS has a DURATION, a number of seconds"),
        likelyCauses: "The number stands in quotation marks: \"DURATION\":\"6\" for \"DURATION\":6.",
        "The ad server answered without the length of the creative.",
        "The duration was written as text that is not a number of seconds, as 00:00:30.",
        "The field is spelt otherwise, as Duration.",
        whereToLook: "The entries of ASSETS in the body."
    )

    package static let assetInvalid = FindingCode(
        ("asset_invalid", .pods, .wrong),
        meaning: """
            An asset of an interstitial has a relative address, or is not a recording: some players play it, others leave \
            it out.
            """,
        rule: .hls("D.2", "the URI of each entry of ASSETS is absolute"),
        .hls("D.1", "the assets of interstitials are VOD"),
        likelyCauses: "The list was written for a player that resolves addresses against the list's own.",
        "The creative's playlist lacks EXT-X-ENDLIST, because it is still being transcoded or its end was cut off.",
        "The address is that of a live channel.",
        whereToLook: "URI in the body of the list, and the last line of the asset's media playlists."
    )

    package static let assetDurationWrong = FindingCode(
        ("asset_duration_wrong", .pods, .wrong),
        meaning: "An asset is longer or shorter than the DURATION that its list promises.",
        rule: .hls("D.2", "DURATION is the duration of the asset in seconds"),
        .assumed("it may be 100 ms off", .podTolerance),
        likelyCauses: "The list carries the booked length, not that of the transcoded creative.",
        "DURATION was written in milliseconds.",
        "The asset was exchanged while the list stood in a cache.",
        whereToLook: "DURATION in the list beside the sum of EXTINF in the asset's playlists."
    )

    package static let podNotFound = FindingCode(
        ("pod_not_found", .pods, .broken),
        meaning: "A pod or asset list was not found, and was not until the break was over.",
        rule: .hls("D.5", "an error to a request for an asset or a list cancels the interstitial or skips the asset"),
        .assumed("what a break tells viewers to ask for is there when they may ask for it", .allowance),
        likelyCauses: "The identifier is not one that the ad server knows, or its event has ended.",
        "The break was announced to viewers before, or without, being created on the ad side.",
        "A route is missing on the host that viewers ask.",
        whereToLook: "The ad server's log for the URL: what is unknown to it, the event, the session or the identifier?"
    )

    package static let podNotFoundHealed = FindingCode(
        ("pod_not_found_healed", .pods, .suspect),
        meaning: "A pod, its playlist or an asset list was not found at first, and was there later.",
        rule: .hls("D.5", "an error to a request for an asset or a list cancels the interstitial or skips the asset"),
        .assumed("what a break tells viewers to ask for is there when they may ask for it", .allowance),
        likelyCauses: "The announcement overtakes the ad decision or its replication.",
        "Edges learn of a new pod one after another.",
        "The viewers that came first asked before anything was decided.",
        whereToLook: "When the break was created, when it was announced, and when the first request came."
    )

    package static let podNotFoundCached = FindingCode(
        ("pod_not_found_cached", .pods, .wrong),
        meaning: "A cache answers that a pod is not found although it is there, or keeps that answer for all who ask.",
        rule: .rfc(9110, "15.5.5", "a 404 may be cached unless the answer says otherwise"),
        .rfc(9111, "4.2.2", "for as long as a cache thinks best where the answer does not say how long"),
        likelyCauses: "The CDN caches error answers for some seconds (negative caching).",
        "The origin sends 404 without Cache-Control: no-store.",
        "One edge missed the publication of the pod.",
        whereToLook: "Age, X-Cache and Cache-Control of the 404, and the negative caching of the CDN."
    )
}
