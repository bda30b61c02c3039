/// Runs of a folder, newest first, and its other JSON files.
package struct RunList: Equatable, Sendable {
    package var rows: [RunRow]
    /// JSON files that are not results, by path.
    package var leftOut: [LeftOutFile]

    package init(rows: [RunRow], leftOut: [LeftOutFile]) {
        self.rows = rows.sorted {
            ($0.startedAtMicroseconds, Spelling($0.path)) > ($1.startedAtMicroseconds, Spelling($1.path))
        }
        self.leftOut = leftOut.sorted { $0.path < $1.path }
    }

    package func filtered(by filter: RunFilter) -> RunList {
        var list = self
        list.rows.removeAll { !filter.matches($0) }
        return list
    }
}
