/// Distance between two names in single-byte edits.
package enum EditDistance {
    package enum Edits: Sendable {
        /// Insertion, removal or replacement: Levenshtein distance.
        case single
        /// Also a swap of two neighbours: optimal string alignment.
        case singleAndSwaps
    }

    /// Returns the fewest edits between two names, at a cost of the product of both lengths.
    package static func between(_ left: [UInt8], _ right: [UInt8], _ edits: Edits = .single) -> Int {
        guard !left.isEmpty, !right.isEmpty else { return max(left.count, right.count) }
        var beforePrevious = [Int](repeating: 0, count: right.count + 1)
        var previous = Array(0...right.count)
        for row in 1...left.count {
            var current = [row] + [Int](repeating: 0, count: right.count)
            for column in 1...right.count {
                let replacement = left[row - 1] == right[column - 1] ? 0 : 1
                var cost = min(previous[column] + 1, current[column - 1] + 1, previous[column - 1] + replacement)
                if edits == .singleAndSwaps, row > 1, column > 1, left[row - 1] == right[column - 2],
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
