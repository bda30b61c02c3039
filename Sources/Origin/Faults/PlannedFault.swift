import HLS

/// A fault with when, where and how it is to happen.
struct PlannedFault: Sendable {
    /// The breaks, numbered from 1 since the origin started, in which a fault happens.
    enum Breaks: Sendable, Equatable {
        /// Always, also where there are no breaks.
        case all
        case numbers([Int])
        /// Each break whose number is a multiple.
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
    var piece = ForeignStreamIDFault.Piece.query
    var keepsSignatures = false
    var from: Duration?
    var lasting: Duration?
    var path: String?
    var edge: Int?

    init(_ kind: FaultKind) {
        self.kind = kind
        requests = Array(kind.kinds.prefix(kind.defaultCount))
    }

    /// Whether the ads that are stitched into a live playlist are what it changes there.
    func isOfStitchedAds(in request: RequestKind) -> Bool {
        kind.stitchedAddress != nil && piece == .path && RequestKind.liveMedia.contains(request)
    }
}

/// All faults an origin was asked to make; decides for each request alone, from the seed, which of them apply.
struct FaultPlan: Sendable {
    let faults: [PlannedFault]
    let edges: EdgePlan
    /// Whether any fault needs to know another viewer's session.
    let needsNeighbour: Bool
    /// Places of those that keep signatures.
    private let keptSignatures: [Int]
    private let seed: UInt64
    /// Places in `faults` by request kind, so that a kind that nothing is planned for costs one look.
    private let placesByKind: [[Int]]

    init(_ faults: [PlannedFault], edges: EdgePlan = EdgePlan(), seed: UInt64) {
        self.faults = faults
        self.edges = edges
        self.seed = seed
        needsNeighbour = faults.contains { $0.kind.parameters.contains(.piece) }
        keptSignatures = faults.indices.filter { faults[$0].keepsSignatures }
        placesByKind = RequestKind.allCases.map { kind in
            faults.indices.filter { faults[$0].requests.contains(kind) }
        }
    }

    /// The plan that breaks nothing.
    static let empty = FaultPlan([], seed: 0)

    /// The edge that a request reaches.
    func edge(viewer: UInt64, at now: WallTime, targetDuration: Duration) -> Int {
        edges.edge(viewer: viewer, at: now, targetDuration: targetDuration, seed: seed)
    }

    /// Whether any fault may touch a kind of request.
    func mayTouch(_ kind: RequestKind) -> Bool { !placesByKind[Int(kind.rawValue)].isEmpty }

    /// Whether any fault may keep the signature of what a kind of request is answered.
    func mayKeepSignature(of kind: RequestKind) -> Bool {
        !keptSignatures.isEmpty && (kind == .podManifest || kind == .podPlaylist)
    }

    /// Whether the addresses in an answer are signed as in all other answers of the pod, which by itself is nothing wrong.
    func keepsSignature(on occasion: FaultOccasion) -> Bool {
        keptSignatures.contains { touches($0, occasion.viewer, ofBreak: occasion.breakNumber, .podManifest) }
    }

    /// The effects of all faults that apply to an occasion; nil when none does.
    func effects(on occasion: FaultOccasion) -> FaultEffects? {
        var effects = FaultEffects()
        for place in placesByKind[Int(occasion.kind.rawValue)] {
            let fault = faults[place]
            guard isDue(fault, occasion) else { continue }
            // Decided for each of the breaks that are listed, whichever is near.
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
            // Edits change a text that is not sent then.
            effects.faults.removeAll { effects.edits.contains($0) }
            effects.edits = []
        }
        return effects.faults.isEmpty && effects.edits.isEmpty ? nil : effects
    }

    /// Whether a fault is planned for a break and for one of its viewers.
    func touches(_ place: Int, _ viewer: UInt64, ofBreak number: Int, _ kind: RequestKind) -> Bool {
        faults[place].breaks.contains(number) && isInShare(place, faults[place], viewer, ofBreak: number, kind)
    }

    /// Whether the fault acts now and is planned for this request.
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
        var hash = SeededHash(seed: seed)
        hash.combine(UInt64(place))
        // Requests of a viewer that joins belong to no break: the share must not depend on which one is near.
        let breakNumber = kind == .registration || kind == .multivariant ? 0 : number
        hash.combine(UInt64(bitPattern: Int64(breakNumber)))
        hash.combine(viewer)
        return hash.unitInterval < fault.share
    }
}
