extension KnownPersona {
    /// Shaka Player 5.2, since asset lists are resolved ahead of the playhead and not at discovery.
    package static let shaka = KnownPersona(
        persona: Persona(
            name: "shaka",
            reload: ReloadFacts(
                afterChange: .lastSegment,
                unchanged: .lastSegment,
                clock: .smoothedCompletion,
                loadsRenditionsTogether: true
            ),
            lowLatency: LowLatencyFacts(
                blocking: .always,
                skip: .always,
                skipsDateRanges: true,
                retriesWithoutDirectives: false,
                loadsHints: true,
                usesRenditionReports: false
            ),
            start: StartFacts(point: .holdBackThenSegments),
            interstitials: InterstitialFacts(trigger: .playhead(.seconds(10)), preload: .rangeStart),
            requests: RequestFacts(all: retried),
            pathways: PathwayFacts(penalty: .seconds(60)),
            unconfirmed: [
                "lowLatency.retriesWithoutDirectives", "lowLatency.hints", "lowLatency.renditionReports",
                "maximumDownloads",
            ]
        ),
        summary: "Shaka Player 5.2.",
        sources: [
            "reload": "Shaka lib/hls/hls_parser.js determineLastTargetDuration_, onUpdate_",
            "lowLatency":
                "Shaka lib/hls/hls_parser.js (msn and part where the server allows; skip without an age test)",
            "start": "Shaka lib/hls/hls_parser.js; liveSegmentsDelay: 3",
            "interstitials": "Shaka lib/ads/interstitial_ad_manager.js shouldResolveAssetListNow_",
            "interstitials.lead": "Shaka lib/util/player_configuration.js interstitialPreloadAheadTime: 10",
            "interstitials.beacons": "Shaka lib/ads/svta_ad_manager.js",
            "multivariant": backoff,
            "playlist": backoff,
            "segment": backoff,
            "assetList": backoff,
            "asset": backoff,
            "steering": backoff,
            "pathways": "Shaka lib/util/content_steering_manager.js banLocation: 60 s",
            "maximumDownloads": "the browser's pool; RFC 8216 section 10",
        ]
    )

    private static let backoff =
        "Shaka lib/net/backoff.js defaultRetryParameters: 2 attempts, 1 s, fuzz 0.5; connectionTimeout 10 s, timeout 30 s"

    /// `connectionTimeout` lasts until the headers are there; the stall timeout of 5 s between bytes is not modelled.
    private static var retried: RequestRule {
        let rule = RetryRule(retries: 1, firstWait: .seconds(1), longestWait: .seconds(60), fuzz: 0.5)
        return RequestRule(
            connect: .seconds(10),
            firstByte: .seconds(10),
            total: .seconds(30),
            afterTimeout: rule,
            afterError: rule,
            retriesClientErrors: true
        )
    }
}
