import Recording
import Rules

/// Warnings of the ad server in the headers of its answers to one kind of request.
package struct ServerWarningResult: Equatable, Codable, Sendable {
    package struct Text: Equatable, Codable, Sendable {
        /// Redacted.
        package var text: String
        package var answers: UInt64
    }

    package var kind: String
    package var answers: UInt64
    /// Some of the texts, most frequent first.
    package var texts: [Text]

    static func all(_ warnings: ServerWarnings) -> [ServerWarningResult]? {
        warnings.isEmpty
            ? nil
            : RequestKind.allCases.compactMap { kind in
                warnings.kinds[kind].map { ServerWarningResult(kind: kind.name, $0) }
            }
    }

    private init(kind: String, _ entry: ServerWarnings.Entry) {
        self.kind = kind
        answers = entry.answers
        texts = entry.texts.map { Text(text: $0.key, answers: $0.value) }
            .sorted { ($1.answers, $0.text) < ($0.answers, $1.text) }
    }
}
