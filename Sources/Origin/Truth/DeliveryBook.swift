import HLS
import Synchronization

/// Safe for any thread.
final class DeliveryBook: Sendable {
    private struct Counters {
        var delivery = GroundTruth.DeliveryTruth()
        var waiting = 0
        var lastRelease: Int64 = .min
        var pathways: [String: Int] = [:]
        var steering = GroundTruth.SteeringTruth()
    }

    /// Clients name them.
    private static let maximumPathways = 32

    private let counters = Mutex(Counters())

    /// The answer begins to wait.
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

    func pathway(_ name: String) { counters.withLock { $0.pathways[name, default: 0] += 1 } }

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

    private var entries: [String: GroundTruth.InterstitialTruth] = [:]
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

    var truth: [String: GroundTruth.InterstitialTruth] { entries }

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
        if entries[identifier] == nil {
            order.append(identifier)
            if order.count > Self.maximumInterstitials { entries[order.removeFirst()] = nil }
        }
        body(&entries[identifier, default: GroundTruth.InterstitialTruth()])
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
