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
            )
        ),
        summary: "video.js http-streaming (VHS) 3.17.4; plays no interstitials.",
        sources: [
            "reload": .read("VHS 3.17.4 src/playlist-loader.js:361 refreshDelay, :885 updateMediaUpdateTimeout_"),
            "reload.stuckAfter": .read("VHS 3.17.4 src/playlist-controller.js:185 maxPlaylistRetries: Infinity"),
            "lowLatency":
                .read("VHS 3.17.4 src/playlist-loader.js:29 addLLHLSQueryDirectives; on unless switched off"),
            "lowLatency.retriesWithoutDirectives": .assumed("nothing found in VHS 3.17.4 src"),
            "lowLatency.renditionReports": .read("VHS 3.17.4 src: parsed, and used by nothing"),
            "start": .read("VHS 3.17.4 src/playlist.js:93 liveEdgeDelay"),
            "interstitials": .read("VHS 3.17.4 src: no interstitials"),
            "outage": .read("VHS 3.17.4 src/playlist-controller.js:1392-1536 excludePlaylist"),
            "outage.penalty": .read("VHS 3.17.4 src/videojs-http-streaming.js:710 playlistExclusionDuration: 60"),
            "outage.pause": .read("VHS 3.17.4 src/playlist-loader.js:862-868: half the target duration"),
            "outage.freshPause":
                .read("VHS 3.17.4 src/playlist-loader.js:702: 5 s where the target duration is not known"),
            "outage.noChannel":
                .read("VHS 3.17.4 src/playlist-controller.js:1410-1419: an error, and nothing asks again"),
            "outage.segment": .read("VHS 3.17.4 src/segment-loader.js:2993-2996; src/playlist-controller.js:932-936"),
            "multivariant playlist segment":
                .read("VHS 3.17.4 src/xhr.js:95: 45 s (later 1.5 target durations, not modelled); no retry"),
            "assetList asset": .assumed("asks for none"),
            "steering": .assumed("as other requests: src/xhr.js"),
            "pathways": .read("VHS 3.17.4 src/content-steering-controller.js"),
            "pathways.penalty": .assumed("that of bis-22 section 7"),
            "maximumDownloads": .assumed("the browser's pool; RFC 8216 section 10"),
        ]
    )
}
