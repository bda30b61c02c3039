/// One way in which an answer can be wrong on purpose.
///
/// A new fault is a value of this type, in the list of its topic under `Kinds`, which `FaultTable` adds up.
struct FaultKind: Sendable {
    /// A setting of a planned fault beside the ones that every fault has.
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

    /// As fault plans and ground truth spell it.
    let name: String
    /// The request kinds that it can be planned for; the first `defaultCount` ones are meant when a plan names none.
    let kinds: [RequestKind]
    let defaultCount: Int
    /// The settings that the fault takes, and those that it needs.
    let parameters: Set<Parameter>
    let required: Set<Parameter>
    /// Writes into the effects what shall be wrong; leaves them alone when the occasion does not call for it.
    let apply: @Sendable (PlannedFault, FaultOccasion, inout FaultEffects) -> Void
    /// Whether a fault that changes the text acts now; otherwise it leaves the answer alone.
    let isDue: @Sendable (PlannedFault, FaultOccasion) -> Bool
    /// Changes the text of the true answer; nil for faults that say in the effects what they do.
    let edit: (@Sendable (inout AnswerEdit, PlannedFault, FaultOccasion) -> Void)?
    /// Changes the line that announces a planned break, in every version of a playlist that lists it; nil for all others.
    let announcement: (@Sendable (inout String) -> Void)?
    /// The address of an ad that is stitched into a live playlist, where the plan names `piece: path`; nil for all others.
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

    /// A fault that says in the effects what it does to some kinds of request, and changes the text of others, or the
    /// addresses of stitched ads.
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

    /// A fault that changes the text or the head of the true answer.
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

    /// A fault of what live playlists say of an interstitial, from its announcement until it leaves the window.
    ///
    /// Whom it touches is decided for the interstitial's own break, whatever break is near: an announcement never changes.
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

    /// Every fault that a plan can name.
    static let all: [FaultKind] =
        answers + playlists + segments + versions + renditions + pods + sessions + audience
}

extension RequestKind {
    /// Every kind that a client asks for on purpose; unknown paths are never broken.
    static let known = RequestKind.allCases.filter { $0 != .other }
    /// The kinds that answer with a media playlist of the live channel.
    static let liveMedia: [RequestKind] = [.playlist, .blockingPlaylist]
    /// The kinds that answer with a playlist.
    static let playlists: [RequestKind] = [
        .podManifest, .podPlaylist, .multivariant, .playlist, .blockingPlaylist, .assetManifest,
    ]
}
