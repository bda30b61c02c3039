extension KnownPersona {
    /// Shaka Player 5.2, the first to resolve asset lists ahead of the playhead instead of at discovery.
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
                sortsParameters: false,
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
            )
        ),
        summary: "Shaka Player 5.2.7.",
        sources: [
            "reload": .read("Shaka 5.2.7 lib/hls/hls_parser.js:3936 determineLastTargetDuration_, onUpdate_"),
            "lowLatency": .read("Shaka 5.2.7 lib/hls/hls_parser.js:507-541 updateStream_: skip without an age test"),
            "lowLatency.hints": .read("Shaka 5.2.7 lib/hls/hls_parser.js:4265"),
            "lowLatency.sortsParameters": .read("Shaka 5.2.7 lib/util/url.js setRawParams_"),
            "lowLatency.renditionReports": .read("Shaka 5.2.7 lib: no EXT-X-RENDITION-REPORT"),
            "lowLatency.retriesWithoutDirectives": .assumed("nothing found in Shaka 5.2.7 lib/hls/hls_parser.js"),
            "lowLatency.retryWait":
                .read("Shaka 5.2.7 lib/util/player_configuration.js:509-531 createDefaultForLL: baseDelay 100 (ms)"),
            "start":
                .read("Shaka 5.2.7 lib/hls/hls_parser.js; lib/util/player_configuration.js:159 liveSegmentsDelay: 3"),
            "interstitials": .read("Shaka 5.2.7 lib/ads/interstitial_ad_manager.js:2080, :2272"),
            "interstitials.lead":
                .read("Shaka 5.2.7 lib/util/player_configuration.js:404 interstitialPreloadAheadTime: 10"),
            "interstitials.beacons": .read("Shaka 5.2.7 lib/ads/svta_ad_manager.js"),
            "outage": .read("Shaka 5.2.7 lib/hls/hls_parser.js:546-551; lib/player.js:8942-9009 disableStream"),
            "outage.penalty": .read("Shaka 5.2.7 lib/util/player_configuration.js:220 maxDisabledTime: 30"),
            "outage.pause": .read("Shaka 5.2.7 lib/hls/hls_parser.js:5523-5528: again after 0.1 s"),
            "outage.freshPause outage.segment outage.segmentPause":
                .read(
                    "Shaka 5.2.7 lib/media/streaming_engine.js:3266: about 1 s; lib/player.js:7812-7836: then 0.1 s"
                ),
            "outage.noChannel": .read("Shaka 5.2.7 lib/hls/hls_parser.js:5452: load() rejects, and nothing asks again"),
            "multivariant playlist segment assetList asset steering":
                .read("Shaka 5.2.7 lib/net/backoff.js defaultRetryParameters: 2 attempts, 1 s +-50 %; 10 s, 30 s"),
            "pathways": .read("Shaka 5.2.7 lib/util/content_steering_manager.js:226 banLocation: 60 s"),
            "maximumDownloads": .assumed("the browser's pool; RFC 8216 section 10"),
        ]
    )

    /// `connectionTimeout` lasts until the headers arrive; the stall timeout of 5 s between bytes is not modelled.
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
