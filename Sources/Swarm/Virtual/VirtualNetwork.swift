import Values
import Viewer

/// The network between viewers and a virtual target, which delays, loses and breaks answers at random from a seed.
package struct VirtualNetwork: Sendable, Equatable {
    enum Fate {
        case arrives
        case lost
        case reset
        case refused
    }

    /// Least delay of an answer.
    package var latency: Duration
    /// Upper bound of a uniform random delay on top.
    package var jitter = Duration.zero
    /// Further delay of answers that stall.
    package var stall = Duration.seconds(1)
    /// Shares of the answers, from 0 to 1, that stall, are lost, reset or refused with 503 by a server on the way.
    package var stalled = 0.0
    package var lost = 0.0
    package var reset = 0.0
    package var refused = 0.0
    /// Pod manifests that the ad server makes in a second, one after the other; nil: any number at once.
    package var podsPerSecond: Double?
    /// When the ad server has made all requested pods.
    private var isBusyUntil: Instant?
    private var numbers: SplitMix64

    /// Equal seeds draw the same for equal sequences of requests.
    package init(latency: Duration, seed: UInt64 = 0) {
        self.latency = latency
        numbers = SplitMix64(seed: seed)
    }

    mutating func next(_ role: ViewerRole, at now: Instant) -> (Fate, nanoseconds: Int64) {
        var way = max(latency.nanosecondsHeld, 0)
        if let podsPerSecond, role == .podManifest || role == .podRepeat {
            let made = max(isBusyUntil ?? now, now).later(by: Int64(1e9 / podsPerSecond))
            isBusyUntil = made
            way += made.nanoseconds(since: now)
        }
        if jitter > .zero { way += Int64(numbers.unit() * Double(jitter.nanosecondsHeld)) }
        if stalled > 0, numbers.unit() < stalled { way += stall.nanosecondsHeld }
        guard lost + reset + refused > 0 else { return (.arrives, way) }
        let chance = numbers.unit()
        if chance < lost { return (.lost, way) }
        if chance < lost + reset { return (.reset, way) }
        return (chance < lost + reset + refused ? .refused : .arrives, way)
    }
}
