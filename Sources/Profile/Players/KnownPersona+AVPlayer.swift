extension KnownPersona {
    /// Apple's AVPlayer; facts that are not published follow the specification.
    package static let avplayer = KnownPersona(
        persona: apple(named: "avplayer"),
        summary: "Apple's AVPlayer; what is not published is taken from the specification and marked.",
        sources: appleSources
    )

    /// Sample of the IMA guide to client-side interstitials on AVPlayer; its minute rule is `breaks.source: guideMinute`.
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

    private static let appleSources: [String: PersonaSource] = [
        "reload": .specified("Apple developer forums thread 783255: follows the specification"),
        "reload.clock reload.renditionsTogether": .assumed("bis-22 section 6.3.4, taken over"),
        "reload.stuckAfter": .specified("AVPlayer error -12888: unchanged for 1.5 target durations"),
        "lowLatency": .assumed("bis-22 appendix B.1, taken over"),
        "start": .specified("WWDC21 session 10140: three target durations; bis-22 section 6.3.3"),
        "interstitials": .specified("WWDC21 session 10140: the list is fetched at the buffering point"),
        "interstitials.preload": .assumed("bis-22 appendix F, taken over"),
        "interstitials.primaryID":
            .specified("AVFoundation AVURLAssetPrimarySessionIdentifierKey; WWDC22 session 10145"),
        "interstitials.startOffset": .specified("WWDC22 session 10145; bis-22 appendix D.4"),
        "interstitials.oneListAtATime interstitials.assetsTogether steering": .assumed("nothing published"),
        "interstitials.beacons": .assumed("nothing published: an app sends them"),
        "multivariant playlist": .assumed("WWDC17 session 514 names timeouts without numbers"),
        "segment": .assumed("third-party report: no response in about 10 s"),
        "assetList asset": .assumed("bis-22 appendix D.5, taken over"),
        "outage": .assumed("nothing published: asks again after half a target duration"),
        "pathways": .assumed("bis-22 section 7, taken over"),
        "maximumDownloads": .assumed("RFC 8216 section 10"),
    ]
}
