/// What viewers said of themselves in one header or parameter, as an origin counts it.
package struct ToldCount: Codable, Sendable, Equatable {
    /// Requests of numbered viewers with it, of those that it is to stand in.
    package var requests = 0
    package var requestsWithout = 0
    /// The numbers of those who said it, in ascending order as `0-4999,5001`.
    package var numbers = ""
    /// Viewers by the value that they said first, as it was spelt, for the first 64 values; of a secret none.
    package var values: [String: Int] = [:]
    package var viewersOfOtherValues = 0
    /// Requests in which a viewer said something else than at first, and of registrations than in updates too.
    package var changed = 0
    /// Requests of viewers for whom there was no more room: a million are told apart.
    package var notHeld = 0
    /// Of all viewers and their values, as `ToldDigest` makes it.
    package var digest = ""

    package init() {}

    /// Writes numbers.
    ///
    /// - Parameter viewers: In ascending order.
    /// - Returns: Their ranges.
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

    /// The ranges of those who said it; what cannot be read is left out.
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

/// How often an origin gave viewers cookies of their own, and had them back.
package struct CookieCount: Codable, Sendable, Equatable {
    /// Answers that set one, because the request came without it.
    package var set = 0
    /// Requests that brought it back.
    package var returned = 0
    /// Requests that brought another viewer's, or several.
    package var foreign = 0

    package init() {}
}
