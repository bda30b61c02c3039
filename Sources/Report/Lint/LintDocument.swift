package import Rulebook
import RunResult

/// What `podswarm lint` found in one playlist, or in the playlists of one channel, once or while it followed them.
///
/// The shipped JSON Schema (`LintDocument.jsonSchema()`) describes every field.
package struct LintDocument: Equatable, Codable, Sendable, PrintedDocument {
    package static let schemaName = "podswarm.lint"
    package static let schemaFile = "lint"
    package static let schemaVersion = 1

    /// The kinds of end, with the exit code that says so.
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

    /// One playlist that was read.
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
        /// Times that it was read.
        package var reads: Int
        /// Different bodies among them, one after the other.
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
    /// What was given on the command line, redacted.
    package var source: String
    package var startedAtMicroseconds: Int64
    package var endedAtMicroseconds: Int64
    /// Findings from this severity on fail.
    package var failsFrom: String
    package var outcome: Outcome
    package var exitCode: Int
    package var playlists: [ReadPlaylist]
    package var findings: [LintFinding]
    /// What a reader should know and nothing judges.
    package var notes: [String]

    /// Judges what was found.
    ///
    /// - Parameters:
    ///   - source: What was given, redacted.
    ///   - startedAtMicroseconds: Since the Unix epoch.
    ///   - endedAtMicroseconds: Since the Unix epoch.
    ///   - failsFrom: The least severity that fails.
    ///   - wasInterrupted: Whether the user ended it early.
    ///   - playlists: What was read.
    ///   - findings: Gravest first.
    ///   - notes: Sentences.
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

/// One code in a lint document.
package struct LintFinding: Equatable, Codable, Sendable {
    /// One time that it was seen.
    package struct Seen: Equatable, Codable, Sendable {
        package var wallMicroseconds: Int64
        /// Counted from 1.
        package var line: Int?
        package var expected: String
        package var observed: String
    }

    /// The code in one playlist.
    package struct Occurrence: Equatable, Codable, Sendable {
        package var url: String
        package var count: Int
        package var first: Seen
        /// What was seen together with the first, on other lines; at most ``LintLedger/sightingLimit`` with it.
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
    /// By playlist, in the order in which it was seen.
    package var occurrences: [Occurrence]
}
