import Values

extension PlanRules {
    /// Above any real audience; more returns would take more memory than the rest of a run.
    private static let mostReturns = 5_000_000.0

    func judgeCurve() {
        guard let curve = plan.audience.curve else { return }
        reading["audience.ramp", "audience.curve", if: reading.isGiven("audience.ramp")] =
            "stands beside audience.curve, which says when viewers join"
        judgePoints(curve)
        judgeBreakLeaves(curve)
    }

    private func judgePoints(_ curve: CurvePlan) {
        let field = curve.shape == nil ? "audience.curve.points" : "audience.curve"
        // Unreadable points are missing here, which would change the order.
        guard reading.isWhollySound("audience.curve") else { return }
        reading[field, if: curve.points.isEmpty] = "has no point in it"
        let turned = zip(curve.points, curve.points.dropFirst()).first { $0.at > $1.at }
        let times = turned.map { [$1.at.text, $0.at.text] } ?? []
        reading[field, "duration", if: turned != nil] =
            "what is to be at \(times.joined(separator: " comes after what is to be at "))"
        let end = curve.points.map(\.at).max() ?? .zero
        reading[field, "duration", if: end > plan.duration] =
            "goes on until \(end.text), and the run ends at \(plan.duration.text)"
        let highest = curve.points.map(\.share).max() ?? 1
        reading[field, if: abs(highest - 1) > 1e-9] =
            "never reaches 100%, and audience.viewers is the most who watch at once"
    }

    private func judgeBreakLeaves(_ curve: CurvePlan) {
        guard let leaves = curve.breakLeaves else { return }
        let breaks: Double
        switch (leaves.instants, plan.breaks.source) {
        case (let instants?, _): breaks = Double(instants.count)
        case (nil, .every(let interval, _)): breaks = max(plan.duration / max(interval, .milliseconds(1)), 1)
        case (nil, .list(let instants)): breaks = Double(instants.count)
        case (nil, _):
            breaks = 0
            reading["audience.curve.leaves", "breaks.source", if: true] =
                "the breaks of this profile are not known before the run: say in at when they start; "
                + "allowed: at, or breaks.source with every or list"
        }
        let instants = leaves.instants ?? []
        let field = "audience.curve.leaves.at"
        let isTurned = zip(instants, instants.dropFirst()).contains { $0 >= $1 }
        reading[field, if: leaves.instants?.isEmpty ?? false || isTurned] =
            instants.isEmpty ? "has no break in it" : "the breaks are not in ascending order"
        let last = instants.last ?? .zero
        reading[field, "duration", if: last >= plan.duration] =
            "the break at \(last.text) is not before the end of the run at \(plan.duration.text)"
        let returning = breaks * Double(plan.audience.viewers) * leaves.share * leaves.returns
        let areMany = returning > Self.mostReturns
        reading["audience.curve.leaves", "audience.viewers", "breaks.source", "duration", if: areMany] =
            "\(Int(returning)) viewers would come back in all; "
            + "allowed: at most \(Int(Self.mostReturns)): viewers x breaks x share x returns"
    }
}
