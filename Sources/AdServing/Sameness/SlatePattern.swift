/// By what an address says that it is slate, which plays where no ad was sold.
///
/// No document says how ad servers name it. That a path has the piece `slate` is podswarm's assumption, and `pods.slate` says
/// it otherwise.
package struct SlatePattern: Sendable {
    package static let usual = SlatePattern(["slate"])

    private let runs: [[String]]

    /// - Parameter patterns: Pieces of a path that follow each other, with `*` for any text within a piece.
    package init(_ patterns: [String]) {
        runs = patterns.map { $0.split(separator: "/").map(String.init) }.filter { !$0.isEmpty }
    }

    /// Whether a path has the pieces of any pattern.
    package func isSlate(_ url: String) -> Bool {
        let pieces = url.prefix { $0 != "?" && $0 != "#" }.split(separator: "/")
        return runs.contains { run in
            guard pieces.count >= run.count else { return false }
            return (0...(pieces.count - run.count)).contains { start in
                run.indices.allSatisfy { AddressPattern.piece(pieces[start + $0], matches: run[$0]) }
            }
        }
    }
}
