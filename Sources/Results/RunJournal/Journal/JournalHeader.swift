/// First record of a journal: schema, version and the settings needed to read later records.
package struct JournalHeader<Settings: Sendable>: Sendable {
    package var schema: String = schemaName
    package var schemaVersion: Int = currentVersion
    package var podswarmVersion: String = PodswarmVersion.current
    package var settings: Settings

    package static var schemaName: String { "podswarm.journal" }
    /// Raised when data of earlier versions can no longer be folded.
    package static var currentVersion: Int { 3 }

    var isOfThisVersion: Bool { schema == Self.schemaName && schemaVersion == Self.currentVersion }
}

extension JournalHeader: Encodable where Settings: Encodable {}
extension JournalHeader: Decodable where Settings: Decodable {}
