// Asset lists and their assets, and missing pods and lists.
extension FindingCode {
    package static let assetListEmpty = FindingCode(
        ("asset_list_empty", .pods, .suspect),
        meaning: "An asset list answered with success and holds no assets, so the interstitial is cancelled.",
        rule: .hls("D.5", "a list without assets plays nothing"),
        likelyCauses: "No ad was booked for the break, and no slate.",
        "The ad decision timed out and the answer was made of nothing.",
        "Targeting or consent parameters were lost on the way.",
        whereToLook: "The request as the ad server saw it, and what its decision came to."
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
            An asset has no DURATION that players read as a number, so they cannot tell how long the interstitial is.
            """,
        rule: .hls("D.2", "each entry of ASSETS has a DURATION, a number of seconds"),
        .assumed("a number in quotes is let pass, for players read it", .allowance),
        likelyCauses: "The ad server answered without the length of the creative.",
        "The duration was written as text that is no number of seconds, as 00:00:30.",
        "The field is spelt otherwise, as Duration.",
        whereToLook: "The entries of ASSETS in the body."
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
