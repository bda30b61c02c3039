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
                sortsParameters: false
            ),
            start: StartFacts(point: .holdBackThenSegments),
            interstitials: InterstitialFacts(trigger: .playhead(.seconds(10)), preload: .rangeStart),
            requests: RequestFacts(all: retried),
            pathways: PathwayFacts(penalty: .seconds(60)),
            unconfirmed: ["lowLatency.retriesWithoutDirectives", "maximumDownloads"]
        ),
        summary: "Shaka Player 5.2.7.",
        sources: [
            "reload": .read("Shaka 5.2.7 lib/hls/hls_parser.js:3936 determineLastTargetDuration_, onUpdate_"),
            "lowLatency": .read("Shaka 5.2.7 lib/hls/hls_parser.js:507-541 updateStream_: skip without an age test"),
            "lowLatency.hints": .read("Shaka 5.2.7 lib/hls/hls_parser.js:4265"),
            "lowLatency.sortsParameters": .read("Shaka 5.2.7 lib/util/url.js setRawParams_"),
            "lowLatency.renditionReports": .read("Shaka 5.2.7 lib: no EXT-X-RENDITION-REPORT"),
            "lowLatency.retriesWithoutDirectives": .assumed("nothing found in Shaka 5.2.7 lib/hls/hls_parser.js"),
            "start":
                .read("Shaka 5.2.7 lib/hls/hls_parser.js; lib/util/player_configuration.js:159 liveSegmentsDelay: 3"),
            "interstitials": .read("Shaka 5.2.7 lib/ads/interstitial_ad_manager.js:2080, :2272"),
            "interstitials.lead":
                .read("Shaka 5.2.7 lib/util/player_configuration.js:404 interstitialPreloadAheadTime: 10"),
            "interstitials.beacons": .read("Shaka 5.2.7 lib/ads/svta_ad_manager.js"),
            "multivariant": backoff,
            "playlist": backoff,
            "segment": backoff,
            "assetList": backoff,
            "asset": backoff,
            "steering": backoff,
            "pathways": .read("Shaka 5.2.7 lib/util/content_steering_manager.js:226 banLocation: 60 s"),
            "maximumDownloads": .assumed("the browser's pool; RFC 8216 section 10"),
        ]
    )

    private static let backoff =
        PersonaSource.read("Shaka 5.2.7 lib/net/backoff.js defaultRetryParameters: 2 attempts, 1 s +-50 %; 10 s, 30 s")

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
