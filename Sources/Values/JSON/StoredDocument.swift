package import Foundation

/// Document in a file that a later podswarm may read.
package protocol StoredDocument: JSONDocument, Decodable {
    static var schemaName: String { get }
    static var schemaVersion: Int { get }
    /// Defaults to the written version.
    static var readableVersions: ClosedRange<Int> { get }
    /// Name in messages, without an article.
    static var title: String { get }
}

package enum DocumentReadingError<Document: StoredDocument>: Error, Equatable, CustomStringConvertible {
    case otherDocument(schema: String)
    case otherVersion(Int)
    /// Exceeds the limits of a result.
    case unbounded(JSONError)
    case unreadable(UntrustedFile.Refusal)

    package var description: String {
        switch self {
        case .otherDocument(let schema):
            "the file is not a \(Document.title): its schema is '\(schema.prefix(64))', not '\(Document.schemaName)'"
        case .otherVersion(let version):
            "the \(Document.title) has schema version \(version); this podswarm reads \(Document.readableVersionsText)"
        case .unbounded(let error): "not a \(Document.title): it is \(JSONLimits.result.words(for: error))"
        case .unreadable(let refusal): "\(refusal)"
        }
    }
}

package struct DocumentHeading: Decodable {
    package var schema: String
    package var schemaVersion: Int
}

extension StoredDocument {
    package static var readableVersions: ClosedRange<Int> { schemaVersion...schemaVersion }

    package static var readableVersionsText: String {
        readableVersions.count == 1
            ? "version \(schemaVersion)"
            : "versions \(readableVersions.lowerBound) to \(readableVersions.upperBound)"
    }

    package typealias ReadingError = DocumentReadingError<Self>

    /// Throws `ReadingError` or, for a damaged document, `DecodingError`.
    package init(json: Data) throws {
        if let excess = json.withUnsafeBytes({ JSONLimits.result.excess(of: $0) }) {
            throw ReadingError.unbounded(excess)
        }
        let decoder = DocumentDecoding()
        let heading = try decoder.decode(DocumentHeading.self, from: json)
        guard heading.schema == Self.schemaName else { throw ReadingError.otherDocument(schema: heading.schema) }
        guard Self.readableVersions.contains(heading.schemaVersion) else {
            throw ReadingError.otherVersion(heading.schemaVersion)
        }
        self = try decoder.decode(Self.self, from: json)
    }

    /// In any version and possibly damaged.
    package static func isNamed(in json: Data) -> Bool {
        guard json.withUnsafeBytes({ JSONLimits.result.excess(of: $0) }) == nil else { return false }
        return (try? DocumentDecoding().decode(DocumentHeading.self, from: json))?.schema == schemaName
    }
}

/// Document of podswarm's own with one form in every place.
package protocol JSONDocument: Encodable {}

extension JSONDocument {
    /// Sorted keys and a final line feed; throws `EncodingError` for a number that is not finite.
    package func json() throws -> Data {
        var data = try DocumentEncoding([.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]).encode(self)
        data.append(0x0a)
        return data
    }
}

extension Array: JSONDocument where Element: JSONDocument {}
