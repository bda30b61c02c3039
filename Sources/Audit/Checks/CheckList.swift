/// All checks of answers, in the order of execution; a new check is a file beside these and a line here.
///
/// Rules for a single playlist are in `Conformance`. Facts that only the viewer knows, such as whether a pod fills its break,
/// are noted by the viewer. Checks that are classes remember the answers of other viewers of the loop.
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
