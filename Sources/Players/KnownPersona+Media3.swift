extension KnownPersona {
    /// AndroidX Media3 (ExoPlayer) with its HLS interstitials loader and DefaultHttpDataSource.
    package static let media3 = KnownPersona(
        persona: Persona(
            name: "media3",
            reload: ReloadFacts(
                afterChange: .targetDuration,
                unchanged: .halfTarget,
                clock: .loadStart,
                stuckAfterTargets: 3.5
            ),
            lowLatency: LowLatencyFacts(
                blocking: .always,
                skip: .always,
                skipsDateRanges: true,
                loadsHints: true,
                usesRenditionReports: true,
                sortsParameters: false
            ),
            start: StartFacts(point: .startTagThenHoldBack),
            interstitials: InterstitialFacts(
                trigger: .playheadTargets(3),
                preload: .ignored,
                sendsPrimaryID: false,
                sendsStartOffset: false,
                loadsOneListAtATime: true,
                sendsBeacons: false
            ),
            requests: RequestFacts(
                multivariant: retried(times: 3),
                playlist: retried(times: RetryRule.endless),
                segment: retried(times: RetryRule.endless),
                assetList: RequestRule(connect: .seconds(8), firstByte: .seconds(8)),
                asset: retried(times: 3),
                steering: RequestRule(connect: .seconds(8), firstByte: .seconds(8))
            ),
            pathways: PathwayFacts(followsSteering: false),
            outage: OutageFacts(
                leavesFirst: [.clientError, .serverError],
                penalty: .seconds(60),
                noneLeft: .stop,
                stopsDryAfter: 3,
                noChannel: .stop
            ),
            unconfirmed: ["interstitials.preload", "interstitials.beacons", "steering", "pathways", "maximumDownloads"]
        ),
        summary: "AndroidX Media3 (ExoPlayer), read in August 2026.",
        sources: [
            "reload": "Media3 DefaultHlsPlaylistTracker.processLoadedPlaylist",
            "reload.stuckAfter": "Media3 DefaultHlsPlaylistTracker.DEFAULT_PLAYLIST_STUCK_TARGET_DURATION_COEFFICIENT",
            "lowLatency": "Media3 DefaultHlsPlaylistTracker.getMediaPlaylistUriForReload, onLoadError; HlsChunkSource",
            "start": "Media3 HlsMediaSource.createTimelineForLive, getTargetLiveOffsetUs",
            "interstitials": "Media3 HlsInterstitialsAdsLoader",
            "interstitials.beacons": "no ad creative signaling found in Media3 HlsInterstitialsAdsLoader",
            "multivariant": "Media3 DefaultHttpDataSource, DefaultLoadErrorHandlingPolicy",
            "outage": "Media3 1.11.0 DefaultLoadErrorHandlingPolicy.java:46, :149-162; DefaultHlsPlaylistTracker.java:1084",
            "outage.stopsDryAfter":
                "Media3 1.11.0 Loader.java:393-396; ExoPlayerImplInternal.java:1501, :3849: asked only when nothing is left to show",
            "outage.noChannel": "Media3 1.11.0 DefaultHlsPlaylistTracker.java:199, :279; Loader.java:393-396",
            "outage.segment": "Media3 1.11.0 HlsSampleStreamWrapper.java:1106-1112: retried without bound",
            "playlist": "Media3 1.11.0 DefaultHttpDataSource; DefaultLoadErrorHandlingPolicy.java:131; Loader.java:528-540",
            "segment": "Media3 1.11.0 DefaultHttpDataSource; DefaultLoadErrorHandlingPolicy.java:131; Loader.java:528-540",
            "assetList": "Media3 HlsInterstitialsAdsLoader: Loader.DONT_RETRY; DefaultHttpDataSource: 8 s",
            "asset": "Media3 DefaultHttpDataSource, DefaultLoadErrorHandlingPolicy: an ad is a media item of its own",
            "steering": "asks for none",
            "pathways": "no content steering found in Media3",
            "maximumDownloads": "RFC 8216 section 10",
        ]
    )

    /// `DefaultLoadErrorHandlingPolicy`: retries after (n - 1) s, at most 5, also of 4xx answers.
    ///
    /// They have no end. After three an error may surface, which it does where nothing is left to show: at once for what
    /// nothing can be shown without.
    private static func retried(times: Int) -> RequestRule {
        let rule = RetryRule(retries: times, firstWait: .seconds(1), growth: .linear, longestWait: .seconds(5))
        return RequestRule(
            connect: .seconds(8),
            firstByte: .seconds(8),
            afterTimeout: rule,
            afterError: rule,
            retriesClientErrors: true
        )
    }
}
