import HLS
import Profile
import Values

extension FaultPlan {
    /// Parses a list of faults, or a mapping with `faults` and optional `edges`; throws `ProfileErrors` with every mistake.
    static func read(_ text: String, of path: String = "", seed: UInt64) throws(ProfileErrors) -> FaultPlan {
        let fields = try FaultPlanFields.read(text, of: path, orList: "faults")
        return FaultPlan(fields.faults, edges: fields.edges, seed: seed)
    }
}

private struct FaultPlanFields: ProfileFields {
    var edges = EdgePlan()
    var faults: [PlannedFault] = []

    static let fields = FieldList(FaultPlanFields()) { f in
        f.add("edges", \.edges, .section)
        f.add(
            "faults",
            read: { section, plan in
                plan.faults = section.sections("faults") { entry in
                    let fault = PlannedFault(reading: entry, over: .usual)
                    entry["edge", if: fault.edge.map { $0 > plan.edges.count } ?? false] =
                        "edge must be a number from 1 to edges.count, which is \(plan.edges.count)"
                    return fault
                }
            }
        )
    }
}

extension EdgePlan: ProfileFields {
    static let fields = FieldList(EdgePlan()) { f in
        f.add("count", \.count, .integer(1...most))
        f.add("assignment", \.assignment, .choice)
    }
}

extension PlannedFault: ProfileFields {
    static let fields = FieldList(PlannedFault(.reset)) { f in
        let day = Duration.seconds(86_400)
        f.add(
            "fault",
            allowed: FaultKind.all.map(\.name).joined(separator: ", "),
            .required,
            read: { section, fault in
                if let kind = section.value("fault", .fault) { fault = PlannedFault(kind) }
            }
        )
        f.add("breaks", read: { $1.breaks = $0.breaks("breaks") ?? $1.breaks })
        f.add("share", \.share, .someShare)
        f.add(
            "kinds",
            read: { section, fault in
                if let kinds = section.list("kinds", of: .request(of: fault.kind)) {
                    fault.requests = kinds.map(\.value)
                }
                let field = section.fieldPath("kinds")
                let isEmpty = section.has("kinds") && fault.requests.isEmpty
                section.reading[field, if: isEmpty && section.reading.isWhollySound(field)] =
                    "kinds must be a list of request kinds"
            }
        )
        f.add("from", \.from, .signed(atMost: day))
        f.add("lasting", \.lasting, .duration(.milliseconds(1)...day))
        f.add("path", \.path, .text("a part of the request's path or query such as video-low/"))
        f.add("edge", \.edge, .integer(1...EdgePlan.most))
        f.add("status", \.status, .integer(400...599))
        f.add("delay", \.delay, .positive(.seconds(3_600)))
        f.add("to", \.redirection, .redirection)
        f.add("shift", \.shift, .shift)
        f.add("growth", \.growth, .growth)
        f.add("per", \.growthStep, .duration(.seconds(1)...day))
        f.add("asset", \.asset, .integer(0...99))
        f.add("piece", \.piece, .choice)
        f.add("signatures", \.keepsSignatures, .signatures)
    }

    func settle(_ section: ProfileSection) {
        guard section.has("fault"), section.reading.isSound(section.fieldPath("fault")) else { return }
        for parameter in FaultKind.Parameter.allCases {
            let name = parameter.rawValue
            section[name, if: section.has(name) && !kind.parameters.contains(parameter)] =
                "has no effect on \(kind.name); allowed: "
                + kind.parameters.map(\.rawValue).sorted().joined(separator: ", ")
            if kind.required.contains(parameter), !section.has(name) {
                section.reportMissing(name, allowed: "a setting of \(kind.name)")
            }
        }
    }
}

extension ProfileSection {
    /// `all`, a list of numbers from 1, or a mapping such as {every: 3}.
    fileprivate func breaks(_ key: String) -> PlannedFault.Breaks? {
        if says("all", at: key) { return .all }
        if isMapping(key) {
            let step = section(key) { mapping in
                defer { mapping.reportUnknownFields() }
                return mapping.value("every", ScalarRule<Int>.integer(1...1_000_000))
            }
            return step.map { .every($0) }
        }
        guard let numbers = list(key, of: ScalarRule<Int>.integer(1...1_000_000)) else { return nil }
        reading[fieldPath(key), if: numbers.isEmpty && reading.isWhollySound(fieldPath(key))] =
            "breaks must be all, a list of numbers from 1 such as [2, 5], or {every: 3}"
        return .numbers(numbers.map(\.value))
    }
}

extension ScalarRule<FaultKind> {
    fileprivate static var fault: ScalarRule { words(FaultKind.all.map { ($0.name, $0) }) }
}

extension ScalarRule<RequestKind> {
    fileprivate static func request(of fault: FaultKind) -> ScalarRule { words(fault.kinds.map { ($0.name, $0) }) }
}

extension ScalarRule<FaultEffects.Redirection> {
    fileprivate static var redirection: ScalarRule {
        words([("same-origin", .samePlace), ("unauthorised-host", .unauthorisedHost)])
    }
}

extension ScalarRule<Bool> {
    fileprivate static var signatures: ScalarRule { words([("fresh", false), ("kept", true)]) }
}

extension ScalarRule<Double> {
    fileprivate static var someShare: ScalarRule { share.refusing { $0 > 0 ? nil : "is not above 0%" } }

    fileprivate static var growth: ScalarRule {
        ScalarRule(allowed: "a percentage above 0 such as 2%, at most 1000%", spell: ShareText.percent) { text in
            guard text.hasSuffix("%"), let growth = ShareText.share(text) else {
                return .refused("is not a percentage")
            }
            return growth > 0 && growth <= 10 ? .value(growth) : .refused("is not in range")
        }
    }
}

extension ScalarRule<Duration> {
    fileprivate static var shift: ScalarRule {
        signed(atMost: .seconds(3_600)).refusing { $0 == .zero ? "is not a shift" : nil }
    }
}

struct PlannedFault: Sendable {
    /// Place of another viewer's session.
    enum Piece: String, CaseIterable, Sendable {
        /// As from a cache that ignores the query.
        case query
        /// As from a stitcher that confuses sessions.
        case path
    }

    /// From 1 since the origin started.
    enum Breaks: Sendable, Equatable {
        case all
        case numbers([Int])
        case every(Int)

        func contains(_ number: Int) -> Bool {
            switch self {
            case .all: true
            case .numbers(let numbers): numbers.contains(number)
            case .every(let step): number > 0 && number % step == 0
            }
        }
    }

    let kind: FaultKind
    var breaks: Breaks = .all
    var share = 1.0
    var requests: [RequestKind]
    var status: Int?
    var delay: Duration?
    var redirection: FaultEffects.Redirection = .samePlace
    var shift: Duration?
    var growth = 0.0
    var growthStep: Duration = .seconds(60)
    var asset = 0
    var piece = Piece.query
    var keepsSignatures = false
    var from: Duration?
    var lasting: Duration?
    var path: String?
    var edge: Int?

    init(_ kind: FaultKind) {
        self.kind = kind
        requests = Array(kind.kinds.prefix(kind.defaultCount ?? kind.kinds.count))
    }

    func isOfStitchedAds(in request: RequestKind) -> Bool {
        kind.stitchedAddress != nil && piece == .path && RequestKind.liveMedia.contains(request)
    }
}

/// A request's faults follow from the seed alone.
struct FaultPlan: Sendable {
    let faults: [PlannedFault]
    let edges: EdgePlan
    /// A fault needs another viewer's session.
    let needsNeighbour: Bool
    private let keptSignatures: [Int]
    private let seed: UInt64
    /// Kinds without faults cost one look-up.
    private let placesByKind: [[Int]]

    init(_ faults: [PlannedFault], edges: EdgePlan = EdgePlan(), seed: UInt64) {
        (self.faults, self.edges, self.seed) = (faults, edges, seed)
        needsNeighbour = faults.contains { $0.kind.parameters.contains(.piece) }
        keptSignatures = faults.indices.filter { faults[$0].keepsSignatures }
        placesByKind = RequestKind.allCases.map { kind in
            faults.indices.filter { faults[$0].requests.contains(kind) }
        }
    }

    static let empty = FaultPlan([], seed: 0)

    func edge(viewer: UInt64, at now: WallTime, targetDuration: Duration) -> Int {
        edges.edge(viewer: viewer, at: now, targetDuration: targetDuration, seed: seed)
    }

    func mayTouch(_ kind: RequestKind) -> Bool { !placesByKind[Int(kind.rawValue)].isEmpty }

    func mayKeepSignature(of kind: RequestKind) -> Bool {
        !keptSignatures.isEmpty && (kind == .podManifest || kind == .podPlaylist)
    }

    /// All answers for the pod have one signature, which alone is not an error.
    func keepsSignature(on occasion: FaultOccasion) -> Bool {
        keptSignatures.contains { touches($0, occasion.viewer, ofBreak: occasion.breakNumber, .podManifest) }
    }

    /// Nil without effects.
    func effects(on occasion: FaultOccasion) -> FaultEffects? {
        var effects = FaultEffects()
        for place in placesByKind[Int(occasion.kind.rawValue)] {
            let fault = faults[place]
            guard isDue(fault, occasion) else { continue }
            // Chosen by each listed break, not by the nearest.
            guard fault.kind.announcement == nil, !fault.isOfStitchedAds(in: occasion.kind) else {
                effects.edits.append(place)
                continue
            }
            guard touches(place, occasion.viewer, ofBreak: occasion.breakNumber, occasion.kind) else { continue }
            let before = effects
            fault.kind.apply(fault, occasion, &effects)
            if fault.kind.edit != nil, fault.kind.isDue(fault, occasion) { effects.edits.append(place) }
            if effects != before { effects.faults.append(place) }
        }
        if effects.status != nil {
            // The status replaces the edited text.
            effects.faults.removeAll { effects.edits.contains($0) }
            effects.edits = []
        }
        return effects.faults.isEmpty && effects.edits.isEmpty ? nil : effects
    }

    func touches(_ place: Int, _ viewer: UInt64, ofBreak number: Int, _ kind: RequestKind) -> Bool {
        faults[place].breaks.contains(number) && isInShare(place, faults[place], viewer, ofBreak: number, kind)
    }

    private func isDue(_ fault: PlannedFault, _ occasion: FaultOccasion) -> Bool {
        if let path = fault.path, !occasion.target.contains(path) { return false }
        if let edge = fault.edge, edge != occasion.edge { return false }
        guard fault.from != nil || fault.lasting != nil else { return true }
        guard let start = occasion.breakStart else { return false }
        let since = occasion.now.duration(since: start + (fault.from ?? .zero))
        return since >= .zero && fault.lasting.map { since < $0 } ?? true
    }

    private func isInShare(
        _ place: Int,
        _ fault: PlannedFault,
        _ viewer: UInt64,
        ofBreak number: Int,
        _ kind: RequestKind
    ) -> Bool {
        guard fault.share < 1 else { return true }
        // A joining viewer's requests belong to no break.
        let isJoining = kind == .registration || kind == .multivariant
        let number = UInt64(bitPattern: Int64(isJoining ? 0 : number))
        return SeededHash(seed: seed, UInt64(place), number, viewer).unitInterval < fault.share
    }
}

/// Edges of a CDN differ only by planned faults; 1 simulates none.
struct EdgePlan: Sendable, Equatable {
    enum Assignment: String, CaseIterable, Sendable {
        case viewer
        /// The edge changes each half target duration, hence at nearly each poll.
        case request
    }

    var count = 1
    var assignment = Assignment.viewer

    static let most = 64

    /// A pure function of seed, viewer and time.
    func edge(viewer: UInt64, at now: WallTime, targetDuration: Duration, seed: UInt64) -> Int {
        guard count > 1 else { return 1 }
        var hash = SeededHash(seed: seed, viewer)
        if assignment == .request {
            let half = max(1, targetDuration.wholeMicroseconds / 2)
            hash.combine(UInt64(bitPattern: now.microseconds / half))
        }
        return Int(hash.value % UInt64(count)) + 1
    }
}

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
    var kinds = RequestKind.liveMedia
    var defaultCount: Int?
    var parameters: Set<Parameter> = []
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

    static let all: [FaultKind] = answers + playlists + segments + versions + renditions + pods + sessions + audience

    static func effect(
        _ name: String,
        of kinds: [RequestKind] = RequestKind.liveMedia,
        byDefault defaultCount: Int? = nil,
        parameters: Set<Parameter> = [],
        apply: @escaping Effect
    ) -> FaultKind {
        FaultKind(name: name, kinds: kinds, defaultCount: defaultCount, parameters: parameters, apply: apply)
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
        var kind = FaultKind(name: name, kinds: kinds, defaultCount: defaultCount, parameters: parameters)
        (kind.isDue, kind.edit) = (isDue, edit)
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
        FaultKind(name: name, announcement: change)
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
    static let known = RequestKind.allCases.filter { $0 != .other && $0 != .preflight }
    static let liveMedia: [RequestKind] = [.playlist, .blockingPlaylist]
    static let playlists: [RequestKind] = [
        .podManifest, .podPlaylist, .multivariant, .playlist, .blockingPlaylist, .assetManifest,
    ]
}
