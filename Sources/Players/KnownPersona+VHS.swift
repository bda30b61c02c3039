extension KnownPersona {
    /// video.js http-streaming (VHS); it plays no interstitials.
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
                usesRenditionReports: false
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
            unconfirmed: [
                "lowLatency.retriesWithoutDirectives", "lowLatency.renditionReports", "assetList", "asset",
                "steering", "pathways.penalty", "maximumDownloads",
            ]
        ),
        summary: "video.js http-streaming (VHS), read in February 2026; plays no interstitials.",
        sources: [
            "reload": "VHS src/playlist-loader.js refreshDelay, updateMediaUpdateTimeout_",
            "reload.stuckAfter": "VHS src/playlist-controller.js maxPlaylistRetries: Infinity",
            "lowLatency": "VHS src/playlist-loader.js addLLHLSQueryDirectives; llhls on unless switched off",
            "outage": "VHS 3.17.4 src/playlist-controller.js:1392-1536 excludePlaylist",
            "outage.penalty": "VHS 3.17.4 src/videojs-http-streaming.js:710 playlistExclusionDuration: 60",
            "outage.pause": "VHS 3.17.4 src/playlist-loader.js:862-868: half the target duration",
            "outage.freshPause": "VHS 3.17.4 src/playlist-loader.js:702: 5 s where the target duration is not known",
            "outage.noChannel": "VHS 3.17.4 src/playlist-controller.js:1410-1419: an error, and nothing asks again",
            "outage.segment": "VHS 3.17.4 src/segment-loader.js:2993-2996; src/playlist-controller.js:932-936",
            "start": "VHS src/playlist.js liveEdgeDelay",
            "interstitials": "no interstitials in VHS's sources",
            "multivariant": timeout,
            "playlist": timeout,
            "segment": timeout,
            "assetList": "asks for none",
            "asset": "asks for none",
            "steering": timeout,
            "pathways": "VHS src/content-steering-controller.js; the penalty is that of bis-22 section 7",
            "maximumDownloads": "the browser's pool; RFC 8216 section 10",
        ]
    )

    private static let timeout =
        "VHS src/xhr.js: 45 s (1.5 target durations once media is chosen is not modelled); no retry of its own"
}
