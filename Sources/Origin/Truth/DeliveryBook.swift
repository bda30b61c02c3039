import Synchronization

/// Counts what low-latency delivery, pathways and steering did.
///
/// Any thread may call it.
final class DeliveryBook: Sendable {
    private struct Counters {
        var delivery = GroundTruth.DeliveryTruth()
        var waiting = 0
        var lastRelease: Int64 = .min
        var pathways: [String: Int] = [:]
        var steering = GroundTruth.SteeringTruth()
    }

    /// Different pathways that clients may name; further ones are counted as `otherPathways`.
    private static let maximumPathways = 32
    static let otherPathways = "(other)"

    private let counters = Mutex(Counters())

    /// An answer begins to wait.
    func began() {
        counters.withLock { counters in
            counters.waiting += 1
            counters.delivery.maximumWaiters = max(counters.delivery.maximumWaiters, counters.waiting)
        }
    }

    /// Counts an answer that was held for a time, and how long after the promised instant it is sent.
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

    /// Adds to one of the counts of delivery.
    func count(_ count: any WritableKeyPath<GroundTruth.DeliveryTruth, Int> & Sendable) {
        counters.withLock { $0.delivery[keyPath: count] += 1 }
    }

    /// A request came on a pathway.
    func pathway(_ name: String) {
        counters.withLock { $0.pathways[name, default: 0] += 1 }
    }

    /// A steering manifest was asked for by a client on this pathway.
    func steering(isRefused: Bool, pathway: String?) {
        counters.withLock { counters in
            if isRefused { counters.steering.refused += 1 } else { counters.steering.answered += 1 }
            guard let pathway else {
                counters.steering.withoutPathway += 1
                return
            }
            let isListed =
                counters.steering.reported[pathway] != nil || counters.steering.reported.count < Self.maximumPathways
            counters.steering.reported[isListed ? pathway : Self.otherPathways, default: 0] += 1
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
