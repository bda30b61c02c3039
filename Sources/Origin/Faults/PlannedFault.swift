import HLS

struct PlannedFault: Sendable {
    /// Place of another viewer's session.
    enum Piece: String, CaseIterable, Sendable {
        /// Query, as from a cache that ignores it.
        case query
        /// Paths of listed URIs, as from a stitcher that confuses its sessions.
        case path
    }

    /// Breaks of a fault, numbered from 1 since the origin started.
    enum Breaks: Sendable, Equatable {
        /// Always, even without breaks.
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
        requests = Array(kind.kinds.prefix(kind.defaultCount))
    }

    /// Whether the fault changes the ads that are stitched into a live playlist.
    func isOfStitchedAds(in request: RequestKind) -> Bool {
        kind.stitchedAddress != nil && piece == .path && RequestKind.liveMedia.contains(request)
    }
}

/// Faults of an origin; each request's faults follow from the seed alone.
struct FaultPlan: Sendable {
    let faults: [PlannedFault]
    let edges: EdgePlan
    /// Whether any fault needs another viewer's session.
    let needsNeighbour: Bool
    private let keptSignatures: [Int]
    private let seed: UInt64
    /// Indices in `faults` by request kind, so that a kind without faults costs one look-up.
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

    static let empty = FaultPlan([], seed: 0)

    func edge(viewer: UInt64, at now: WallTime, targetDuration: Duration) -> Int {
        edges.edge(viewer: viewer, at: now, targetDuration: targetDuration, seed: seed)
    }

    func mayTouch(_ kind: RequestKind) -> Bool { !placesByKind[Int(kind.rawValue)].isEmpty }

    func mayKeepSignature(of kind: RequestKind) -> Bool {
        !keptSignatures.isEmpty && (kind == .podManifest || kind == .podPlaylist)
    }

    /// Whether an answer's addresses have the signature of all answers for the pod, which alone is no error.
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
            // A status replaces the text that edits would change.
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
        // A joining viewer's requests belong to no break: the share must not depend on the nearest one.
        let isJoining = kind == .registration || kind == .multivariant
        let number = UInt64(bitPattern: Int64(isJoining ? 0 : number))
        return SeededHash(seed: seed, UInt64(place), number, viewer).unitInterval < fault.share
    }
}

/// Edges of a CDN that the origin simulates; 1 simulates none.
///
/// Edges differ only by faults that are planned for one of them.
struct EdgePlan: Sendable, Equatable {
    enum Assignment: String, CaseIterable, Sendable {
        case viewer
        /// The edge changes each half target duration, so that nearly each poll of a viewer may reach another.
        case request
    }

    var count = 1
    var assignment = Assignment.viewer

    static let most = 64

    /// Edge of a request, from 1: a pure function of seed, viewer and time.
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
