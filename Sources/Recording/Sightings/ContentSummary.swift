/// What a body holds, as bounded text in pieces, so that two bodies that should be one can be held against each other
/// long after both are gone.
package struct ContentSummary: Sendable {
    private static let separator = "; "

    /// At most as long as evidence is shown.
    package private(set) var text = ""

    package init() {}

    /// True where a further piece would not be shown.
    package var isFull: Bool { text.utf8.count > Evidence.textLimit }

    /// Adds a piece, already redacted.
    ///
    /// - Parameter piece: One thing that the body holds, for example an ad's address and duration.
    package mutating func add(_ piece: String) {
        guard !isFull else { return }
        text += text.isEmpty ? piece : Self.separator + piece
    }

    /// Two summaries from the first piece in which they differ.
    ///
    /// - Parameters:
    ///   - expected: What is held to be right.
    ///   - observed: What is held against it.
    /// - Returns: What to show of each.
    package static func difference(_ expected: String, _ observed: String) -> (expected: String, observed: String) {
        guard expected != observed else { return (expected, "another body that differs in what is not told here") }
        let one = expected.split(separator: separator)
        let other = observed.split(separator: separator)
        let equal = zip(one, other).prefix { $0 == $1 }.count
        return (rest(of: one, after: equal), rest(of: other, after: equal))
    }

    private static func rest(of pieces: [Substring], after equal: Int) -> String {
        let rest = pieces.dropFirst(equal).joined(separator: separator)
        guard equal > 0 else { return rest }
        return rest.isEmpty ? "nothing after \(equal) equal parts" : "after \(equal) equal parts: \(rest)"
    }
}
