extension PersonaSource {
    /// In the version that was read.
    fileprivate static func media3(_ place: String) -> PersonaSource { .read("Media3 1.11.0 \(place)") }
}

extension KnownPersona {
    package static let avplayer = KnownPersona(
        persona: apple(named: "avplayer"),
        summary: "Apple's AVPlayer; unpublished facts are taken from the specification and marked.",
        sources: appleSources
    )

    package static let imaGuide = KnownPersona(
        persona: apple(named: "ima-guide"),
        summary: "The IMA guide's sample on AVPlayer; pair it with breaks.source guideMinute.",
        sources: appleSources
    )

    private static func apple(named name: String) -> Persona {
        var persona = strict.persona
        persona.name = name
        persona.interstitials.sendsBeacons = false
        persona.requests.segment = RequestRule(connect: .seconds(10), firstByte: .seconds(10))
        return persona
    }

    private static let nothingPublished = PersonaSource.assumed("nothing published")

    private static let appleSources: [String: PersonaSource] = [
        "reload": .specified("Apple developer forums thread 783255: follows the specification"),
        "reload.clock reload.renditionsTogether": .assumed("bis-22 section 6.3.4, taken over"),
        "reload.stuckAfter": .specified("AVPlayer error -12888: unchanged for 1.5 target durations"),
        "lowLatency": .assumed("bis-22 appendix B.1, taken over"),
        "start": .specified("WWDC21 session 10140: three target durations; bis-22 section 6.3.3"),
        "interstitials": .specified("WWDC21 session 10140: the list is fetched at the buffering point"),
        "interstitials.preload": .assumed("bis-22 appendix F, taken over"),
        "interstitials.dates": .assumed("bis-22 section 4.4.4.6, taken over; nothing published on jumps of dates"),
        "interstitials.primaryID":
            .specified("AVFoundation AVURLAssetPrimarySessionIdentifierKey; WWDC22 session 10145"),
        "interstitials.startOffset": .specified("WWDC22 session 10145; bis-22 appendix D.4"),
        "interstitials.oneListAtATime interstitials.assetsTogether interstitials.textDurations": nothingPublished,
        "interstitials.relativeAssets interstitials.incompleteAssets steering": nothingPublished,
        "interstitials.beacons": .assumed("nothing published: an app sends them"),
        "multivariant playlist": .assumed("WWDC17 session 514 names timeouts without numbers"),
        "segment": .assumed("third-party report: no response in about 10 s"),
        "assetList asset": .assumed("bis-22 appendix D.5, taken over"),
        "outage": .assumed("nothing published: asks again after half a target duration"),
        "pathways": .assumed("bis-22 section 7, taken over"),
        "keys": .assumed("nothing published: one request for each key"),
        "browser": .assumed("an app's player; nothing published on pages and their origins"),
        "maximumDownloads": .assumed("RFC 8216 section 10"),
    ]
}

extension KnownPersona {
    /// AndroidX Media3 with its HLS interstitials loader and DefaultHttpDataSource.
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
                dates: .firstTag,
                sendsPrimaryID: false,
                sendsStartOffset: false,
                loadsOneListAtATime: true,
                readsTextDurations: false,
                resolvesAssets: false,
                leavesOutIncomplete: true,
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
            pathways: PathwayFacts(penalty: .seconds(300)),
            outage: OutageFacts(
                leavesFirst: [.clientError, .serverError],
                penalty: .seconds(60),
                noneLeft: .stop,
                stopsDryAfter: 3,
                noChannel: .stop
            ),
            keys: .rendition
        ),
        summary: "AndroidX Media3 (ExoPlayer) 1.11.0; asset lists are read as 1.9.0 reads them.",
        sources: [
            "reload": .media3("DefaultHlsPlaylistTracker.java:1195-1219 processLoadedPlaylist"),
            "reload.stuckAfter": .media3("DefaultHlsPlaylistTracker.java:77"),
            "lowLatency": .media3("DefaultHlsPlaylistTracker.java:1223 getMediaPlaylistUriForReload, :1063, :565"),
            "lowLatency.hints": .media3("HlsChunkSource.java:118 CHUNK_PUBLICATION_STATE_PRELOAD"),
            "start": .media3("HlsMediaSource.java:615 createTimelineForLive, :759 getTargetLiveOffsetUs"),
            "interstitials": .media3("HlsInterstitialsAdsLoader.java:553, :1440"),
            "interstitials.preload": .media3("HlsInterstitialsAdsLoader.java: no preload range"),
            "interstitials.dates":
                .media3("HlsInterstitialsAdsLoader.java:1597, :1645 (once); HlsPlaylistParser.java:1097"),
            "interstitials.textDurations":
                .read("Media3 1.9.0 AssetListParser.java:131, :137: left out; from 1.9.1 on, :86 getDouble reads text"),
            "interstitials.relativeAssets": .read("Media3 1.9.0 AssetListParser.java:138 Uri.parse(uri): not resolved"),
            "interstitials.incompleteAssets":
                .read("Media3 1.9.0 AssetListParser.java:137: left out; from 1.9.1 on, :78 and :81 refuse the list"),
            "interstitials.beacons": .media3("HlsInterstitialsAdsLoader.java: no ad creative signaling"),
            "multivariant asset":
                .media3("DefaultHttpDataSource.java:242, DefaultLoadErrorHandlingPolicy.java:37, :131"),
            "playlist segment": .media3("DefaultLoadErrorHandlingPolicy.java:131; Loader.java:528-540: without bound"),
            "assetList": .media3("HlsInterstitialsAdsLoader.java:2438 DONT_RETRY; DefaultHttpDataSource.java:242"),
            "steering": .media3("SteeringManifestTracker.java:322 DONT_RETRY; DefaultHttpDataSource.java:242"),
            "pathways": .media3("HlsContentSteeringTracker.java; DefaultLoadErrorHandlingPolicy.java:54: 300 s"),
            "outage": .media3("DefaultLoadErrorHandlingPolicy.java:46, :149; DefaultHlsPlaylistTracker.java:1084"),
            "outage.stopsDryAfter":
                .media3("Loader.java:393-396; ExoPlayerImplInternal.java:1501, :3849: when nothing is left"),
            "outage.noChannel": .media3("DefaultHlsPlaylistTracker.java:199, :279; Loader.java:393-396"),
            "outage.segment": .media3("HlsSampleStreamWrapper.java:1106-1112: retried without bound"),
            "keys": .media3("HlsChunkSource.java: KEY_CACHE_SIZE, 4 keys for each HlsSampleStreamWrapper"),
            "browser": .media3("DefaultHttpDataSource.java: HttpURLConnection, without a page"),
            "maximumDownloads": .assumed("RFC 8216 section 10"),
        ]
    )

    /// `DefaultLoadErrorHandlingPolicy`: endless retries after (n - 1) s, at most 5, also of 4xx answers.
    ///
    /// After three, an error surfaces once nothing is left to show.
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
