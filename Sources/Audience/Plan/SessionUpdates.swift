package import AdServing
package import LoadProfile
import Time

/// Who tells the ad server something else in mid-session, when, and what: the same for a number in every run of one seed.
package struct SessionUpdates: Sendable {
    package let plan: SessionUpdatePlan
    private let seed: UInt64

    /// - Parameters:
    ///   - session: What the profile says of sessions; nobody updates any where it does not say so.
    ///   - seed: Of the run.
    package init?(_ session: SessionPlan, seed: UInt64) {
        guard let plan = session.updates else { return nil }
        self.plan = plan
        self.seed = seed
    }

    /// Whether a viewer is one of those who do.
    package func concern(viewer number: Int) -> Bool {
        var chance = ViewerChance(seed: seed &+ 0x5550_4454, viewer: number)
        return chance.happens(plan.share)
    }

    /// Nanoseconds until a viewer's next update: from half the mean time to one and a half of it.
    ///
    /// - Parameter chance: The viewer's own.
    /// - Returns: Another number each time.
    package func wait(_ chance: inout ViewerChance) -> Int64 {
        Int64((0.5 + chance.unit()) * Double(plan.every.nanosecondsHeld))
    }

    /// What a viewer tells anew.
    ///
    /// - Parameter viewer: Who it is.
    /// - Returns: New values, by parameter.
    package func told(by viewer: ViewerIdentity) -> [String: String] {
        plan.adTagParameters.mapValues { viewer.filled($0) }
    }
}
