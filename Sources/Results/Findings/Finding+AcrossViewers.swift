import Rules
import Values

extension Finding {
    private static let shareLimit = 12

    /// Identifiers from one start, rounded differently by at most `tolerance` microseconds, count as equal.
    static func identifierSplit(of record: BreakRecord, tolerance: Int64) -> Finding? {
        let uses = record.pods.identifiers.filter { $0.value.viewerCount > 0 }
            .sorted { ($1.value.viewerCount, $0.key) < ($0.value.viewerCount, $1.key) }
        guard uses.count > 1, let majority = uses.first else { return nil }
        let total = uses.reduce(0) { $0 + $1.value.viewerCount }
        let minority = uses.dropFirst().filter { !$0.value.isRounded(from: majority.value, within: tolerance) }
        guard !minority.isEmpty else { return nil }
        let affected = minority.reduce(into: ViewerSet()) { $0.formUnion($1.value.viewers) }
        let seen = minority.compactMap { use in
            use.value.span?.replacingEvidence {
                Evidence(
                    url: $0.url.isEmpty ? use.key : $0.url,
                    expected: "one identifier for every viewer of the break, as \(majority.key)",
                    observed: "\(use.value.viewerCount) of \(total) viewers asked for \(use.key)"
                )
            }
        }.union
        let count = UInt64(clamping: minority.reduce(0) { $0 + $1.value.viewerCount })
        let split = shares(uses.map { ($0.key, $0.value.viewerCount) }, of: total)
        return Finding(.breakIdentifierSplit, record.key, count: count, affected, of: total, shares: split, seen: seen)
    }

    /// Grouped by cohort; renditions of one pod are joined.
    static func podMismatches(of record: BreakRecord) -> [Finding] {
        var splits: [DisagreedContent: AudienceSplit] = [:]
        for (content, variants) in record.pods.pods.sorted(by: { $0.key < $1.key }) {
            let (cohort, body) = content.parts
            guard let code = body.codeIfDifferent, code != .podRenditionMismatch else { continue }
            let whose = cohort.map { " of \($0)" } ?? ""
            let asked = variants.values.reduce(0) { $0 + $1.viewers.count }
            let parts = variants.map { fingerprint, variant in
                let label = "\(content.text) #\(fingerprint.hexadecimal(digits: 16))"
                return AudienceSplit.Part(label: label, viewers: variant.viewers, seen: variant.span)
            }
            let key = DisagreedContent(code: code, cohort: cohort, name: body.whole.text)
            splits[key, default: AudienceSplit()].add(parts) { majority, _, evidence in
                guard let given = majority.seen?.first else { return evidence }
                let who = "\(majority.viewers.count) of \(asked) viewers\(whose), viewer \(given.viewer) first"
                let difference = ContentSummary.difference(given.evidence.observed, evidence.observed)
                let observed = "\(difference.kind): \(difference.observed)"
                return evidence.saying(expected: "as \(who): \(difference.expected)", observed: observed)
            }
        }
        let sorted = splits.filter { $0.value.differing > 0 }.sorted { $0.key.order < $1.key.order }
        return sorted.map { key, split in
            let (asked, viewers, count) = (split.asked, split.affected, UInt64(clamping: split.differing))
            let all = shares(split.shares.sorted { ($1.viewers, $0.label) < ($0.viewers, $1.label) }, of: asked)
            var found = Finding(key.code, record.key, count: count, viewers, of: asked, shares: all, seen: split.seen)
            found.cohort = key.cohort
            return found
        }
    }

    static func shares(_ parts: [(label: String, viewers: Int)], of total: Int) -> [ViewerShare] {
        let rest = parts.dropFirst(shareLimit).reduce(0) { $0 + $1.viewers }
        let more = rest > 0 ? [(label: "(\(parts.count - shareLimit) more)", viewers: rest)] : []
        return (parts.prefix(shareLimit) + more).map { ViewerShare(label: $0.label, viewers: $0.viewers, of: total) }
    }

    static func podRenditionMismatches(of record: BreakRecord) -> [Finding] {
        record.pods.pods.sorted { $0.key < $1.key }.compactMap { content, variants in
            guard case .renditions = content.parts.content else { return nil }
            let kept = variants.sorted { ($1.value.viewers.count, $0.key) < ($0.value.viewers.count, $1.key) }
            guard let majority = kept.first else { return nil }
            let shape = PodShape(fingerprint: majority.key)
            let minority = kept.filter { !PodShape(fingerprint: $0.key).matches(shape) }
            guard !minority.isEmpty else { return nil }
            let viewers = minority.reduce(into: ViewerSet()) { $0.formUnion($1.value.viewers) }
            let seen = minority.map { variant in
                let expected = "as other renditions: \(majority.value.span.first.evidence.observed)"
                return variant.value.span.replacingEvidence { $0.saying(expected: expected, observed: $0.observed) }
            }.union
            let asked = kept.reduce(0) { $0 &+ $1.value.viewers.count }
            return Finding(.podRenditionMismatch, record.key, viewers, of: asked, seen: seen)
        }
    }

    /// Whether missing content was found later is known only after the break.
    static func podsNotFound(of record: BreakRecord) -> [Finding] {
        var byCode: [FindingCode: [ContentVariant]] = [:]
        for (content, variants) in record.pods.pods.sorted(by: { $0.key < $1.key }) {
            guard let code = content.codeIfMissing,
                let missing = variants[ComparedContent.Availability.missing.rawValue]
            else { continue }
            let isHealed = variants[ComparedContent.Availability.foundLater.rawValue] != nil
            byCode[isHealed ? .podNotFoundHealed : code, default: []].append(missing)
        }
        return byCode.sorted { $0.key.code < $1.key.code }.map { code, missing in
            let viewers = missing.reduce(into: ViewerSet()) { $0.formUnion($1.viewers) }
            let count = missing.reduce(0) { $0 &+ UInt64(clamping: $1.observations) }
            let asked = max(viewers.count, Int(clamping: record.due), record.pods.viewerCount)
            return Finding(code, record.key, count: count, viewers, of: asked, seen: missing.map(\.span).union)
        }
    }
}

extension IdentifierUse {
    /// Whether two identifiers differ only by rounding of the announced start.
    fileprivate func isRounded(from other: IdentifierUse, within tolerance: Int64) -> Bool {
        guard let starts, let others = other.starts, !starts.overlaps(others) else { return false }
        let latest = max(starts.upperBound, others.upperBound)
        return latest.subtractingClamped(min(starts.lowerBound, others.lowerBound)) <= tolerance
    }
}

private struct DisagreedContent: Hashable {
    let code: FindingCode
    let cohort: String?
    let name: String

    var order: (String, String, String) { (code.code, cohort ?? "", name) }
}
