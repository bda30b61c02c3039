import Recording
import Rules
import Values

/// Content on which viewers disagree, and their cohort; the key of one finding of a break.
struct DisagreedContent: Hashable, Comparable {
    let code: FindingCode
    /// Nil for all viewers.
    let cohort: String?
    /// Name of the pod or other content.
    let name: String

    static func < (lhs: DisagreedContent, rhs: DisagreedContent) -> Bool {
        (lhs.code.code, lhs.cohort ?? "", lhs.name) < (rhs.code.code, rhs.cohort ?? "", rhs.name)
    }
}

struct Disagreement: Summable {
    /// Number of viewers, including those not kept individually.
    private(set) var differing: Int
    private(set) var viewers: ViewerSet
    private(set) var asked: Int
    /// Variants with the number of their viewers.
    private(set) var parts: [(label: String, viewers: Int)]
    /// Sightings of the variants that differ.
    private(set) var seen: SightingSpan?

    /// Compares the variants of content, by fingerprint, that viewers of a cohort must get alike; nil if all are equal.
    init?(about content: ComparedContent, of cohort: String?, _ variants: [UInt64: PodVariant]) {
        let kept = variants.filter { $0.value.viewers.count > 0 }
            .sorted { ($1.value.viewers.count, $0.key) < ($0.value.viewers.count, $1.key) }
        guard kept.count > 1, let majority = kept.first else { return nil }
        let asked = kept.reduce(0) { $0 + $1.value.viewers.count }
        let given = majority.value.span.first
        let whose = cohort.map { " of \($0)" } ?? ""
        let who = "\(majority.value.viewers.count) of \(asked) viewers\(whose), viewer \(given.viewer) first"
        let minority = kept.dropFirst()
        differing = asked - majority.value.viewers.count
        viewers = minority.reduce(into: ViewerSet()) { $0.formUnion($1.value.viewers) }
        self.asked = asked
        parts = kept.map { ("\(content.text) #\(Self.hex($0.key))", $0.value.viewers.count) }
        seen =
            minority.map { variant in
                variant.value.span.replacingEvidence { evidence in
                    let difference = ContentSummary.difference(given.evidence.observed, evidence.observed)
                    return evidence.saying(
                        expected: "as \(who): \(difference.expected)",
                        observed: "\(difference.kind): \(difference.observed)"
                    )
                }
            }.union
    }

    /// Union of two disagreements, as for two renditions of one pod.
    package mutating func add(_ other: Disagreement) {
        differing += other.differing
        viewers.formUnion(other.viewers)
        asked += other.asked
        parts = (parts + other.parts).sorted { ($1.viewers, $0.label) < ($0.viewers, $1.label) }
        seen.add(other.seen)
    }

    private static func hex(_ fingerprint: UInt64) -> String { fingerprint.hexadecimal(digits: 16) }
}
