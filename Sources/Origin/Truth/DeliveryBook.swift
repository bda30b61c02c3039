import Synchronization

/// Counts low-latency delivery, pathways and steering; safe for any thread.
final class DeliveryBook: Sendable {
    private struct Counters {
        var delivery = GroundTruth.DeliveryTruth()
        var waiting = 0
        var lastRelease: Int64 = .min
        var pathways: [String: Int] = [:]
        var steering = GroundTruth.SteeringTruth()
    }

    /// Limit of client-named pathways.
    private static let maximumPathways = 32

    private let counters = Mutex(Counters())

    /// Counts an answer that begins to wait.
    func began() {
        counters.withLock { counters in
            counters.waiting += 1
            counters.delivery.maximumWaiters = max(counters.delivery.maximumWaiters, counters.waiting)
        }
    }

    func ended(after microseconds: Int64, late: Int64, instant: Int64) {
        counters.withLock { counters in
            counters.waiting -= 1
            counters.delivery.held += 1
            counters.delivery.heldMicroseconds += microseconds
            counters.delivery.maximumHeldMicroseconds = max(counters.delivery.maximumHeldMicroseconds, microseconds)
            counters.delivery.maximumLateMicroseconds = max(counters.delivery.maximumLateMicroseconds, late)
            if counters.lastRelease != instant {
                counters.lastRelease = instant
                counters.delivery.releases += 1
            }
        }
    }

    func count(_ count: any WritableKeyPath<GroundTruth.DeliveryTruth, Int> & Sendable) {
        counters.withLock { $0.delivery[keyPath: count] += 1 }
    }

    func pathway(_ name: String) {
        counters.withLock { $0.pathways[name, default: 0] += 1 }
    }

    /// Counts a request for a steering manifest by the client's pathway.
    func steering(isRefused: Bool, pathway: String?) {
        counters.withLock { counters in
            if isRefused { counters.steering.refused += 1 } else { counters.steering.answered += 1 }
            guard let pathway else {
                counters.steering.withoutPathway += 1
                return
            }
            counters.steering.reported.count(pathway, atMost: Self.maximumPathways)
        }
    }

    func write(to truth: inout GroundTruth) {
        counters.withLock { counters in
            truth.delivery = counters.delivery
            truth.pathways = counters.pathways
            truth.steering = counters.steering
        }
    }
}
