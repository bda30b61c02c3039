/// What answers are held against: a new check is a file beside these and a line here.
///
/// What one playlist may not say by itself stands in `Conformance`; what only the viewer knows, such as whether a pod fills
/// its break, the viewer notes.
///
/// In the order in which they are made. Those that are classes remember what other viewers of the loop got.
struct CheckList {
    let ofAddresses: [any AddressCheck]
    let ofAnswers: [any AnswerCheck]
    let ofVersions: [any VersionCheck]
    let ofBreaks: [any BreakCheck]

    init(_ library: PlaylistLibrary, _ assets: AssetLibrary) {
        let breaks = KnownBreaks()
        ofAddresses = [TokenCheck()]
        ofAnswers = [
            FramingCheck(),
            RedirectCheck(),
            RefusalCheck(),
            PingCheck(),
            PlaylistAvailabilityCheck(),
            SegmentCheck(),
            SteeringCheck(),
        ]
        ofVersions = [
            BlockingReloadCheck(),
            BodyCheck(),
            StandstillCheck(),
            CourseCheck(library),
            EdgeOrderCheck(breaks: breaks),
            DisagreementCheck(library, breaks),
            ForeignSessionCheck(breaks: breaks),
            AnnouncementCheck(breaks: breaks),
            EarlyReturnCheck(breaks),
        ]
        ofBreaks = [
            PodRequestCheck(),
            PodAvailabilityCheck(),
            PodAgreementCheck(),
            PodContentCheck(),
            PodRulesCheck(assets: assets),
            ForeignContentCheck(),
            AssetListCheck(),
            FillCheck(),
        ]
    }
}
