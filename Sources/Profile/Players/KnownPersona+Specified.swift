extension KnownPersona {
    package static let strict = KnownPersona(
        persona: Persona(
            name: "strict",
            reload: ReloadFacts(
                afterChange: .lastSegment,
                unchanged: .halfTarget,
                clock: .loadStart,
                stuckAfterTargets: 1.5
            ),
            lowLatency: LowLatencyFacts(
                blocking: .always,
                skip: .whenYoung,
                skipsDateRanges: true,
                loadsHints: true,
                usesRenditionReports: true
            ),
            start: StartFacts(point: .startTagThenHoldBack),
            interstitials: InterstitialFacts(trigger: .buffered, preload: .randomPoint),
            requests: RequestFacts(assetList: minute, asset: minute)
        ),
        summary: "The specification to the letter (draft-pantos-hls-rfc8216bis-22).",
        sources: [
            "reload": .specified("bis-22 section 6.3.4"),
            "lowLatency": .specified("bis-22 sections 6.2.5, 6.3.7, 6.3.8"),
            "start": .specified("bis-22 sections 4.4.2.2, 4.4.3.8, 6.3.3"),
            "interstitials": .specified("bis-22 appendix D.1, D.4"),
            "interstitials.preload": .specified("bis-22 appendix F"),
            "interstitials.dates": .specified("bis-22 sections 4.4.4.6, 6.2.1: the segment that a date maps to"),
            "interstitials.textDurations interstitials.relativeAssets interstitials.incompleteAssets": looseAssets,
            "interstitials.beacons": .specified("SVTA 2053-2"),
            "multivariant playlist segment steering": noDeadline,
            "outage": .assumed("as after a playlist that has not changed (bis-22 section 6.3.4)"),
            "assetList asset": .specified("bis-22 appendix D.5: up to a minute; no retries named"),
            "pathways": .specified("bis-22 section 7: two minutes"),
            "keys": .assumed("RFC 8216 section 6.2.3: a key may be cached; no rule says that it is"),
            "browser": .specified("bis-22 has no rule on pages and their origins"),
            "maximumDownloads": .specified("RFC 8216 section 10: a small number, such as four"),
        ]
    )

    private static let looseAssets = PersonaSource.assumed("bis-22 appendix D.2 forbids them and names no consequence")

    static let noDeadline = PersonaSource.specified("bis-22 names none: the connection's own")

    /// bis-22 appendix D.5, for an answer about an interstitial.
    static let minute = RequestRule(connect: .seconds(60), firstByte: .seconds(60), total: .seconds(60))
}

extension KnownPersona {
    /// Requests every asset list at discovery, as Shaka Player 5.1.8 and older do.
    package static let eager = KnownPersona(
        persona: Persona(
            name: "eager",
            reload: ReloadFacts(afterChange: .targetDuration, unchanged: .halfTarget, clock: .loadStart),
            lowLatency: .none,
            start: StartFacts(point: .holdBack),
            interstitials: InterstitialFacts(
                trigger: .discovery,
                preload: .ignored,
                dates: .firstPlaylist,
                loadsAssetsTogether: true,
                sendsBeacons: false
            ),
            requests: RequestFacts(
                assetList: RequestRule(connect: .seconds(10), firstByte: .seconds(10), total: .seconds(10))
            )
        ),
        summary: "A player that resolves every asset list at discovery: the worst herd there is.",
        sources: [
            "reload": .specified("RFC 8216 section 6.3.4"),
            "lowLatency": .specified("RFC 8216 has none"),
            "start": .specified("RFC 8216 section 6.3.3"),
            "interstitials": .read("Shaka 5.1.8 and older, as shaka-player issue 10191 tells it"),
            "interstitials.assetsTogether": .assumed("hls.js issue 7180 reports it for 1.6.2"),
            "interstitials.dates": .read("Shaka 5.1.8 lib/hls/hls_parser.js:4448; :1332 setInitialProgramDateTime"),
            "interstitials.textDurations interstitials.relativeAssets interstitials.incompleteAssets": looseAssets,
            "interstitials.beacons": .assumed("only what is asked at discovery counts"),
            "multivariant playlist segment asset steering": noDeadline,
            "outage": .assumed("as after a playlist that has not changed (RFC 8216 section 6.3.4)"),
            "assetList": .assumed("a deadline as of hls.js's first byte"),
            "pathways": .assumed("bis-22 section 7, taken over"),
            "keys": .assumed("one request for each key"),
            "browser": .assumed("off: players of every kind ask so"),
            "maximumDownloads": .assumed("RFC 8216 section 10"),
        ]
    )
}
