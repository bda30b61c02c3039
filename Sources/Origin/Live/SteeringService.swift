import HLS
import HTTPTypes

/// Content steering manifest (bis-22 section 7.2).
struct SteeringService: Sendable {
    static let path = "/steering/\(OriginConfiguration.channel).json"

    let plan: SteeringPlan
    let seed: UInt64

    func priority(at now: WallTime) -> [String] {
        guard let step = plan.switchEvery, step > .zero else { return plan.pathways }
        let turns = max(0, now.microseconds) / step.wholeMicroseconds
        let first = Int(turns % Int64(plan.pathways.count))
        return Array(plan.pathways[first...] + plan.pathways[..<first])
    }

    /// Decided anew after each `retryAfter`.
    func refuses(viewer: UInt64, at now: WallTime) -> Bool {
        guard plan.tooMany > 0 else { return false }
        let turn = UInt64(max(0, now.microseconds) / max(1, plan.retryAfter.wholeMicroseconds))
        return SeededHash(seed: seed, "steering", viewer, turn).unitInterval < plan.tooMany
    }

    /// 429 has a Retry-After.
    func answer(viewer: UInt64, at now: WallTime, form: SteeringForm = .own) -> Answer {
        guard !refuses(viewer: viewer, at: now) else {
            var answer = Answer.empty(.tooManyRequests)
            answer.fields[.retryAfter] = String(plan.retryAfter.components.seconds)
            return answer
        }
        let pathways = priority(at: now) + (form == .withStrangePathway ? [SteeringForm.strangePathway] : [])
        let names = pathways.map { "\"\($0)\"" }.joined(separator: ",")
        let timeToLive = form == .withoutTimeToLive ? "" : "\"TTL\":\(plan.ttl.components.seconds),"
        let text =
            "{\"VERSION\":1,\(timeToLive)\"RELOAD-URI\":\"\(Self.path)\","
            + "\"PATHWAY-PRIORITY\":[\(names)]}\n"
        return Answer(contentType: .json, caching: .none, body: text.utf8)
    }
}
