/// First and last sighting of one thing, in whatever order they come.
///
/// Evidence is expensive to build, so that most sightings come without; such a sighting gets the evidence of the first.
package struct SightingSpan: Summable, Equatable, Codable, Sendable {
    package private(set) var first: Sighting
    package private(set) var last: Sighting

    package init(_ only: Sighting) {
        first = only
        last = only
    }

    mutating func add(viewer: Int, wallMicroseconds: Int64, evidence: Evidence? = nil) {
        add(
            SightingSpan(
                Sighting(
                    wallMicroseconds: wallMicroseconds,
                    viewer: viewer,
                    evidence: evidence ?? first.evidence
                )
            )
        )
    }

    package mutating func add(_ other: SightingSpan) {
        first = min(first, other.first)
        last = max(last, other.last)
    }

    /// Replaces the evidence by text that is known only after the merge.
    package func replacingEvidence(_ change: (Evidence) -> Evidence) -> SightingSpan {
        var changed = self
        changed.first.evidence = change(first.evidence)
        changed.last.evidence = change(last.evidence)
        return changed
    }
}

extension Sequence<SightingSpan> {
    /// From the first sighting of any to the last of any; nil if empty.
    package var union: SightingSpan? {
        reduce(into: nil) { $0.add($1) }
    }
}
