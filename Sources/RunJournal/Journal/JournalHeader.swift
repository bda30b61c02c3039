import RunResult

/// The first record of a journal: what it is, who wrote it, and what every later record needs to be understood.
package struct JournalHeader<Settings: Sendable>: Sendable {
    package var schema: String
    package var schemaVersion: Int
    package var podswarmVersion: String
    package var settings: Settings

    /// The header of a journal that this version writes.
    package init(settings: Settings) {
        schema = Self.schemaName
        schemaVersion = Self.currentVersion
        podswarmVersion = PodswarmVersion.current
        self.settings = settings
    }

    package static var schemaName: String { "podswarm.journal" }
    /// To be raised whenever what an earlier version wrote can no longer be folded.
    package static var currentVersion: Int { 3 }

    /// Whether this version can fold what follows it.
    var isOfThisVersion: Bool { schema == Self.schemaName && schemaVersion == Self.currentVersion }
}

extension JournalHeader: Encodable where Settings: Encodable {}
extension JournalHeader: Decodable where Settings: Decodable {}
