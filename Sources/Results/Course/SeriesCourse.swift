package import Recording
package import Rules

/// Requests and errors of viewers in one step of a run, and viewers whose player gave up.
package struct SeriesCourse: Equatable, Codable, Sendable {
    /// Finished requests by kind name, without those that podswarm aborted; kinds without requests are omitted.
    package var requests: [String: UInt64] = [:]
    package var errors: [String: UInt64] = [:]
    package var retries: UInt64 = 0
    /// Players that gave up, and those of them that were closed.
    package var stopped: UInt64 = 0
    package var closed: UInt64 = 0
    /// Viewers that left because nothing was shown.
    package var abandoned: UInt64 = 0
    package var reopened: UInt64 = 0
    /// Viewers that left for good.
    package var lost: UInt64 = 0

    package init() {}

    package init(_ interval: RunInterval) {
        for (kind, tally) in interval.sums.requests.tallies() {
            let cutOff = interval.sums.requests.count(kind) { $0 == .failure(.abandoned) }
            guard tally.count > cutOff else { continue }
            requests[kind.name] = tally.count - cutOff
            if tally.errors > 0 { errors[kind.name] = tally.errors }
        }
        retries = interval.sums.viewers[.retries]
        abandoned = interval.sums.viewers[.abandoned]
        reopened = interval.sums.viewers[.reopened]
        lost = interval.sums.viewers[.lost]
        stopped = interval.sums.viewers[.playersStopped]
        closed = interval.sums.viewers[.playersClosed]
    }

    package func requests(of kinds: [RequestKind]) -> UInt64 { kinds.reduce(0) { $0 &+ (requests[$1.name] ?? 0) } }

    package func errors(of kinds: [RequestKind]) -> UInt64 { kinds.reduce(0) { $0 &+ (errors[$1.name] ?? 0) } }

    fileprivate mutating func add(_ other: SeriesCourse) {
        requests.merge(other.requests, uniquingKeysWith: &+)
        errors.merge(other.errors, uniquingKeysWith: &+)
        retries &+= other.retries
        stopped &+= other.stopped
        closed &+= other.closed
        abandoned &+= other.abandoned
        reopened &+= other.reopened
        lost &+= other.lost
    }

    private enum CodingKeys: String, CodingKey {
        case requests
        case errors
        case retries
        case stopped = "players_stopped"
        case closed = "players_closed"
        case abandoned
        case reopened
        case lost
    }
}

extension SeriesCourse {
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        requests = try values.decodeIfPresent([String: UInt64].self, forKey: .requests) ?? [:]
        errors = try values.decodeIfPresent([String: UInt64].self, forKey: .errors) ?? [:]
        retries = try values.decodeIfPresent(UInt64.self, forKey: .retries) ?? 0
        stopped = try values.decodeIfPresent(UInt64.self, forKey: .stopped) ?? 0
        closed = try values.decodeIfPresent(UInt64.self, forKey: .closed) ?? 0
        abandoned = try values.decodeIfPresent(UInt64.self, forKey: .abandoned) ?? 0
        reopened = try values.decodeIfPresent(UInt64.self, forKey: .reopened) ?? 0
        lost = try values.decodeIfPresent(UInt64.self, forKey: .lost) ?? 0
    }

    /// Omits zeros: a run has thousands of steps.
    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        if !requests.isEmpty { try values.encode(requests, forKey: .requests) }
        if !errors.isEmpty { try values.encode(errors, forKey: .errors) }
        for (key, count) in [
            (CodingKeys.retries, retries), (.stopped, stopped), (.closed, closed), (.abandoned, abandoned),
            (.reopened, reopened), (.lost, lost),
        ] where count > 0 { try values.encode(count, forKey: key) }
    }
}

extension SeriesCourse? {
    /// Adds the same step of another process, or the next step.
    mutating func add(_ other: SeriesCourse) {
        var sum = self ?? SeriesCourse()
        sum.add(other)
        self = sum
    }
}
