package import Recording
package import Rules

/// Requests and errors of viewers in one step of a run, and viewers whose player gave up.
package struct SeriesCourse: Summable, Equatable, Codable, Sendable {
    /// Finished requests by kind name, without those that podswarm aborted; kinds without requests are omitted.
    package var requests: [String: UInt64] = [:]
    package var errors: [String: UInt64] = [:]
    package var retries: UInt64 = 0
    /// Players that gave up, and those of them that were closed.
    package var playersStopped: UInt64 = 0
    package var playersClosed: UInt64 = 0
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
        for counter in Self.counters { self[keyPath: counter.count] = interval.sums.viewers[counter.source] }
    }

    package func requests(of kinds: [RequestKind]) -> UInt64 { kinds.reduce(0) { $0 &+ (requests[$1.name] ?? 0) } }

    package func errors(of kinds: [RequestKind]) -> UInt64 { kinds.reduce(0) { $0 &+ (errors[$1.name] ?? 0) } }

    /// Adds the same step of another process, or the next step.
    package mutating func add(_ other: SeriesCourse) {
        requests.merge(other.requests, uniquingKeysWith: &+)
        errors.merge(other.errors, uniquingKeysWith: &+)
        for (_, count, _) in Self.counters { self[keyPath: count] &+= other[keyPath: count] }
    }

    private enum CodingKeys: CodingKey {
        case requests, errors, retries, playersStopped, playersClosed, abandoned, reopened, lost
    }

    private typealias Count = any WritableKeyPath<SeriesCourse, UInt64> & Sendable

    private static let counters: [(key: CodingKeys, count: Count, source: ViewerCounter)] = [
        (.retries, \.retries, .retries), (.playersStopped, \.playersStopped, .playersStopped),
        (.playersClosed, \.playersClosed, .playersClosed), (.abandoned, \.abandoned, .abandoned),
        (.reopened, \.reopened, .reopened), (.lost, \.lost, .lost),
    ]
}

extension SeriesCourse {
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        requests = try values.decodeIfPresent([String: UInt64].self, forKey: .requests) ?? [:]
        errors = try values.decodeIfPresent([String: UInt64].self, forKey: .errors) ?? [:]
        for (key, count, _) in Self.counters {
            self[keyPath: count] = try values.decodeIfPresent(UInt64.self, forKey: key) ?? 0
        }
    }

    /// Omits zeros: a run has thousands of steps.
    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        if !requests.isEmpty { try values.encode(requests, forKey: .requests) }
        if !errors.isEmpty { try values.encode(errors, forKey: .errors) }
        for (key, count, _) in Self.counters where self[keyPath: count] > 0 {
            try values.encode(self[keyPath: count], forKey: key)
        }
    }
}
