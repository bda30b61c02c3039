/// How far two names are apart, in single-byte edits.
package enum EditDistance {
    /// What counts as one edit.
    package enum Edits: Sendable {
        /// An insertion, a removal or a replacement: Levenshtein's distance.
        case single
        /// Two neighbours that changed places too: optimal string alignment.
        case singleAndSwaps
    }

    /// The fewest edits that make one name of the other; the cost is the product of both lengths.
    ///
    /// - Parameters:
    ///   - left: Bytes of one name.
    ///   - right: Bytes of the other.
    ///   - edits: What counts as one.
    /// - Returns: The same in both directions.
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
