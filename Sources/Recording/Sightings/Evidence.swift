/// One observed instance of a finding, as text that may leave the process.
///
/// The creator must have redacted stream ids, tokens and keys.
package struct Evidence: Hashable, Comparable, Codable, Sendable {
    package static let textLimit = 512

    package var url: String
    package var expected: String
    package var observed: String
    package var served: ServedBy

    /// Limits each text to 512 characters, because foreign bodies may be of any length.
    package init(url: String, expected: String, observed: String, served: ServedBy = .unknown) {
        self.url = Self.bounded(url)
        self.expected = Self.bounded(expected)
        self.observed = Self.bounded(observed)
        self.served = served
    }

    package func saying(expected: String, observed: String) -> Evidence {
        Evidence(url: url, expected: expected, observed: observed, served: served)
    }

    static func bounded(_ text: String) -> String {
        text.utf8.count <= textLimit ? text : String(text.prefix(textLimit - 1)) + "…"
    }

    package static func < (lhs: Evidence, rhs: Evidence) -> Bool {
        (lhs.url, lhs.expected, lhs.observed, lhs.served) < (rhs.url, rhs.expected, rhs.observed, rhs.served)
    }
}
