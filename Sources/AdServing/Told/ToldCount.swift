/// Viewers' values of one header or parameter, as counted by an origin.
package struct ToldCount: Codable, Sendable, Equatable {
    /// Requests of numbered viewers that have the field; `requestsWithout` of those that lack it.
    package var requests = 0
    package var requestsWithout = 0
    /// Numbers of viewers that sent it, ascending, as `0-4999,5001`.
    package var numbers = ""
    /// Viewers by their first value as spelt, for the first 64 values; empty for a secret.
    package var values: [String: Int] = [:]
    package var viewersOfOtherValues = 0
    /// Requests whose value differs from the viewer's first, and a registration's also from that of its updates.
    package var changed = 0
    /// Requests of viewers beyond the limit of one million.
    package var notHeld = 0
    /// `ToldDigest` of all viewers and their values.
    package var digest = ""

    package init() {}

    package static func numbers(_ viewers: [UInt64]) -> String {
        var parts: [String] = []
        var start = 0
        for index in viewers.indices {
            let isLast = index + 1 == viewers.count || viewers[index + 1] != viewers[index] &+ 1
            guard isLast else { continue }
            parts.append(index == start ? "\(viewers[index])" : "\(viewers[start])-\(viewers[index])")
            start = index + 1
        }
        return parts.joined(separator: ",")
    }

    /// Ranges in `numbers`; invalid ones are ignored.
    package var viewers: [ClosedRange<UInt64>] {
        numbers.split(separator: ",").compactMap { part in
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { UInt64($0) }
            guard ends.count <= 2, let first = ends.first ?? nil, let last = ends.last ?? nil, first <= last else {
                return nil
            }
            return first...last
        }
    }
}

/// Cookies that an origin set for viewers, and those returned.
package struct CookieCount: Codable, Sendable, Equatable {
    /// Answers that set a cookie because the request had none.
    package var set = 0
    package var returned = 0
    /// Requests with another viewer's cookie, or with several.
    package var foreign = 0

    package init() {}
}
