import Values

/// Viewers' values of one header or parameter, as counted by an origin.
package struct ToldCount: Codable, Sendable, Equatable {
    /// Requests of numbered viewers that have the field.
    package var requests = 0
    package var requestsWithout = 0
    /// Ascending, as `0-4999,5001`.
    package var numbers = ""
    /// Viewers by their first value, for the first 64 values; empty for a secret.
    package var values: [String: Int] = [:]
    package var viewersOfOtherValues = 0
    /// Requests whose value differs from the viewer's first; a registration's also from that of its updates.
    package var changed = 0
    /// Requests of viewers beyond the limit of one million.
    package var notHeld = 0
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

    /// Hash of a viewer's value.
    package static func hash(_ value: String, of viewer: UInt64) -> UInt64 {
        var hash = RunHash()
        withUnsafeBytes(of: viewer.littleEndian) { hash.add($0) }
        hash.add(value)
        return hash.value
    }

    /// Digest of the hashes of all viewers, independent of their order.
    package static func digest(of hashes: some Sequence<UInt64>) -> String {
        hashes.reduce(0, &+).hexadecimal(digits: 16)
    }

    /// Invalid ranges are ignored.
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

/// Header or parameter whose values an origin counts per viewer.
package struct CountedField: Sendable, Equatable, Codable {
    package enum Place: String, Sendable, Codable {
        case header, registration, pod
        /// A later registration of the viewer may repeat the value.
        case update
    }

    package var place: Place
    /// Lower case for a header.
    package var name: String
    /// False for a secret.
    package var showsValues: Bool

    package init(_ place: Place, _ name: String, showsValues: Bool = true) {
        (self.place, self.name, self.showsValues) = (place, name, showsValues)
    }

    package var title: String { "\(place.rawValue) \(name)" }
}
