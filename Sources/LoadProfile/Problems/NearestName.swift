/// Finds what a misspelt name was meant to be.
enum NearestName {
    /// Longer names are not compared: the cost is the product of both lengths.
    static let longestCompared = 64

    /// The candidate with the fewest edits, nil if even that one is too far to be a slip of the keyboard.
    ///
    /// Letter case, hyphens and underscores count for nothing, so `pod_identifier` finds `podIdentifier`.
    /// - Parameters:
    ///   - name: What was written.
    ///   - candidates: What is valid; the first wins among equals.
    /// - Returns: A member of `candidates` or nil.
    static func of(_ name: String, among candidates: [String]) -> String? {
        guard name.utf8.count <= longestCompared else { return nil }
        let folded = fold(name)
        guard !folded.isEmpty else { return nil }
        var best: (name: String, distance: Int)?
        for candidate in candidates {
            let distance = distance(folded, fold(candidate))
            if distance < best?.distance ?? .max {
                best = (candidate, distance)
            }
        }
        guard let best, best.distance <= max(1, folded.count / 3) else { return nil }
        return best.name
    }

    private static func fold(_ name: String) -> [UInt8] {
        name.lowercased().utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }
    }

    /// Levenshtein distance in which exchanging two neighbours costs one edit (optimal string alignment).
    static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        guard !left.isEmpty, !right.isEmpty else { return max(left.count, right.count) }
        var beforePrevious = [Int](repeating: 0, count: right.count + 1)
        var previous = Array(0...right.count)
        for row in 1...left.count {
            var current = [row] + [Int](repeating: 0, count: right.count)
            for column in 1...right.count {
                let substitution = left[row - 1] == right[column - 1] ? 0 : 1
                var cost = min(previous[column] + 1, current[column - 1] + 1, previous[column - 1] + substitution)
                if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
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
