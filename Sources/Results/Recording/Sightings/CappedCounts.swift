package import Rules
import Values

/// Requests not sent because their host is not authorised; a row kept for the whole is kept for each part.
package struct LeftOutLedger: Equatable, Codable, Sendable, EmptyWhereMissing, CheckedWhenRead {
    /// The first in their order are kept.
    package static let limit = 32
    package static let hostLimit = 255

    package struct Key: Hashable, Comparable, Codable, Sendable {
        package let kind: RequestKind
        /// With a port that is not the scheme's default, as in a profile.
        package let host: String
        /// Profile field that would allow the host; empty if the target has none.
        package let field: String
        /// Status; nil for a first request.
        package let redirect: Int?

        package init(_ kind: RequestKind, host: String, field: String, redirect: Int? = nil) {
            (self.kind, self.redirect) = (kind, redirect)
            self.host = String(String.UnicodeScalarView(host.unicodeScalars.prefix(LeftOutLedger.hostLimit)))
            self.field = field
        }

        package static func < (lhs: Key, rhs: Key) -> Bool {
            (lhs.kind.rawValue, lhs.host, lhs.field, lhs.redirect ?? 0)
                < (rhs.kind.rawValue, rhs.host, rhs.field, rhs.redirect ?? 0)
        }
    }

    /// Includes hosts that are not kept.
    package private(set) var requests: UInt64 = 0
    package private(set) var rows: [Key: UInt64] = [:]

    package init() {}

    package var isEmpty: Bool { requests == 0 }

    package mutating func count(_ key: Key) {
        requests &+= 1
        rows.add([key: 1], limit: Self.limit)
    }

    package mutating func add(_ other: LeftOutLedger) {
        requests &+= other.requests
        rows.add(other.rows, limit: Self.limit)
    }

    package var problem: String? {
        let isBounded =
            requests < 1 << 48 && rows.count <= Self.limit
            && rows.keys.allSatisfy { $0.host.unicodeScalars.count <= Self.hostLimit }
        return isBounded ? nil : "\(requests) requests to \(rows.count) hosts"
    }
}

/// The order of additions and the division of a run do not matter: a text kept for the whole is kept for each part.
package struct ServerWarnings: Equatable, Codable, Sendable, EmptyWhereMissing, CheckedWhenRead {
    /// The first in the order of texts are kept.
    package static let textsPerKind = 5
    /// Code points, as the schema of a result counts characters.
    package static let textLimit = 200

    package struct Entry: Equatable, Codable, Sendable {
        package fileprivate(set) var answers: UInt64 = 0
        package fileprivate(set) var texts: [String: UInt64] = [:]
    }

    package private(set) var kinds: [RequestKind: Entry] = [:]

    package init() {}

    package var isEmpty: Bool { kinds.isEmpty }

    /// `text` must be redacted.
    package mutating func count(_ kind: RequestKind, _ text: String) { add(1, [Self.bounded(text): 1], to: kind) }

    package mutating func add(_ other: ServerWarnings) {
        for (kind, entry) in other.kinds { add(entry.answers, entry.texts, to: kind) }
    }

    private mutating func add(_ answers: UInt64, _ texts: [String: UInt64], to kind: RequestKind) {
        kinds[kind, default: Entry()].answers &+= answers
        kinds[kind]?.texts.add(texts, limit: Self.textsPerKind)
    }

    private static func bounded(_ text: String) -> String {
        let scalars = text.unicodeScalars
        return scalars.count <= textLimit ? text : String(scalars.prefix(textLimit - 1)) + "…"
    }

    package var problem: String? {
        let isBounded = kinds.values.map(\.texts).allSatisfy { texts in
            texts.count <= Self.textsPerKind && texts.keys.allSatisfy { $0.unicodeScalars.count <= Self.textLimit }
        }
        return isBounded ? nil : "no warnings of a run"
    }
}
