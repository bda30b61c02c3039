extension KnownPersona {
    /// hls.js 1.7 in its default configuration.
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
            )
        ),
        summary: "hls.js 1.7 with its default configuration.",
        sources: [
            "reload":
                .measured("hls.js 1.6.15, 1.7.1 and 1.7.3: of segments of 2 s, 2.000 s after news, 1.000 s without"),
            "reload.afterChange": .read("hls.js 1.7.1 src/utils/level-helper.ts:521 computeReloadInterval"),
            "reload.renditionsTogether": .read("hls.js 1.7.1 src/controller/base-playlist-controller.ts: a timer each"),
            "reload.stuckAfter": .read("hls.js 1.7.1 src/config.ts:474 liveMaxUnchangedPlaylistRefresh: Infinity"),
            "lowLatency": .measured("hls.js 1.6.15, 1.7.1 and 1.7.3: msn, part, skip=v2, one part after the other"),
            "lowLatency.skip": .read("hls.js 1.7.1 src/types/level.ts:71 getSkipValue"),
            "lowLatency.dropsDirectivesAfter": .read("hls.js 1.7.1 src/controller/base-playlist-controller.ts:346"),
            "lowLatency.retriesWithoutDirectives":
                .read("hls.js 1.7.1 src/controller/base-playlist-controller.ts:425, :395; timeouts, lost deltas"),
            "lowLatency.renditionReports": .read("hls.js 1.7.1 src/controller/base-playlist-controller.ts:94"),
            "lowLatency.tuneInTargets": .read("hls.js 1.7.1 src/controller/base-playlist-controller.ts:290"),
            "start":
                .read("hls.js 1.7.1 src/controller/latency-controller.ts:49; src/config.ts:471 liveSyncDurationCount"),
            "interstitials": .measured("hls.js 1.6.15 and 1.7.1: in the poll in which the break is 10 s past the edge"),
            "interstitials.startOffset": .read("hls.js 1.7.1 src/controller/interstitials-controller.ts:2373"),
            "interstitials.preload": .read("hls.js 1.7.1 src: no com.apple.hls.preload"),
            "interstitials.beacons": .read("hls.js 1.7.1 src: no X-AD-CREATIVE-SIGNALING"),
            "multivariant": .read("hls.js 1.7.1 src/config.ts:564 manifestLoadPolicy; src/utils/error-helper.ts:86"),
            "playlist": .read("hls.js 1.7.1 src/config.ts:580 playlistLoadPolicy; src/utils/error-helper.ts:86"),
            "playlist.afterError":
                .measured("hls.js 1.6.15, 1.7.1 and 1.7.3: 1 s and 2 s after 503 and after closed connections"),
            "playlist.afterNoAnswer":
                .measured("hls.js 1.6.15, 1.7.1 and 1.7.3: 1 s and 2 s after closed connections, with one variant"),
            "playlist.retriesClientErrors":
                .read("hls.js 1.7.1 src/controller/base-playlist-controller.ts:409-455: whatever the status"),
            "segment": .read("hls.js 1.7.1 src/config.ts:596 fragLoadPolicy; src/utils/error-helper.ts:86"),
            "assetList": .read("hls.js 1.7.1 src/config.ts:630 interstitialAssetListLoadPolicy"),
            "asset": .read("hls.js 1.7.1 src/config.ts:564 manifestLoadPolicy: each asset has a player of its own"),
            "steering": .read("hls.js 1.7.1 src/config.ts:612 steeringManifestLoadPolicy"),
            "pathways": .read("hls.js 1.7.1 src/controller/content-steering-controller.ts:53"),
            "outage":
                .read("hls.js 1.7.1 src/controller/error-controller.ts:278-305, :355-475 (levels), :489-503 (fatal)"),
            "outage.noChannel": .read("hls.js 1.7.1 src/loader/playlist-loader.ts:654-658: fatal"),
            "outage.segment": .read(
                "hls.js 1.7.1 src/controller/base-stream-controller.ts:2153-2167: treated as a gap"
            ),
            "multivariant.connect playlist.connect segment.connect assetList.connect asset.connect steering.connect":
                .assumed("as the first byte's: the browser's own is far longer"),
            "maximumDownloads": .assumed("the browser's pool; RFC 8216 section 10"),
        ]
    )

    /// Load policy of `config.ts`: retries after timeouts at once, after errors with 1, 2, 4 … s, at most 8.
    ///
    /// A loader retries neither a 4xx nor a failure without a status (`retryForHttpStatus`). Playlist controllers, which retry
    /// themselves, follow only the policy's numbers.
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
