import Results
package import Rules

/// Findings of `podswarm lint` in one playlist, or in the playlists of one channel, read once or followed.
///
/// The shipped JSON Schema (`LintDocument.jsonSchema()`) describes every field.
package struct LintDocument: Equatable, Codable, Sendable, PrintedDocument {
    package static let schemaName = "podswarm.lint"
    package static let schemaFile = "lint"
    package static let schemaVersion = 1

    package enum Outcome: String, Codable, CaseIterable, Sendable {
        case passed
        case failed
        case interrupted

        package var exitCode: Int {
            switch self {
            case .passed: 0
            case .failed: 1
            case .interrupted: 130
            }
        }
    }

    package struct ReadPlaylist: Equatable, Codable, Sendable {
        package enum Kind: String, Codable, Sendable {
            case multivariant
            case media
            /// None of its answers could be read as a playlist.
            case unreadable
        }

        /// Redacted, or the file's name.
        package var url: String
        package var kind: Kind
        package var reads: Int
        /// Reads whose body differed from the one before, the first included.
        package var versions: Int

        package init(url: String, kind: Kind, reads: Int, versions: Int) {
            self.url = url
            self.kind = kind
            self.reads = reads
            self.versions = versions
        }
    }

    package var schema: String
    package var schemaVersion: Int
    package var podswarmVersion: String
    /// The argument of the command line, redacted.
    package var source: String
    package var startedAtMicroseconds: Int64
    package var endedAtMicroseconds: Int64
    /// Least severity that fails.
    package var failsFrom: String
    package var outcome: Outcome
    package var exitCode: Int
    package var playlists: [ReadPlaylist]
    package var findings: [LintFinding]
    /// Remarks without a verdict.
    package var notes: [String]

    /// Judges the findings.
    ///
    /// `source` is redacted; instants are since the Unix epoch; `findings` are in descending severity.
    package init(
        source: String,
        startedAtMicroseconds: Int64,
        endedAtMicroseconds: Int64,
        failsFrom: Severity,
        wasInterrupted: Bool,
        playlists: [ReadPlaylist],
        findings: [LintFinding],
        notes: [String]
    ) {
        schema = Self.schemaName
        schemaVersion = Self.schemaVersion
        podswarmVersion = PodswarmVersion.current
        self.source = source
        self.startedAtMicroseconds = startedAtMicroseconds
        self.endedAtMicroseconds = endedAtMicroseconds
        self.failsFrom = failsFrom.rawValue
        let fails = findings.contains { !$0.allowed && (Severity(rawValue: $0.severity) ?? .broken) >= failsFrom }
        outcome = wasInterrupted ? .interrupted : fails ? .failed : .passed
        exitCode = outcome.exitCode
        self.playlists = playlists
        self.findings = findings
        self.notes = notes
    }
}

package struct LintFinding: Equatable, Codable, Sendable {
    package struct Seen: Equatable, Codable, Sendable {
        package var wallMicroseconds: Int64
        /// Counted from 1.
        package var line: Int?
        package var expected: String
        package var observed: String
    }

    package struct Occurrence: Equatable, Codable, Sendable {
        package var url: String
        package var count: Int
        package var first: Seen
        /// Sightings in the same body on other lines; at most ``LintLedger/sightingLimit`` with the first.
        package var others: [Seen]
        package var last: Seen
    }

    package var code: String
    package var severity: String
    package var meaning: String
    package var rule: String
    package var likelyCauses: [String]
    package var whereToLook: String
    package var allowed: Bool
    package var count: Int
    /// One for each playlist, in the order of the first sightings.
    package var occurrences: [Occurrence]
}
