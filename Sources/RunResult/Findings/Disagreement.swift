import Recording
import Rulebook

/// What viewers disagree about, and whose it is: one finding of its break.
struct DisagreedContent: Hashable, Comparable {
    let code: FindingCode
    /// Nil where it is everybody's.
    let cohort: String?
    /// Of the pod, or of whatever else it is.
    let name: String

    static func < (lhs: DisagreedContent, rhs: DisagreedContent) -> Bool {
        (lhs.code.code, lhs.cohort ?? "", lhs.name) < (rhs.code.code, rhs.cohort ?? "", rhs.name)
    }
}

/// The viewers that were given something else than most.
struct Disagreement {
    /// How many, also where their numbers were not kept.
    private(set) var differing: Int
    private(set) var viewers: ViewerSet
    /// All whose content was compared.
    private(set) var asked: Int
    /// What they were given, each with how many got it.
    private(set) var parts: [(label: String, viewers: Int)]
    /// Of those that differ.
    private(set) var seen: SightingSpan?

    /// Nil where all were given one thing.
    ///
    /// - Parameters:
    ///   - content: What they were to be given alike.
    ///   - cohort: Whose it is.
    ///   - variants: What they were given, by fingerprint.
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

    /// Both, as of two renditions of one pod.
    func adding(_ other: Disagreement) -> Disagreement {
        var sum = self
        sum.differing += other.differing
        sum.viewers.formUnion(other.viewers)
        sum.asked += other.asked
        sum.parts = (parts + other.parts).sorted { ($1.viewers, $0.label) < ($0.viewers, $1.label) }
        sum.seen = [seen, other.seen].compactMap(\.self).union
        return sum
    }

    private static func hex(_ fingerprint: UInt64) -> String {
        let digits = String(fingerprint, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
