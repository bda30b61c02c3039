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
                multivariant: retried,
                playlist: retried,
                segment: retried,
                assetList: RequestRule(connect: .seconds(8), firstByte: .seconds(8)),
                asset: retried,
                steering: RequestRule(connect: .seconds(8), firstByte: .seconds(8))
            ),
            pathways: PathwayFacts(followsSteering: false),
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
            "playlist": "Media3 DefaultHttpDataSource, DefaultLoadErrorHandlingPolicy",
            "segment": "Media3 DefaultHttpDataSource, DefaultLoadErrorHandlingPolicy",
            "assetList": "Media3 HlsInterstitialsAdsLoader: Loader.DONT_RETRY; DefaultHttpDataSource: 8 s",
            "asset": "Media3 DefaultHttpDataSource, DefaultLoadErrorHandlingPolicy: an ad is a media item of its own",
            "steering": "asks for none",
            "pathways": "no content steering found in Media3",
            "maximumDownloads": "RFC 8216 section 10",
        ]
    )

    /// `DefaultLoadErrorHandlingPolicy`: three retries after (n - 1) s, at most 5, also of 4xx answers.
    private static var retried: RequestRule {
        let rule = RetryRule(retries: 3, firstWait: .seconds(1), growth: .linear, longestWait: .seconds(5))
        return RequestRule(
            connect: .seconds(8),
            firstByte: .seconds(8),
            afterTimeout: rule,
            afterError: rule,
            retriesClientErrors: true
        )
    }
}
