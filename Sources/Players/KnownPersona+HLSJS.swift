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
                playlist: policy(firstByte: 10, total: 20, timeouts: 2, errors: 2),
                segment: policy(firstByte: 10, total: 120, timeouts: 4, errors: 6),
                assetList: policy(firstByte: 10, total: 30, timeouts: 0, errors: 0),
                asset: policy(firstByte: 20, total: 20, timeouts: 2, errors: 1),
                steering: policy(firstByte: 10, total: 20, timeouts: 2, errors: 1)
            ),
            pathways: PathwayFacts(penalty: .seconds(300)),
            unconfirmed: [
                "lowLatency.hints", "interstitials.beacons", "multivariant.connect", "playlist.connect",
                "segment.connect", "assetList.connect", "asset.connect", "steering.connect",
                "maximumDownloads",
            ]
        ),
        summary: "hls.js 1.7 with its default configuration.",
        sources: [
            "reload":
                "hls.js src/utils/level-helper.ts computeReloadInterval; src/controller/base-playlist-controller.ts",
            "reload.stuckAfter": "hls.js src/config.ts liveMaxUnchangedPlaylistRefresh: Infinity",
            "lowLatency": "hls.js src/controller/base-playlist-controller.ts, src/types/level.ts getSkip",
            "start": "hls.js src/config.ts liveSyncDurationCount: 3; src/controller/latency-controller.ts",
            "interstitials": "hls.js src/controller/interstitials-controller.ts, src/loader/interstitial-asset-list.ts",
            "interstitials.lookAhead": "hls.js src/config.ts interstitialLiveLookAhead: 10",
            "interstitials.beacons": "no ad creative signaling found in hls.js",
            "multivariant": "hls.js src/config.ts manifestLoadPolicy; src/utils/error-helper.ts",
            "playlist": "hls.js src/config.ts playlistLoadPolicy; src/utils/error-helper.ts",
            "segment": "hls.js src/config.ts fragLoadPolicy; src/utils/error-helper.ts",
            "assetList": "hls.js src/config.ts interstitialAssetListLoadPolicy",
            "asset": "hls.js src/config.ts manifestLoadPolicy: each asset has a player of its own",
            "steering": "hls.js src/config.ts steeringManifestLoadPolicy",
            "pathways": "hls.js src/controller/content-steering-controller.ts: 300 s",
            "maximumDownloads": "the browser's pool; RFC 8216 section 10",
        ]
    )

    /// A load policy of `config.ts`: retries after timeouts at once, after errors with 1, 2, 4 … s, at most 8.
    private static func policy(firstByte: Int, total: Int, timeouts: Int, errors: Int) -> RequestRule {
        RequestRule(
            connect: .seconds(firstByte),
            firstByte: .seconds(firstByte),
            total: .seconds(total),
            afterTimeout: RetryRule(retries: timeouts, longestWait: .zero),
            afterError: RetryRule(retries: errors, firstWait: .seconds(1), longestWait: .seconds(8)),
            retriesClientErrors: false
        )
    }
}
