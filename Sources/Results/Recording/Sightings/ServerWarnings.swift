package import Rules
import Values

/// The order of additions and the division of a run do not matter: a text kept for the whole is kept for each part.
package struct ServerWarnings: Equatable, Codable, Sendable {
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
}

extension ServerWarnings: EmptyWhereMissing, CheckedWhenRead {
    package var problem: String? {
        let isBounded = kinds.values.map(\.texts).allSatisfy { texts in
            texts.count <= Self.textsPerKind && texts.keys.allSatisfy { $0.unicodeScalars.count <= Self.textLimit }
        }
        return isBounded ? nil : "no warnings of a run"
    }
}
