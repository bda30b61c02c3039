/// The channel plan's `steering` section: several pathways to the channel and a manifest that says which one to take
/// (bis-22 section 7).
struct SteeringPlan: Sendable, Equatable {
    /// Names of the pathways; the first one is where players begin.
    var pathways = ["a", "b"]
    /// TTL of the manifest.
    var ttl: Duration = .seconds(300)
    /// After this time, counted from the Unix epoch, another pathway comes first; nil: the first always does.
    var switchEvery: Duration?
    /// Share of the manifest requests answered 429, from 0 to 1.
    var tooMany = 0.0
    /// Retry-After of a 429.
    var retryAfter: Duration = .seconds(10)

    static func read(_ node: PlanNode) -> SteeringPlan {
        node.refuseUnknownKeys(allowed: ["pathways", "ttl", "switchEvery", "tooMany", "retryAfter"])
        var plan = SteeringPlan()
        if let list = node["pathways"] {
            let names = list.words
            let isAllowed = names.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { $0.isUnreserved && $0 != 0x7E } }
            if isAllowed, (1...8).contains(names.count), Set(names).count == names.count {
                plan.pathways = names
            } else {
                list.note("pathways must be a list of one to 8 different names such as [a, b]")
            }
        }
        plan.ttl = node.duration("ttl", .seconds(1)...(.seconds(86_400))) ?? plan.ttl
        plan.switchEvery = node.duration("switchEvery", .seconds(1)...(.seconds(86_400)))
        plan.tooMany = node.share("tooMany") ?? plan.tooMany
        plan.retryAfter = node.duration("retryAfter", .seconds(1)...(.seconds(3_600))) ?? plan.retryAfter
        return plan
    }
}
