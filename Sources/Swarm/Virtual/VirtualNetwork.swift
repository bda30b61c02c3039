import Audience
import Chance
import Time

/// The way between viewers and a virtual target, which delays, loses and breaks answers by chance from a seed.
package struct VirtualNetwork: Sendable, Equatable {
    /// What becomes of an answer.
    enum Fate {
        case arrives
        /// Nothing arrives: the client waits as long as it does.
        case lost
        case reset
        /// A server on the way answers in the target's place, with 503.
        case refused
    }

    /// How long an answer is at least on its way.
    package var latency: Duration
    /// How much longer some take: each length is as likely as the others.
    package var jitter = Duration.zero
    /// How much longer yet those take that stall.
    package var stall = Duration.seconds(1)
    /// Shares of the answers, from 0 to 1, that stall, are lost, reset and refused.
    package var stalled = 0.0
    package var lost = 0.0
    package var reset = 0.0
    package var refused = 0.0
    /// Pod manifests that the ad server makes in a second, one after the other as they are asked for; nil: any number at once.
    package var podsPerSecond: Double?
    /// When it has made all that it was asked for.
    private var isBusyUntil: Instant?
    private var numbers: SplitMix64

    /// - Parameters:
    ///   - latency: Of all answers.
    ///   - seed: Equal seeds draw the same for equal sequences of requests.
    package init(latency: Duration, seed: UInt64 = 0) {
        self.latency = latency
        numbers = SplitMix64(seed: seed)
    }

    /// Draws for the next request.
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
