extension KnownPersona {
    /// Players that fetch every asset list as soon as a playlist shows it, such as Shaka Player 5.1.8 and older.
    package static let eager = KnownPersona(
        persona: Persona(
            name: "eager",
            reload: ReloadFacts(afterChange: .targetDuration, unchanged: .halfTarget, clock: .loadStart),
            lowLatency: .none,
            start: StartFacts(point: .holdBack),
            interstitials: InterstitialFacts(
                trigger: .discovery,
                preload: .ignored,
                loadsAssetsTogether: true,
                sendsBeacons: false
            ),
            requests: RequestFacts(
                multivariant: RequestRule(),
                playlist: RequestRule(),
                segment: RequestRule(),
                assetList: RequestRule(connect: .seconds(10), firstByte: .seconds(10), total: .seconds(10)),
                asset: RequestRule(),
                steering: RequestRule()
            ),
            unconfirmed: ["interstitials.assetsTogether", "assetList", "maximumDownloads"]
        ),
        summary: "A player that resolves every asset list at discovery: the worst herd there is.",
        sources: [
            "reload": "RFC 8216 section 6.3.4",
            "lowLatency": "RFC 8216 has none",
            "start": "RFC 8216 section 6.3.3",
            "interstitials": "shaka-player issue 10191 (Shaka 5.1.8 and older)",
            "interstitials.assetsTogether": "hls.js issue 7180 (loadSource of several assets at once, 1.6.2)",
            "interstitials.beacons": "none given: only what is asked at discovery counts",
            "multivariant": "none given: the connection's own",
            "playlist": "none given: the connection's own",
            "segment": "none given: the connection's own",
            "assetList": "a deadline as of hls.js's first byte",
            "asset": "none given: the connection's own",
            "steering": "none given: the connection's own",
            "pathways": "none given: bis-22 section 7, taken over",
            "maximumDownloads": "RFC 8216 section 10",
        ]
    )
}
