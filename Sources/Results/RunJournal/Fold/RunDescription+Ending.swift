import Recording
import Rules

extension RunDescription {
    /// Copy with the ending, the observed figures and the carriers of requests.
    func ended(_ ending: RunEnding, totals: RunTotals) -> RunDescription {
        var ended = self
        ended.endedAtMicroseconds = ending.endedAtMicroseconds
        ended.transports = Self.carriers(of: totals) + transports
        (ended.interrupted, ended.abortedBy, ended.recovered) = (ending.interrupted, ending.abortedBy, nil)
        for index in ended.asked.indices {
            ended.asked[index].observed = ended.observed(asked[index], totals: totals)
        }
        return ended
    }

    private func observed(_ asked: Asked, totals: RunTotals) -> Double? {
        let joined = totals.viewers.people
        let churned = totals.count(of: .churned)
        return switch asked.name {
        case Asked.viewers: Double(joined > churned ? joined - churned : 0)
        case Asked.churnedViewers: Double(churned)
        case Asked.duration: Double(endedAtMicroseconds &- startedAtMicroseconds) / 1e6
        default: asked.observed
        }
    }

    private static func carriers(of totals: RunTotals) -> [String] {
        Carrier.allCases.filter { carrier in
            RequestKind.allCases.contains { totals.requests.carried($0, by: carrier) > 0 }
        }.map { $0 == .curl ? "libcurl" : $0.name }
    }
}

extension RunDescription.Asked {
    package static let viewers = "viewers"
    package static let churnedViewers = "churned_viewers"
    package static let duration = "duration"
}
