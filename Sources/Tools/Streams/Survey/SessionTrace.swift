/// Parts of a playlist's URL that differ between two requests, and so belong to one session.
package struct SessionTrace: Hashable, Sendable {
    package var parameters: [String] = []
    /// Path pieces that differ, each named by the piece before it.
    package var piecesAfter: [String] = []

    /// Compares the absolute URLs that two requests got for one playlist; nil if they are equal or differ in length of path.
    package static func between(_ one: String, _ other: String) -> SessionTrace? {
        guard one != other else { return nil }
        let (left, right) = (Parts(one), Parts(other))
        var trace = SessionTrace()
        guard left.pieces.count == right.pieces.count else { return nil }
        for (index, pair) in zip(left.pieces, right.pieces).enumerated() where pair.0 != pair.1 {
            // The first piece is the host: another edge server is not a session.
            guard index > 0 else { continue }
            trace.piecesAfter.append(index > 1 ? String(left.pieces[index - 1]) : "")
        }
        let names = Set(left.values.keys).union(right.values.keys)
        trace.parameters = names.filter { left.values[$0] != right.values[$0] }.sorted()
        return trace.parameters.isEmpty && trace.piecesAfter.isEmpty ? nil : trace
    }

    private struct Parts {
        var pieces: [Substring]
        var values: [String: Substring] = [:]

        init(_ url: String) {
            let mark = url.firstIndex(of: "?") ?? url.endIndex
            let start = url.firstRange(of: "://")?.upperBound ?? url.startIndex
            pieces = url[min(start, mark)..<mark].split(separator: "/")
            for pair in url[mark...].dropFirst().split(separator: "&") {
                let name = pair.prefix { $0 != "=" }
                values[String(name)] = pair[name.endIndex...]
            }
        }
    }
}
