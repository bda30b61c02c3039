extension KnownPersona {
    /// Players that request every asset list as soon as a playlist shows it, such as Shaka Player 5.1.8 and older.
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
            )
        ),
        summary: "A player that resolves every asset list at discovery: the worst herd there is.",
        sources: [
            "reload": .specified("RFC 8216 section 6.3.4"),
            "lowLatency": .specified("RFC 8216 has none"),
            "start": .specified("RFC 8216 section 6.3.3"),
            "interstitials": .read("Shaka 5.1.8 and older, as shaka-player issue 10191 tells it"),
            "interstitials.assetsTogether": .assumed("hls.js issue 7180 tells it of 1.6.2"),
            "interstitials.beacons": .assumed("only what is asked at discovery counts"),
            "multivariant playlist segment asset steering": noDeadline,
            "outage": .assumed("as after a playlist that has not changed (RFC 8216 section 6.3.4)"),
            "assetList": .assumed("a deadline as of hls.js's first byte"),
            "pathways": .assumed("bis-22 section 7, taken over"),
            "maximumDownloads": .assumed("RFC 8216 section 10"),
        ]
    )
}
