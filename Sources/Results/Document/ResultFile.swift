package import Foundation
package import Values

package enum ResultFile {
    /// `followsLinks` suits names that the user gave.
    package static func contents(
        of path: String,
        followsLinks: Bool = true
    ) throws(ResultDocument.ReadingError) -> Data {
        do throws(UntrustedFile.Refusal) {
            let mebibytes = JSONLimits.result.bytes >> 20
            return try UntrustedFile.contents(of: path, mebibytes: mebibytes, followsLinks: followsLinks)
        } catch {
            if case .larger = error { throw .unbounded(.tooLarge) }
            throw .unreadable(error)
        }
    }
}

extension DecodingError {
    /// Names the place; control characters of names become spaces, because they could control a terminal.
    package func problem(in json: Data) -> String {
        switch self {
        case .keyNotFound(let key, let context): Self.path(context.codingPath + [key]) + " is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            context.codingPath.isEmpty
                ? Self.mistake(in: json) : Self.path(context.codingPath) + " has an unexpected form"
        @unknown default: "it cannot be decoded"
        }
    }

    private static func mistake(in json: Data) -> String {
        let mistake = json.withUnsafeBytes { JSONMistake(in: $0, limits: .result) }
        guard let mistake else { return "it is not JSON of the expected form" }
        return "it is not JSON from line \(mistake.line), column \(mistake.column) on"
    }

    private static let shownKeys = 16
    private static let shownCharacters = 64

    private static func path(_ keys: [any CodingKey]) -> String {
        keys.prefix(shownKeys).map { key in
            let name = key.stringValue.unicodeScalars.prefix(shownCharacters).map { scalar in
                scalar.properties.generalCategory == .control ? " " : scalar
            }
            return String(String.UnicodeScalarView(name))
        }.joined(separator: ".")
    }
}
