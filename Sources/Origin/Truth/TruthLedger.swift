import HLS
import Synchronization

/// Safe for any thread; a single event loop never contends for the lock.
final class TruthLedger: Sendable {
    private struct Counters {
        var requests = [GroundTruth.KindCount](repeating: .init(), count: RequestKind.allCases.count)
        /// 500 times the kind, plus the status less 100.
        var answered = [Int](repeating: 0, count: RequestKind.allCases.count * 500)
        var faults: [Int]
        var connections = ConnectionBook()
        var breaks = BreakBook()
        var affected: FaultBook
        /// Delivery, pathways and steering.
        var truth = GroundTruth()
        var waiting = 0
        var lastRelease: Int64 = .min
    }

    /// Clients name them.
    private static let maximumPathways = 32

    private let counters: Mutex<Counters>
    private let faultNames: [String]
    private let started: WallTime

    /// `faultNames` gives each fault its index.
    init(faultNames: [String], started: WallTime) {
        (self.faultNames, self.started) = (faultNames, started)
        counters = Mutex(
            Counters(faults: Array(repeating: 0, count: faultNames.count), affected: FaultBook(faultNames))
        )
    }

    /// True for the connection's first.
    func received(_ kind: RequestKind, connection: ObjectIdentifier, viewer: ViewerIdentity?, redirected: Bool) -> Bool
    {
        counters.withLock { counters in
            counters.requests[Int(kind.rawValue)].redirected += redirected ? 1 : 0
            counters.requests[Int(kind.rawValue)].received += redirected ? 0 : 1
            return counters.connections.carried(kind, on: connection, by: viewer)
        }
    }

    /// Call this for every connection that carried a request.
    func closed(connection: ObjectIdentifier) { counters.withLock { $0.connections.closed(connection) } }

    func answered(_ kind: RequestKind, status: Int) {
        let place = min(max(status - 100, 0), 499)
        counters.withLock { $0.answered[Int(kind.rawValue) * 500 + place] += 1 }
    }

    func faulted(_ kind: RequestKind, by faults: [Int], viewer: UInt64 = 0, breakNumber: Int = 0) {
        counters.withLock { counters in
            counters.requests[Int(kind.rawValue)].faulted += 1
            for fault in faults where counters.faults.indices.contains(fault) {
                counters.faults[fault] += 1
                counters.affected.touched(fault, viewer: viewer, breakNumber: breakNumber)
            }
        }
    }

    func pod(_ identifier: String, length: String, splice: String?, breakKey: String, at now: WallTime) {
        counters.withLock { $0.breaks.pod(identifier, length: length, splice: splice, breakKey: breakKey, at: now) }
    }

    /// The answer begins to wait.
    func began() {
        counters.withLock { counters in
            counters.waiting += 1
            let most = counters.truth.delivery.maximumWaiters
            counters.truth.delivery.maximumWaiters = max(most, counters.waiting)
        }
    }

    func ended(after microseconds: Int64, late: Int64, instant: Int64) {
        counters.withLock { counters in
            counters.waiting -= 1
            counters.truth.delivery.ended(after: microseconds, late: late)
            if counters.lastRelease != instant { counters.truth.delivery.releases += 1 }
            counters.lastRelease = instant
        }
    }

    func count(_ count: any WritableKeyPath<GroundTruth.DeliveryTruth, Int> & Sendable) {
        counters.withLock { $0.truth.delivery[keyPath: count] += 1 }
    }

    func pathway(_ name: String) { counters.withLock { $0.truth.pathways[name, default: 0] += 1 } }

    func steering(isRefused: Bool, pathway: String?) {
        counters.withLock { counters in
            counters.truth.steering.refused += isRefused ? 1 : 0
            counters.truth.steering.answered += isRefused ? 0 : 1
            counters.truth.steering.withoutPathway += pathway == nil ? 1 : 0
            if let pathway { counters.truth.steering.reported.count(pathway, atMost: Self.maximumPathways) }
        }
    }

    /// Without sessions.
    func truth(at now: WallTime) -> GroundTruth {
        counters.withLock { counters in
            var truth = counters.truth
            for kind in RequestKind.allCases {
                let row = Int(kind.rawValue)
                var count = counters.requests[row]
                for place in 0..<500 where counters.answered[row * 500 + place] > 0 {
                    count.answered[String(place + 100)] = counters.answered[row * 500 + place]
                }
                truth.requests[kind.name] = count
            }
            for (name, count) in zip(faultNames, counters.faults) { truth.faults[name, default: 0] += count }
            truth.affected = counters.affected.truth
            counters.connections.write(to: &truth)
            truth.breaks = counters.breaks.breaks
            truth.startedMicroseconds = started.microseconds
            truth.readMicroseconds = now.microseconds
            return truth
        }
    }
}

/// Drops the oldest breaks; rare identifiers share one entry.
struct BreakBook: Sendable {
    /// More than a day of breaks each minute.
    static let maximumBreaks = 2_048
    /// Identifiers, lengths and splices per break.
    static let maximumIdentifiers = 256

    private(set) var breaks: [String: GroundTruth.BreakTruth] = [:]
    private var order: [String] = []

    /// Bytes; longer splices are cut.
    private static let longestSplice = 1_024

    /// Parameters are as spelt.
    mutating func pod(_ identifier: String, length: String, splice: String?, breakKey: String, at now: WallTime) {
        if breaks[breakKey] == nil {
            order.append(breakKey)
            if order.count > Self.maximumBreaks { breaks[order.removeFirst()] = nil }
        }
        var entry = breaks[breakKey] ?? GroundTruth.BreakTruth()
        entry.identifiers.count(identifier, atMost: Self.maximumIdentifiers)
        entry.lengths.count(length.prefix(Self.longestSplice), atMost: Self.maximumIdentifiers)
        if let splice { entry.splices.count(splice.prefix(Self.longestSplice), atMost: Self.maximumIdentifiers) }
        if entry.podRequests == 0 { entry.firstMicroseconds = now.microseconds }
        entry.podRequests += 1
        entry.lastMicroseconds = now.microseconds
        breaks[breakKey] = entry
    }
}

extension [String: Int] {
    /// Names beyond the limit share one entry: clients choose them.
    mutating func count(_ name: some StringProtocol, atMost limit: Int) {
        let name = String(name)
        self[self[name] != nil || count < limit ? name : Self.others, default: 0] += 1
    }

    static var others: String { "(other)" }
}

extension GroundTruth.DeliveryTruth {
    fileprivate mutating func ended(after microseconds: Int64, late: Int64) {
        held += 1
        heldMicroseconds += microseconds
        maximumHeldMicroseconds = max(maximumHeldMicroseconds, microseconds)
        maximumLateMicroseconds = max(maximumLateMicroseconds, late)
    }
}

struct FaultBook {
    /// Pairs of viewer and break, over weeks.
    private static let limit = 1_000_000

    private let names: [String]
    private var viewers: [[Int: Set<UInt64>]]
    private var notHeld: [Int]
    private var held = 0

    init(_ names: [String]) {
        self.names = names
        viewers = Array(repeating: [:], count: names.count)
        notHeld = Array(repeating: 0, count: names.count)
    }

    mutating func touched(_ fault: Int, viewer: UInt64, breakNumber: Int) {
        guard held < Self.limit else {
            notHeld[fault] += 1
            return
        }
        if viewers[fault][breakNumber, default: []].insert(viewer).inserted { held += 1 }
    }

    /// Merges faults of one name.
    var truth: [String: GroundTruth.FaultTruth] {
        var byBreak: [String: [Int: Set<UInt64>]] = [:]
        var truth: [String: GroundTruth.FaultTruth] = [:]
        for (place, name) in names.enumerated() {
            byBreak[name, default: [:]].merge(viewers[place]) { $0.union($1) }
            truth[name, default: GroundTruth.FaultTruth()].notHeld += notHeld[place]
        }
        for (name, breaks) in byBreak {
            truth[name]?.viewers = breaks.values.reduce(into: Set<UInt64>()) { $0.formUnion($1) }.count
            for (number, touched) in breaks { truth[name]?.breaks[String(number)] = touched.count }
        }
        return truth
    }
}

/// Number in `x-podswarm-viewer`, else stream id.
enum ViewerIdentity: Hashable, Sendable {
    case number(UInt64)
    /// Hash of the stream id, which is secret.
    case session(UInt64)
}

/// A number and a stream id on one connection are one viewer.
struct ConnectionBook: Sendable {
    private struct Connection {
        var number: UInt64?
        var session: UInt64?
        var requests = 0
        var isShared = false
    }

    private var open: [ObjectIdentifier: Connection] = [:]
    private var connectionsOfViewer: [UInt64: Int] = [:]
    private var truth = GroundTruth.ConnectionTruth()

    /// After true, `closed` must be called once.
    mutating func carried(_ kind: RequestKind, on identifier: ObjectIdentifier, by viewer: ViewerIdentity?) -> Bool {
        let isFirst = open[identifier] == nil
        if isFirst {
            truth.total += 1
            truth.openedFor[kind.name, default: 0] += 1
        }
        var connection = open[identifier] ?? Connection()
        connection.requests += 1
        truth.maximumRequests = max(truth.maximumRequests, connection.requests)
        if let viewer { attribute(viewer, to: &connection) }
        open[identifier] = connection
        return isFirst
    }

    mutating func closed(_ identifier: ObjectIdentifier) { open[identifier] = nil }

    private mutating func attribute(_ viewer: ViewerIdentity, to connection: inout Connection) {
        if connection.number == nil, connection.session == nil { truth.attributed += 1 }
        let isOther: Bool
        switch viewer {
        case .number(let number):
            isOther = connection.number.map { $0 != number } ?? false
            let opened = connection.number == nil ? 1 : 0
            if opened == 1 { connection.number = number }
            if opened == 1 || isOther { connectionsOfViewer[number, default: 0] += opened }
        case .session(let session):
            // A viewer that registers again keeps its connections: only its number identifies it.
            isOther = connection.number == nil && connection.session.map { $0 != session } ?? false
            connection.session = session
        }
        if isOther, !connection.isShared {
            connection.isShared = true
            truth.sharedBetweenSessions += 1
        }
    }

    func write(to all: inout GroundTruth) {
        all.connections = truth
        all.connections.open = open.count
        all.viewers.seen = connectionsOfViewer.count
        all.viewers.maximumConnections = connectionsOfViewer.values.max() ?? 0
    }
}

/// Drops the oldest; only the latest interstitials distinguish viewers.
struct InterstitialBook: Sendable {
    static let maximumInterstitials = 2_048
    /// Interstitials whose viewers are distinguished; a dropped one that returns counts its viewers anew.
    static let maximumDetailed = 16
    static let maximumViewers = 131_072
    /// For one interstitial.
    static let maximumOffsets = 64

    private struct Ping: Hashable {
        let viewer: UInt64
        let event: String
    }

    private struct Detail {
        var viewers: Set<UInt64> = []
        var pings: Set<Ping> = []
        var touched: UInt64 = 0
    }

    private(set) var truth: [String: GroundTruth.InterstitialTruth] = [:]
    private var order: [String] = []
    private var details: [String: Detail] = [:]
    private var requests: UInt64 = 0

    /// Answered with 200.
    mutating func list(_ identifier: String, viewer: UInt64?, startOffset: String?, hasPrimaryID: Bool) {
        note(identifier, viewer: viewer, hasPrimaryID: hasPrimaryID) { truth in
            truth.lists += 1
            if let startOffset { truth.startOffsets.count(startOffset, atMost: Self.maximumOffsets) }
        }
    }

    /// Answered with 200.
    mutating func asset(_ identifier: String, place: Int, viewer: UInt64?, hasPrimaryID: Bool) {
        note(identifier, viewer: viewer, hasPrimaryID: hasPrimaryID) { truth in
            truth.assets[String(place), default: 0] += 1
        }
    }

    /// `event` names the asset and the event.
    mutating func beacon(_ identifier: String, event: String, viewer: UInt64?) {
        var isRepeated = false
        if let viewer {
            changeDetail(identifier) { detail in
                guard detail.pings.count < Self.maximumViewers * 8 else { return }
                isRepeated = !detail.pings.insert(Ping(viewer: viewer, event: event)).inserted
            }
        }
        change(identifier) { truth in
            truth.beacons[event, default: 0] += 1
            if isRepeated { truth.repeatedBeacons += 1 }
        }
    }

    private mutating func note(
        _ identifier: String,
        viewer: UInt64?,
        hasPrimaryID: Bool,
        _ body: (inout GroundTruth.InterstitialTruth) -> Void
    ) {
        var isNew = false
        if let viewer {
            changeDetail(identifier) { detail in
                guard detail.viewers.count < Self.maximumViewers else { return }
                isNew = detail.viewers.insert(viewer).inserted
            }
        }
        change(identifier) { truth in
            if isNew { truth.viewers += 1 }
            if !hasPrimaryID { truth.withoutPrimary += 1 }
            body(&truth)
        }
    }

    private mutating func change(_ identifier: String, _ body: (inout GroundTruth.InterstitialTruth) -> Void) {
        if truth[identifier] == nil {
            order.append(identifier)
            if order.count > Self.maximumInterstitials { truth[order.removeFirst()] = nil }
        }
        body(&truth[identifier, default: GroundTruth.InterstitialTruth()])
    }

    private mutating func changeDetail(_ identifier: String, _ body: (inout Detail) -> Void) {
        requests += 1
        if details[identifier] == nil, details.count >= Self.maximumDetailed,
            let oldest = details.min(by: { $0.value.touched < $1.value.touched })?.key
        {
            details[oldest] = nil
        }
        details[identifier, default: Detail()].touched = requests
        body(&details[identifier, default: Detail()])
    }
}
