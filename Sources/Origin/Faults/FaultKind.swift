/// A kind of intentional error in answers.
///
/// A new fault is a value of this type, in its topic's list under `Kinds`, which `FaultTable` collects.
struct FaultKind: Sendable {
    enum Parameter: String, CaseIterable, Sendable {
        case status
        case delay
        case to
        case shift
        case growth
        case per
        case asset
        case piece
        case signatures
    }

    let name: String
    /// Request kinds of the fault; the first `defaultCount` apply unless a plan names others.
    let kinds: [RequestKind]
    let defaultCount: Int
    /// Allowed settings; `required` ones are mandatory.
    let parameters: Set<Parameter>
    let required: Set<Parameter>
    /// Records effects if the occasion calls for it.
    let apply: @Sendable (PlannedFault, FaultOccasion, inout FaultEffects) -> Void
    let isDue: @Sendable (PlannedFault, FaultOccasion) -> Bool
    /// Changes the text of the true answer; nil for faults that only have effects.
    let edit: (@Sendable (inout AnswerEdit, PlannedFault, FaultOccasion) -> Void)?
    /// Changes the line that announces a planned break, in every version of a playlist that lists it; nil for other faults.
    let announcement: (@Sendable (inout String) -> Void)?
    /// Address of an ad that is stitched into a live playlist, for `piece: path` in the plan; nil for other faults.
    let stitchedAddress: (@Sendable (String, FaultOccasion) -> String)?

    init(
        _ name: String,
        kinds: [RequestKind],
        defaultCount: Int? = nil,
        parameters: Set<Parameter> = [],
        required: Set<Parameter> = [],
        apply: @escaping @Sendable (PlannedFault, FaultOccasion, inout FaultEffects) -> Void
    ) {
        self.name = name
        self.kinds = kinds
        self.defaultCount = defaultCount ?? kinds.count
        self.parameters = parameters.union(required)
        self.required = required
        self.apply = apply
        isDue = { _, _ in true }
        edit = nil
        announcement = nil
        stitchedAddress = nil
    }

    /// A fault with effects on some kinds of request, and with changes of the text of others or of the addresses of stitched
    /// ads.
    init(
        _ name: String,
        kinds: [RequestKind],
        defaultCount: Int,
        parameters: Set<Parameter>,
        when isDue: @escaping @Sendable (PlannedFault, FaultOccasion) -> Bool,
        apply: @escaping @Sendable (PlannedFault, FaultOccasion, inout FaultEffects) -> Void,
        edit: @escaping @Sendable (inout AnswerEdit, PlannedFault, FaultOccasion) -> Void,
        stitchedAddress: @escaping @Sendable (String, FaultOccasion) -> String
    ) {
        self.name = name
        self.kinds = kinds
        self.defaultCount = defaultCount
        self.parameters = parameters
        required = []
        self.apply = apply
        self.isDue = isDue
        self.edit = edit
        announcement = nil
        self.stitchedAddress = stitchedAddress
    }

    init(
        _ name: String,
        kinds: [RequestKind],
        defaultCount: Int? = nil,
        parameters: Set<Parameter> = [],
        required: Set<Parameter> = [],
        when isDue: @escaping @Sendable (PlannedFault, FaultOccasion) -> Bool = { _, _ in true },
        editing edit: @escaping @Sendable (inout AnswerEdit, PlannedFault, FaultOccasion) -> Void
    ) {
        self.name = name
        self.kinds = kinds
        self.defaultCount = defaultCount ?? kinds.count
        self.parameters = parameters.union(required)
        self.required = required
        apply = { _, _, _ in }
        self.isDue = isDue
        self.edit = edit
        announcement = nil
        stitchedAddress = nil
    }

    /// A fault of an interstitial's tag in live playlists, from its announcement until it leaves the window.
    ///
    /// Its viewers are chosen by the interstitial's own break and not by the nearest, since an announcement never changes.
    init(_ name: String, announcing announcement: @escaping @Sendable (inout String) -> Void) {
        self.name = name
        kinds = RequestKind.liveMedia
        defaultCount = kinds.count
        parameters = []
        required = []
        apply = { _, _, _ in }
        isDue = { _, _ in true }
        edit = nil
        self.announcement = announcement
        stitchedAddress = nil
    }

    static let all: [FaultKind] =
        answers + playlists + segments + versions + renditions + pods + sessions + audience
}

extension RequestKind {
    /// Kinds of known paths; unknown paths have no faults.
    static let known = RequestKind.allCases.filter { $0 != .other }
    static let liveMedia: [RequestKind] = [.playlist, .blockingPlaylist]
    static let playlists: [RequestKind] = [
        .podManifest, .podPlaylist, .multivariant, .playlist, .blockingPlaylist, .assetManifest,
    ]
}
