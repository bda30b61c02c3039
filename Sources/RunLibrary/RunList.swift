package import Foundation
import RunResult

/// Runs of a folder, newest first, and what else lies there.
package struct RunList: Equatable, Sendable {
    package var rows: [RunRow]
    /// JSON files that are no results, by path.
    package var leftOut: [LeftOutFile]

    package init(rows: [RunRow], leftOut: [LeftOutFile]) {
        self.rows = rows.sorted {
            ($0.startedAtMicroseconds, $0.path) > ($1.startedAtMicroseconds, $1.path)
        }
        self.leftOut = leftOut.sorted { $0.path < $1.path }
    }

    /// The runs that are meant.
    package func filtered(by filter: RunFilter) -> RunList {
        var list = self
        list.rows.removeAll { !filter.matches($0) }
        return list
    }

    private struct Document: Encodable {
        var schema = "podswarm.results"
        var schemaVersion = 1
        var podswarmVersion = PodswarmVersion.current
        var runs: [RunRow]
        var leftOut: [LeftOutFile]

        private enum CodingKeys: String, CodingKey {
            case schema
            case schemaVersion = "schema_version"
            case podswarmVersion = "podswarm_version"
            case runs
            case leftOut = "left_out"
        }
    }

    /// The list as JSON with sorted keys and a final line feed.
    ///
    /// - Returns: UTF-8.
    /// - Throws: `EncodingError`, which no list gives cause for.
    package func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        var data = try encoder.encode(Document(runs: rows, leftOut: leftOut))
        data.append(0x0a)
        return data
    }
}
