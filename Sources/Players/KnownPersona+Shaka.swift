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
                usesRenditionReports: false,
                retryWait: .milliseconds(100)
            ),
            start: StartFacts(point: .holdBackThenSegments),
            interstitials: InterstitialFacts(trigger: .playhead(.seconds(10)), preload: .rangeStart),
            requests: RequestFacts(all: retried),
            pathways: PathwayFacts(penalty: .seconds(60)),
            outage: OutageFacts(
                leavesLast: .all,
                penalty: .seconds(30),
                pause: .milliseconds(100),
                freshPause: .milliseconds(1_100),
                noChannel: .stop,
                segment: .askOn,
                segmentPause: .milliseconds(1_100)
            ),
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
            "lowLatency.retryWait":
                "Shaka 5.2.7 lib/util/player_configuration.js:509-531 createDefaultForLL: baseDelay 100 (ms)",
            "outage": "Shaka 5.2.7 lib/hls/hls_parser.js:546-551; lib/player.js:8942-9009 disableStream",
            "outage.penalty": "Shaka 5.2.7 lib/util/player_configuration.js:220 maxDisabledTime: 30",
            "outage.pause": "Shaka 5.2.7 lib/hls/hls_parser.js:5523-5528: again after 0.1 s",
            "outage.freshPause": again,
            "outage.noChannel": "Shaka 5.2.7 lib/hls/hls_parser.js:5452: load() rejects, and nothing asks again",
            "outage.segment": again,
            "outage.segmentPause": again,
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

    private static let again =
        "Shaka 5.2.7 lib/media/streaming_engine.js:3266 backs off, about 1 s; lib/player.js:7812-7836: then 0.1 s"

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
