/// Finds what a misspelt name was meant to be.
package enum NearestName {
    /// Longer names are cut for ``of(_:among:)`` and ``all(near:among:within:)``.
    private static let longestCut = 128
    /// Longer names are not compared at all by ``slip(_:among:)``.
    package static let longestSlip = 64
    /// Shorter names are not taken for the beginning of one.
    private static let shortestBeginning = 3

    /// The candidate that takes the fewest edits to reach, however far it is.
    ///
    /// - Parameters:
    ///   - name: What was written; only its first 128 bytes are looked at.
    ///   - candidates: Valid names; the first wins among equals.
    /// - Returns: One of the candidates, or an empty text where there are none.
    package static func of(_ name: String, among candidates: [String]) -> String {
        if candidates.contains(name) { return name }
        let distances = distances(from: name, to: candidates)
        let nearest = distances.indices.min { distances[$0] < distances[$1] }
        return nearest.map { candidates[$0] } ?? ""
    }

    /// The candidates within a number of edits.
    ///
    /// - Parameters:
    ///   - name: What was written; only its first 128 bytes are looked at.
    ///   - candidates: Valid names.
    ///   - most: Edits at most.
    /// - Returns: The nearest first, in their order where several are as near; empty where none is near.
    package static func all(near name: String, among candidates: [String], within most: Int) -> [String] {
        let distances = distances(from: name, to: candidates)
        let near = distances.indices.filter { distances[$0] <= most }
        return near.sorted { (distances[$0], $0) < (distances[$1], $1) }.map { candidates[$0] }
    }

    private static func distances(from name: String, to candidates: [String]) -> [Int] {
        let written = Array(name.utf8.prefix(longestCut))
        return candidates.map { EditDistance.between(written, Array($0.utf8)) }
    }

    /// The candidate that a slip of the keyboard made into a name, or the only one of which the name is the beginning; nil
    /// where even the nearest is too far for that.
    ///
    /// Letter case, hyphens and underscores count for nothing, so `pod_identifier` finds `podIdentifier`.
    ///
    /// - Parameters:
    ///   - name: What was written.
    ///   - candidates: What is valid; the first wins among equals.
    /// - Returns: A member of `candidates` or nil.
    package static func slip(_ name: String, among candidates: [String]) -> String? {
        guard name.utf8.count <= longestSlip else { return nil }
        let folded = fold(name)
        guard !folded.isEmpty else { return nil }
        var best: (name: String, distance: Int)?
        for candidate in candidates {
            let distance = EditDistance.between(folded, fold(candidate), .singleAndSwaps)
            if distance < best?.distance ?? .max {
                best = (candidate, distance)
            }
        }
        if let best, best.distance <= max(1, folded.count / 3) { return best.name }
        let longer = candidates.filter { fold($0).starts(with: folded) }
        return folded.count >= shortestBeginning && longer.count == 1 ? longer[0] : nil
    }

    private static func fold(_ name: String) -> [UInt8] {
        name.lowercased().utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }
    }
}
