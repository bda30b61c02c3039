import HLS

/// An intentional error in answers; a new one goes to its topic's list under `Kinds`.
struct FaultKind: Sendable {
    typealias Effect = @Sendable (PlannedFault, FaultOccasion, inout FaultEffects) -> Void
    typealias Edit = @Sendable (inout AnswerEdit, PlannedFault, FaultOccasion) -> Void
    typealias Condition = @Sendable (PlannedFault, FaultOccasion) -> Bool

    enum Parameter: String, CaseIterable, Sendable {
        case status, delay, to, shift, growth, per, asset, piece, signatures
    }

    let name: String
    /// The first `defaultCount` apply unless a plan names others.
    let kinds: [RequestKind]
    let defaultCount: Int
    let parameters: Set<Parameter>
    var required: Set<Parameter> = []
    var apply: Effect = { _, _, _ in }
    /// Condition of `edit`.
    var isDue: Condition = { _, _ in true }
    /// Nil for faults with effects only.
    var edit: Edit?
    /// Changes the line that announces a planned break, in every version that lists it.
    var announcement: (@Sendable (inout String) -> Void)?
    /// Address of an ad stitched into a live playlist, for `piece: path`.
    var stitchedAddress: (@Sendable (String, FaultOccasion) -> String)?

    init(
        _ name: String,
        of kinds: [RequestKind] = RequestKind.liveMedia,
        byDefault defaultCount: Int? = nil,
        parameters: Set<Parameter> = []
    ) {
        (self.name, self.kinds) = (name, kinds)
        self.defaultCount = defaultCount ?? kinds.count
        self.parameters = parameters
    }

    static let all: [FaultKind] = answers + playlists + segments + versions + renditions + pods + sessions + audience

    static func effect(
        _ name: String,
        of kinds: [RequestKind] = RequestKind.liveMedia,
        byDefault defaultCount: Int? = nil,
        parameters: Set<Parameter> = [],
        apply: @escaping Effect
    ) -> FaultKind {
        var kind = FaultKind(name, of: kinds, byDefault: defaultCount, parameters: parameters)
        kind.apply = apply
        return kind
    }

    static func setting<Value: Sendable>(
        _ name: String,
        _ effect: any WritableKeyPath<FaultEffects, Value> & Sendable,
        to value: Value,
        of kinds: [RequestKind] = RequestKind.liveMedia,
        byDefault defaultCount: Int? = nil
    ) -> FaultKind { .effect(name, of: kinds, byDefault: defaultCount) { $2[keyPath: effect] = value } }

    /// `status` is the default if the plan may set one.
    static func status(
        _ name: String,
        _ status: Int,
        of kinds: [RequestKind],
        byDefault defaultCount: Int? = nil,
        parameters: Set<Parameter> = [.status],
        when isDue: @escaping Condition = { _, _ in true }
    ) -> FaultKind {
        .effect(name, of: kinds, byDefault: defaultCount, parameters: parameters) { fault, occasion, effects in
            if isDue(fault, occasion) { effects.status = fault.status ?? status }
        }
    }

    static func edit(
        _ name: String,
        of kinds: [RequestKind] = RequestKind.liveMedia,
        byDefault defaultCount: Int? = nil,
        parameters: Set<Parameter> = [],
        when isDue: @escaping Condition = { _, _ in true },
        by edit: @escaping Edit
    ) -> FaultKind {
        var kind = FaultKind(name, of: kinds, byDefault: defaultCount, parameters: parameters)
        kind.isDue = isDue
        kind.edit = edit
        return kind
    }

    static func mediaEdit(_ name: String, by change: @escaping @Sendable (inout AnswerEdit) -> Void) -> FaultKind {
        .edit(name) { edit, _, _ in
            if edit.isMediaPlaylist { change(&edit) }
        }
    }

    /// Lasts `targets` target durations from the break's start, unless the plan has `lasting`.
    static func versionEdit(
        _ name: String,
        targets: Double = 3,
        by change: @escaping @Sendable (inout AnswerEdit) -> Void
    ) -> FaultKind {
        .edit(name, when: FaultMoment.targets(0, targets)) { edit, _, _ in
            if edit.isLiveMedia { change(&edit) }
        }
    }

    /// Changes an interstitial's tag from its announcement until it leaves the window.
    ///
    /// Its own break, not the nearest, chooses the viewers, since an announcement never changes.
    static func announcement(_ name: String, by change: @escaping @Sendable (inout String) -> Void) -> FaultKind {
        var kind = FaultKind(name)
        kind.announcement = change
        return kind
    }
}

/// Few updates: clients also see the playlist before and after.
enum FaultMoment {
    static func targets(_ from: Double, _ upTo: Double) -> FaultKind.Condition {
        { fault, occasion in
            guard let since = since(fault, occasion) else { return false }
            if fault.lasting != nil { return true }
            return since >= occasion.targetDuration * from && since < occasion.targetDuration * upTo
        }
    }

    static func untilAfterBreak(targets: Double) -> FaultKind.Condition {
        { _, occasion in
            occasion.breakStart.map { occasion.now < $0 + occasion.targetDuration * targets } ?? false
        }
    }

    /// Negative before the fault's beginning.
    static func since(_ fault: PlannedFault, _ occasion: FaultOccasion) -> Duration? {
        occasion.breakStart.map { occasion.now.duration(since: $0 + (fault.from ?? .zero)) }
    }
}

extension RequestKind {
    static let known = RequestKind.allCases.filter { $0 != .other }
    static let liveMedia: [RequestKind] = [.playlist, .blockingPlaylist]
    static let playlists: [RequestKind] = [
        .podManifest, .podPlaylist, .multivariant, .playlist, .blockingPlaylist, .assetManifest,
    ]
}
