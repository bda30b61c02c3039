import AdServing
import Values

extension PlanRules {
    /// Only `aimingParameter` aims pods; nil means that any parameter may, an empty one that none does.
    func judgeUpdates(_ session: SessionPlan, at field: String, aimedBy aimingParameter: String?) {
        guard let updates = session.updates else { return }
        let section = "\(field).sessionUpdates"
        let parameters = "\(section).adTagParameters"
        rule("\(section).every", "duration", isBroken: updates.every >= plan.duration) {
            "\(updates.every.text)\(isDefault("\(section).every")) is not shorter than the run of "
                + plan.duration.text
        }
        reading.rule(
            parameters,
            "\(field).adTagParameters",
            isBroken: updates.adTagParameters.allSatisfy { session.adTagParameters[$0.key] == $0.value }
                && reading.isWhollySound(parameters),
            message: "says what viewers register with anyway",
            allowed: "other values than those of \(field).adTagParameters"
        )
        reading.rule(
            parameters,
            "\(field).custParams",
            isBroken: session.custParams != nil
                && updates.adTagParameters[WireName.customParametersParameter] != nil,
            message: "has cust_params, which each pod request tells again as \(field).custParams says",
            allowed: "one of the two"
        )
        let mayAim = aimingParameter.map { updates.adTagParameters[$0] != nil } ?? true
        reading.rule(
            section,
            "pods.match",
            "pods.matchStitched",
            "pods.matchLadder",
            "pods.matchVarying",
            "pods.repeatShare",
            isBroken: mayAim && (plan.pods.comparesCohorts || plan.pods.repeatShare > 0),
            message: "a viewer that says something else may be given other pods than its cohort, and than before",
            allowed: "no cohort in pods.match and its like and no pods.repeatShare, or no parameter that aims pods"
        )
    }

    func judgeUpdates(_ origin: EmbeddedOriginPlan) {
        reading.rule(
            "target.embedded.sessionUpdates",
            "target.embedded.shape",
            isBroken: origin.session.updates != nil && origin.shape != .podServing,
            message: "has no effect in this shape",
            allowed: "pod-serving"
        )
        judgeUpdates(origin.session, at: "target.embedded", aimedBy: origin.aimingParameter ?? "")
    }
}
