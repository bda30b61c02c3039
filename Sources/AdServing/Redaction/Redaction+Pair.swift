import Values

extension Redaction {
    /// Names in `observed` the masked values that differ: two addresses with different signatures would be equal texts.
    package static func pair(
        expected: String,
        observed: String,
        own: StreamID?
    ) -> (expected: String, observed: String) {
        let shown = (expected: text(expected, own: own), observed: text(observed, own: own))
        guard expected != observed, shown.expected.contains(mark), shown.observed.contains(mark) else { return shown }
        let (left, right) = (values(in: expected), values(in: observed))
        let masked = values(in: shown.expected).filter { $0.value.contains(mark) }
        var names: [String] = []
        // Only names that both texts show: what looks like a name in the raw text may be a part of a secret.
        for (name, value) in values(in: shown.observed)
        where value.contains(mark) && !names.contains(name) && masked.contains(where: { $0.name == name }) {
            let isSame = left.filter { $0.name == name }.map(\.value) == right.filter { $0.name == name }.map(\.value)
            if !isSame { names.append(name) }
            if names.count == mostNames { break }
        }
        if !names.isEmpty {
            return (shown.expected, "differs in the masked \(names.joined(separator: ", ")): \(shown.observed)")
        }
        guard shown.expected == shown.observed else { return shown }
        return (shown.expected, "differs in what is masked: \(shown.observed)")
    }

    private static let mostNames = 8
    private static let mostValues = 64

    private static func values(in text: String) -> [(name: String, value: String)] {
        text.utf8.prefix(longestCompared).split(maxSplits: .max) { separators.contains($0) }.prefix(mostValues * 4)
            .compactMap { piece -> (name: String, value: String)? in
                guard let equals = piece.firstIndex(of: UInt8(ascii: "=")), equals > piece.startIndex else {
                    return nil
                }
                let value = piece[piece.index(after: equals)...]
                return (String(Substring(piece[..<equals])), String(Substring(value)))
            }
    }

    private static let longestCompared = 16 << 10
    private static let separators = Set("?&;,\" \t\r\n#".utf8)
}
