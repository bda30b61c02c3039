package import AdServing
package import Profile
import Values

/// Schedule and values of session updates: equal for a viewer's number in every run of one seed.
package struct SessionUpdates: Sendable {
    package let plan: SessionUpdatePlan
    private let seed: UInt64

    /// Nil if the profile plans no updates.
    package init?(_ session: SessionPlan, seed: UInt64) {
        guard let plan = session.updates else { return nil }
        self.plan = plan
        self.seed = seed
    }

    package func concern(viewer number: Int) -> Bool {
        var chance = ViewerChance(seed: seed &+ 0x5550_4454, viewer: number)
        return chance.happens(plan.share)
    }

    /// Nanoseconds until the next update: half the mean time to one and a half of it.
    package func wait(_ chance: inout ViewerChance) -> Int64 {
        Int64((0.5 + chance.unit()) * Double(plan.every.nanosecondsHeld))
    }

    package func told(by viewer: ViewerIdentity) -> [String: String] {
        plan.adTagParameters.mapValues { viewer.filled($0) }
    }
}
