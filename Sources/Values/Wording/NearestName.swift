/// Suggestions for misspelt names.
package enum NearestName {
    /// Bytes of a name that are compared.
    private static let longestCut = 128
    /// Bytes of the longest name that is compared.
    package static let longestSlip = 64
    private static let shortestBeginning = 3

    /// Nearest first, otherwise in their order.
    package static func all(near name: String, among candidates: [String], within most: Int) -> [String] {
        let written = Array(name.utf8.prefix(longestCut))
        let distances = candidates.map { EditDistance.between(written, Array($0.utf8)) }
        let near = distances.indices.filter { distances[$0] <= most }
        return near.sorted { (distances[$0], $0) < (distances[$1], $1) }.map { candidates[$0] }
    }

    /// Candidate that a typing error turned into `name`, or the only one with that prefix.
    ///
    /// Ignores letter case, hyphens and underscores; the first among equals wins.
    package static func slip(_ name: String, among candidates: [String]) -> String? {
        guard name.utf8.count <= longestSlip else { return nil }
        let folded = fold(name)
        guard !folded.isEmpty else { return nil }
        let distances = candidates.map { EditDistance.between(folded, fold($0), countsSwaps: true) }
        let best = distances.indices.min { distances[$0] < distances[$1] }
        if let best, distances[best] <= max(1, folded.count / 3) { return candidates[best] }
        let longer = candidates.filter { fold($0).starts(with: folded) }
        return folded.count >= shortestBeginning && longer.count == 1 ? longer[0] : nil
    }

    /// "did you mean 'run'?", or all names where none is near.
    package static func advice(for name: String, among names: [String]) -> String {
        slip(name, among: names).map { "did you mean '\($0)'?" } ?? "there are \(names.joined(separator: ", "))"
    }

    private static func fold(_ name: String) -> [UInt8] {
        name.lowercased().utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }
    }
}

/// In single-byte edits.
package enum EditDistance {
    /// Levenshtein distance, or optimal string alignment, where a swap of two neighbours is one edit.
    ///
    /// Costs the product of both lengths.
    package static func between(_ left: [UInt8], _ right: [UInt8], countsSwaps: Bool = false) -> Int {
        guard !left.isEmpty, !right.isEmpty else { return max(left.count, right.count) }
        var beforePrevious = [Int](repeating: 0, count: right.count + 1)
        var previous = Array(0...right.count)
        for row in 1...left.count {
            var current = [row] + [Int](repeating: 0, count: right.count)
            for column in 1...right.count {
                let replacement = left[row - 1] == right[column - 1] ? 0 : 1
                var cost = min(previous[column] + 1, current[column - 1] + 1, previous[column - 1] + replacement)
                if countsSwaps, row > 1, column > 1, left[row - 1] == right[column - 2],
                    left[row - 2] == right[column - 1]
                {
                    cost = min(cost, beforePrevious[column - 2] + 1)
                }
                current[column] = cost
            }
            beforePrevious = previous
            previous = current
        }
        return previous[right.count]
    }
}
