/// One observed instance of a finding, as text that may leave the process.
///
/// Whoever builds it has redacted stream ids, tokens and keys already.
package struct Evidence: Hashable, Comparable, Codable, Sendable {
    package static let textLimit = 512

    package var url: String
    package var expected: String
    package var observed: String
    package var served: ServedBy

    /// Keeps at most 512 characters of each text, because foreign bodies may be of any length.
    ///
    /// - Parameters:
    ///   - url: The redacted URL.
    ///   - expected: What a correct answer would have been.
    ///   - observed: What came instead.
    ///   - served: Who served it.
    package init(url: String, expected: String, observed: String, served: ServedBy = .unknown) {
        self.url = Self.bounded(url)
        self.expected = Self.bounded(expected)
        self.observed = Self.bounded(observed)
        self.served = served
    }

    /// The same sighting, held against something else.
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
