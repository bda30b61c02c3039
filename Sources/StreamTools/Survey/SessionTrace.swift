/// What in the address of a playlist is one request's own: two requests were given different ones.
package struct SessionTrace: Hashable, Sendable {
    /// Names of parameters, as they are spelled.
    package var parameters: [String] = []
    /// Pieces of the path that differ, each by the piece before it.
    package var piecesAfter: [String] = []

    /// Holds the addresses that two requests for one playlist were given against each other.
    ///
    /// - Parameters:
    ///   - one: Absolute.
    ///   - other: Likewise.
    /// - Returns: Nil where they are the same, or so different that nothing can be said.
    package static func between(_ one: String, _ other: String) -> SessionTrace? {
        guard one != other else { return nil }
        let (left, right) = (Parts(one), Parts(other))
        var trace = SessionTrace()
        guard left.pieces.count == right.pieces.count else { return nil }
        for (index, pair) in zip(left.pieces, right.pieces).enumerated() where pair.0 != pair.1 {
            // The host stands first: another edge is no session.
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
