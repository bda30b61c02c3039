package import Foundation

/// A document that lies in a file until a later podswarm reads it, so that it says what it is, and of which version.
package protocol StoredDocument: JSONDocument, Decodable {
    /// What its `schema` says.
    static var schemaName: String { get }
    /// The `schema_version` that is written.
    static var schemaVersion: Int { get }
    /// Every `schema_version` that is read; only the written one where a document does not say.
    static var readableVersions: ClosedRange<Int> { get }
    /// What people call it, without an article.
    static var title: String { get }
}

/// Why bytes are no document that this version can read.
package enum DocumentReadingError<Document: StoredDocument>: Error, Equatable, CustomStringConvertible {
    /// It calls itself something else.
    case otherDocument(schema: String)
    /// It is one of a version that is not read.
    case otherVersion(Int)
    /// More than such a document ever is.
    case unbounded(JSONError)

    package var description: String {
        switch self {
        case .otherDocument(let schema):
            "the file is no \(Document.title): its schema is '\(schema.prefix(64))', not '\(Document.schemaName)'"
        case .otherVersion(let version):
            "the \(Document.title) has schema version \(version); this podswarm reads \(Document.readableVersionsText)"
        case .unbounded(let error): "not a \(Document.title): it is \(JSONLimits.result.words(for: error))"
        }
    }
}

/// What a stored document begins with: what it is, and of which version.
package struct DocumentHeading: Decodable {
    /// What it is.
    package var schema: String
    /// Of which version.
    package var schemaVersion: Int
}

extension StoredDocument {
    package static var readableVersions: ClosedRange<Int> { schemaVersion...schemaVersion }

    /// The versions that are read, for a message.
    package static var readableVersionsText: String {
        readableVersions.count == 1
            ? "version \(schemaVersion)"
            : "versions \(readableVersions.lowerBound) to \(readableVersions.upperBound)"
    }

    /// Why bytes are none of these.
    package typealias ReadingError = DocumentReadingError<Self>

    /// Reads a document back.
    ///
    /// - Parameter json: UTF-8, as `json()` gives it, or as any program does.
    /// - Throws: `ReadingError` for another document or version, `DecodingError` for a damaged one.
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

    /// Whether bytes call themselves such a document, of whatever version; damaged ones may.
    package static func isNamed(in json: Data) -> Bool {
        guard json.withUnsafeBytes({ JSONLimits.result.excess(of: $0) }) == nil else { return false }
        return (try? DocumentDecoding().decode(DocumentHeading.self, from: json))?.schema == schemaName
    }
}
