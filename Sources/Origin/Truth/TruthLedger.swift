import HLS
import Synchronization

/// Counts the origin's requests and answers for ground truth.
///
/// Safe for any thread; with the usual single event loop, its lock is never contended.
final class TruthLedger: Sendable {
    private struct Counters {
        var requests = [GroundTruth.KindCount](repeating: .init(), count: RequestKind.allCases.count)
        /// Index: 500 times the kind, plus the status less 100.
        var answered = [Int](repeating: 0, count: RequestKind.allCases.count * 500)
        var faults: [Int]
        var connections = ConnectionBook()
        var breaks = BreakBook()
        var affected: FaultBook
    }

    private let counters: Mutex<Counters>
    private let faultNames: [String]
    private let started: WallTime

    /// `faultNames` gives each fault its index.
    init(faultNames: [String], started: WallTime) {
        self.faultNames = faultNames
        self.started = started
        counters = Mutex(
            Counters(faults: Array(repeating: 0, count: faultNames.count), affected: FaultBook(faultNames))
        )
    }

    /// Counts a request head; true for the first on its connection.
    func received(_ kind: RequestKind, connection: ObjectIdentifier, viewer: ViewerIdentity?, redirected: Bool) -> Bool
    {
        counters.withLock { counters in
            counters.requests[Int(kind.rawValue)].redirected += redirected ? 1 : 0
            counters.requests[Int(kind.rawValue)].received += redirected ? 0 : 1
            return counters.connections.carried(kind, on: connection, by: viewer)
        }
    }

    /// Must be called for every connection that carried a request.
    func closed(connection: ObjectIdentifier) {
        counters.withLock { $0.connections.closed(connection) }
    }

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

    func pod(_ asked: PodAsked, breakKey: String, at now: WallTime) {
        counters.withLock { $0.breaks.pod(asked, breakKey: breakKey, at: now) }
    }

    /// Counts up to now, without sessions, which their registry adds.
    func truth(at now: WallTime) -> GroundTruth {
        counters.withLock { counters in
            var truth = GroundTruth()
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
            truth.connections = counters.connections.connectionTruth
            truth.viewers = counters.connections.viewerTruth
            truth.breaks = counters.breaks.breaks
            truth.startedMicroseconds = started.microseconds
            truth.readMicroseconds = now.microseconds
            return truth
        }
    }
}
