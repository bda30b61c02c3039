extension PersonaSource {
    fileprivate static func hlsjs(_ place: String) -> PersonaSource { .read("hls.js 1.7.1 \(place)") }
    fileprivate static func shaka(_ place: String) -> PersonaSource { .read("Shaka 5.2.7 \(place)") }
    fileprivate static func vhs(_ place: String) -> PersonaSource { .read("VHS 3.17.4 \(place)") }
}

extension KnownPersona {
    package static let hlsjs = KnownPersona(
        persona: Persona(
            name: "hlsjs",
            reload: ReloadFacts(afterChange: .shorterNearEdge, unchanged: .halfTarget, clock: .loadStart),
            lowLatency: LowLatencyFacts(
                blocking: .afterAdvance,
                skip: .whenYoung,
                skipsDateRanges: true,
                dropsDirectivesAfterTargets: 3,
                loadsHints: false,
                usesRenditionReports: true,
                sortsParameters: false,
                tuneInTargets: 1.5
            ),
            start: StartFacts(point: .holdBack),
            interstitials: InterstitialFacts(
                trigger: .bufferedOrEdge(lookAhead: .seconds(10)),
                preload: .ignored,
                resolvesAssets: false,
                sendsBeacons: false
            ),
            requests: RequestFacts(
                multivariant: policy(firstByte: 20, total: 20, timeouts: 2, errors: 1),
                playlist: policy(firstByte: 10, total: 20, timeouts: 2, errors: 2, whateverFailed: true),
                segment: policy(firstByte: 10, total: 120, timeouts: 4, errors: 6),
                assetList: policy(firstByte: 10, total: 30, timeouts: 0, errors: 0),
                asset: policy(firstByte: 20, total: 20, timeouts: 2, errors: 1),
                steering: policy(firstByte: 10, total: 20, timeouts: 2, errors: 1)
            ),
            pathways: PathwayFacts(penalty: .seconds(300)),
            outage: OutageFacts(
                leavesFirst: [.noAnswer, .clientError, .unreadable],
                leavesLast: [.timeout, .serverError, .otherStatus],
                noneLeft: .stop,
                noChannel: .stop
            ),
            isInBrowser: true
        ),
        summary: "hls.js 1.7 with its default configuration.",
        sources: [
            "reload":
                .measured("hls.js 1.6.15, 1.7.1 and 1.7.3: of segments of 2 s, 2.000 s after news, 1.000 s without"),
            "reload.afterChange": .hlsjs("src/utils/level-helper.ts:521 computeReloadInterval"),
            "reload.renditionsTogether": .hlsjs("src/controller/base-playlist-controller.ts: a timer each"),
            "reload.stuckAfter": .hlsjs("src/config.ts:474 liveMaxUnchangedPlaylistRefresh: Infinity"),
            "lowLatency": .measured("hls.js 1.6.15, 1.7.1 and 1.7.3: msn, part, skip=v2, one part after the other"),
            "lowLatency.skip": .hlsjs("src/types/level.ts:71 getSkipValue"),
            "lowLatency.dropsDirectivesAfter": .hlsjs("src/controller/base-playlist-controller.ts:346"),
            "lowLatency.retriesWithoutDirectives":
                .hlsjs("src/controller/base-playlist-controller.ts:425, :395; timeouts, lost deltas"),
            "lowLatency.renditionReports": .hlsjs("src/controller/base-playlist-controller.ts:94"),
            "lowLatency.tuneInTargets": .hlsjs("src/controller/base-playlist-controller.ts:290"),
            "start": .hlsjs("src/controller/latency-controller.ts:49; src/config.ts:471 liveSyncDurationCount"),
            "interstitials": .measured("hls.js 1.6.15 and 1.7.1: in the poll in which the break is 10 s past the edge"),
            "interstitials.startOffset": .hlsjs("src/controller/interstitials-controller.ts:2373"),
            "interstitials.preload": .hlsjs("src: no com.apple.hls.preload"),
            "interstitials.dates": .hlsjs("src/loader/m3u8-parser.ts:848 mapDateRanges; src/loader/date-range.ts:128"),
            "interstitials.textDurations":
                .read("hls.js src/controller/interstitials-controller.ts onAssetListLoaded: parseFloat(DURATION)"),
            "interstitials.relativeAssets":
                .read("hls.js src/controller/interstitial-player.ts loadSource: against the page"),
            "interstitials.incompleteAssets":
                .assumed("hls.js 1.7.1 onAssetListLoaded: the interstitial's duration is NaN; taken for a lost break"),
            "interstitials.beacons": .hlsjs("src: no X-AD-CREATIVE-SIGNALING"),
            "multivariant": .hlsjs("src/config.ts:564 manifestLoadPolicy; src/utils/error-helper.ts:86"),
            "playlist": .hlsjs("src/config.ts:580 playlistLoadPolicy; src/utils/error-helper.ts:86"),
            "playlist.afterError":
                .measured("hls.js 1.6.15, 1.7.1 and 1.7.3: 1 s and 2 s after 503 and after closed connections"),
            "playlist.afterNoAnswer":
                .measured("hls.js 1.6.15, 1.7.1 and 1.7.3: 1 s and 2 s after closed connections, with one variant"),
            "playlist.retriesClientErrors":
                .hlsjs("src/controller/base-playlist-controller.ts:409-455: whatever the status"),
            "segment": .hlsjs("src/config.ts:596 fragLoadPolicy; src/utils/error-helper.ts:86"),
            "assetList": .hlsjs("src/config.ts:630 interstitialAssetListLoadPolicy"),
            "asset": .hlsjs("src/config.ts:564 manifestLoadPolicy: each asset has a player of its own"),
            "steering": .hlsjs("src/config.ts:612 steeringManifestLoadPolicy"),
            "pathways": .hlsjs("src/controller/content-steering-controller.ts:53"),
            "outage": .hlsjs("src/controller/error-controller.ts:278-305, :355-475 (levels), :489-503 (fatal)"),
            "outage.noChannel": .hlsjs("src/loader/playlist-loader.ts:654-658: fatal"),
            "outage.segment": .hlsjs("src/controller/base-stream-controller.ts:2153-2167: treated as a gap"),
            "multivariant.connect playlist.connect segment.connect assetList.connect asset.connect steering.connect":
                .assumed("as the first byte's: the browser's own is far longer"),
            "keys": .read("hls.js src/loader/key-loader.ts keyUriToKeyInfo: one for all renditions"),
            "browser": .read("hls.js src/utils/xhr-loader.ts: XMLHttpRequest"),
            "maximumDownloads": .assumed("the browser's pool; RFC 8216 section 10"),
        ]
    )

    /// Load policy of `config.ts`: retries after timeouts at once, after errors with 1, 2, 4 … s, at most 8.
    ///
    /// A loader retries neither a 4xx nor a failure without a status (`retryForHttpStatus`). Playlist controllers retry
    /// themselves and follow only the policy's numbers.
    private static func policy(
        firstByte: Int,
        total: Int,
        timeouts: Int,
        errors: Int,
        whateverFailed: Bool = false
    ) -> RequestRule {
        let afterError = RetryRule(retries: errors, firstWait: .seconds(1), longestWait: .seconds(8))
        return RequestRule(
            connect: .seconds(firstByte),
            firstByte: .seconds(firstByte),
            total: .seconds(total),
            afterTimeout: RetryRule(retries: timeouts, longestWait: .zero),
            afterError: afterError,
            afterNoAnswer: whateverFailed ? afterError : RetryRule.none,
            retriesClientErrors: whateverFailed
        )
    }
}

extension KnownPersona {
    /// The first version to resolve asset lists ahead of the playhead instead of at discovery.
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
            interstitials: InterstitialFacts(
                trigger: .playhead(.seconds(10)),
                preload: .rangeStart,
                dates: .firstPlaylist,
                resolvesAssets: false,
                leavesOutIncomplete: true
            ),
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
            isInBrowser: true
        ),
        summary: "Shaka Player 5.2.7.",
        sources: [
            "reload": .shaka("lib/hls/hls_parser.js:3936 determineLastTargetDuration_, onUpdate_"),
            "lowLatency": .shaka("lib/hls/hls_parser.js:507-541 updateStream_: skip without an age test"),
            "lowLatency.hints": .shaka("lib/hls/hls_parser.js:4265"),
            "lowLatency.sortsParameters": .shaka("lib/util/url.js setRawParams_"),
            "lowLatency.renditionReports": .shaka("lib: no EXT-X-RENDITION-REPORT"),
            "lowLatency.retriesWithoutDirectives": .assumed("nothing found in Shaka 5.2.7 lib/hls/hls_parser.js"),
            "lowLatency.retryWait":
                .shaka("lib/util/player_configuration.js:509-531 createDefaultForLL: baseDelay 100 (ms)"),
            "start": .shaka("lib/hls/hls_parser.js; lib/util/player_configuration.js:159 liveSegmentsDelay: 3"),
            "interstitials": .shaka("lib/ads/interstitial_ad_manager.js:2080, :2272"),
            "interstitials.lead": .shaka("lib/util/player_configuration.js:404 interstitialPreloadAheadTime: 10"),
            "interstitials.dates":
                .shaka("lib/hls/hls_parser.js:4562; :1298 setInitialProgramDateTime; :5123: jumps over 1 s"),
            "interstitials.textDurations":
                .read("Shaka lib/ads/interstitial_ad_manager.js getInterstitialsInfo_: reads URI alone"),
            "interstitials.relativeAssets":
                .read("Shaka lib/ads/interstitial_ad_manager.js load(asset.URI): against the page"),
            "interstitials.incompleteAssets":
                .assumed("Shaka reads URI alone, and plays what lacks DURATION; taken as left out"),
            "interstitials.beacons": .shaka("lib/ads/svta_ad_manager.js"),
            "outage": .shaka("lib/hls/hls_parser.js:546-551; lib/player.js:8942-9009 disableStream"),
            "outage.penalty": .shaka("lib/util/player_configuration.js:220 maxDisabledTime: 30"),
            "outage.pause": .shaka("lib/hls/hls_parser.js:5523-5528: again after 0.1 s"),
            "outage.freshPause outage.segment outage.segmentPause":
                .shaka("lib/media/streaming_engine.js:3266: about 1 s; lib/player.js:7812-7836: then 0.1 s"),
            "outage.noChannel": .shaka("lib/hls/hls_parser.js:5452: load() rejects, and nothing asks again"),
            "multivariant playlist segment assetList asset steering":
                .shaka("lib/net/backoff.js defaultRetryParameters: 2 attempts, 1 s +-50 %; 10 s, 30 s"),
            "pathways": .shaka("lib/util/content_steering_manager.js:226 banLocation: 60 s"),
            "keys": .read("Shaka lib/hls/hls_parser.js aesKeyMap_: by address"),
            "browser": .read("Shaka lib/net/http_fetch_plugin.js: fetch()"),
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

extension KnownPersona {
    package static let vhs = KnownPersona(
        persona: Persona(
            name: "vhs",
            reload: ReloadFacts(afterChange: .lastSegment, unchanged: .halfTarget, clock: .completion),
            lowLatency: LowLatencyFacts(
                blocking: .always,
                skip: .always,
                skipsDateRanges: true,
                retriesWithoutDirectives: false,
                loadsHints: false,
                usesRenditionReports: false,
                sortsParameters: false
            ),
            start: StartFacts(point: .holdBack),
            interstitials: InterstitialFacts(
                trigger: .never,
                preload: .ignored,
                sendsPrimaryID: false,
                sendsStartOffset: false,
                sendsBeacons: false
            ),
            requests: RequestFacts(
                all: RequestRule(connect: .seconds(45), firstByte: .seconds(45), total: .seconds(45))
            ),
            outage: OutageFacts(
                leavesLast: .all,
                penalty: .seconds(60),
                forgives: true,
                freshPause: .seconds(5),
                noChannel: .stop,
                segment: .askOn
            ),
            isInBrowser: true,
            keys: .segment
        ),
        summary: "video.js http-streaming (VHS) 3.17.4; plays no interstitials.",
        sources: [
            "reload": .vhs("src/playlist-loader.js:361 refreshDelay, :885 updateMediaUpdateTimeout_"),
            "reload.stuckAfter": .vhs("src/playlist-controller.js:185 maxPlaylistRetries: Infinity"),
            "lowLatency": .vhs("src/playlist-loader.js:29 addLLHLSQueryDirectives; on unless switched off"),
            "lowLatency.retriesWithoutDirectives": .assumed("nothing found in VHS 3.17.4 src"),
            "lowLatency.renditionReports": .vhs("src: parsed, and used by nothing"),
            "start": .vhs("src/playlist.js:93 liveEdgeDelay"),
            "interstitials": .vhs("src: no interstitials"),
            "outage": .vhs("src/playlist-controller.js:1392-1536 excludePlaylist"),
            "outage.penalty": .vhs("src/videojs-http-streaming.js:710 playlistExclusionDuration: 60"),
            "outage.pause": .vhs("src/playlist-loader.js:862-868: half the target duration"),
            "outage.freshPause": .vhs("src/playlist-loader.js:702: 5 s where the target duration is not known"),
            "outage.noChannel": .vhs("src/playlist-controller.js:1410-1419: an error, and nothing asks again"),
            "outage.segment": .vhs("src/segment-loader.js:2993-2996; src/playlist-controller.js:932-936"),
            "multivariant playlist segment":
                .vhs("src/xhr.js:95: 45 s (later 1.5 target durations, not modelled); no retry"),
            "assetList asset": .assumed("asks for none"),
            "steering": .assumed("as other requests: src/xhr.js"),
            "pathways": .vhs("src/content-steering-controller.js"),
            "pathways.penalty": .assumed("that of bis-22 section 7"),
            "keys": .read("VHS src/segment-loader.js segmentKey: none is kept unless cacheEncryptionKeys is set"),
            "browser": .read("VHS src/xhr.js: XMLHttpRequest of videojs.xhr"),
            "maximumDownloads": .assumed("the browser's pool; RFC 8216 section 10"),
        ]
    )
}
