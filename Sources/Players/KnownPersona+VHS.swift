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
