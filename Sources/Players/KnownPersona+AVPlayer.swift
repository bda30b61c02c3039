extension KnownPersona {
    /// Apple's AVPlayer: the specification where nothing is published about it.
    package static let avplayer = KnownPersona(
        persona: apple(named: "avplayer"),
        summary: "Apple's AVPlayer; what is not published is taken from the specification and marked.",
        sources: appleSources
    )

    /// The app of the IMA guide to client-side interstitials: AVPlayer; its minute rule is `breaks.source: guideMinute`.
    package static let imaGuide = KnownPersona(
        persona: apple(named: "ima-guide"),
        summary: "The IMA guide's sample on AVPlayer; pair it with breaks.source guideMinute.",
        sources: appleSources
    )

    private static func apple(named name: String) -> Persona {
        Persona(
            name: name,
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
            interstitials: InterstitialFacts(trigger: .buffered, preload: .randomPoint, sendsBeacons: false),
            requests: RequestFacts(
                multivariant: RequestRule(),
                playlist: RequestRule(),
                segment: RequestRule(connect: .seconds(10), firstByte: .seconds(10)),
                assetList: minute,
                asset: minute,
                steering: RequestRule()
            ),
            unconfirmed: [
                "reload.clock", "reload.renditionsTogether", "lowLatency", "interstitials.preload",
                "interstitials.oneListAtATime", "interstitials.assetsTogether", "interstitials.beacons",
                "multivariant", "playlist", "segment", "assetList", "asset", "steering", "pathways",
                "maximumDownloads",
            ]
        )
    }

    private static let appleSources: [String: String] = [
        "reload": "Apple developer forums thread 783255: follows the specification",
        "reload.stuckAfter": "AVPlayer error -12888: unchanged for 1.5 target durations",
        "lowLatency": "bis-22 appendix B.1, taken over",
        "start": "WWDC21 session 10140: three target durations; bis-22 section 6.3.3",
        "interstitials": "WWDC21 session 10140: the list is fetched at the buffering point",
        "interstitials.preload": "bis-22 appendix F, taken over",
        "interstitials.primaryID": "AVFoundation AVURLAssetPrimarySessionIdentifierKey; WWDC22 session 10145",
        "interstitials.beacons": "nothing published: an app sends them",
        "interstitials.startOffset": "WWDC22 session 10145; bis-22 appendix D.4",
        "multivariant": "WWDC17 session 514 names timeouts without numbers",
        "playlist": "WWDC17 session 514 names timeouts without numbers",
        "segment": "third-party report: no response in about 10 s",
        "assetList": "bis-22 appendix D.5, taken over",
        "asset": "bis-22 appendix D.5, taken over",
        "steering": "nothing published",
        "pathways": "bis-22 section 7, taken over",
        "maximumDownloads": "RFC 8216 section 10",
    ]
}
