import Recording
import Rules

extension Finding {
    private static let shareLimit = 12

    /// Viewers of one break that used another identifier than most.
    ///
    /// Identifiers derived from one start that packagers rounded differently, by at most `tolerance` microseconds, count as
    /// equal.
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
        return Finding(
            code: .breakIdentifierSplit,
            breakKey: record.key,
            count: UInt64(clamping: minority.reduce(0) { $0 + $1.value.viewerCount }),
            viewers: affected,
            viewersAsked: total,
            shares: shares(uses.map { ($0.key, $0.value.viewerCount) }, of: total),
            first: seen?.first,
            last: seen?.last
        )
    }

    /// Content of one break that differs between viewers that must get it alike, by cohort; renditions of one pod are joined.
    static func podMismatches(of record: BreakRecord) -> [Finding] {
        var disagreements: [DisagreedContent: Disagreement] = [:]
        for (content, variants) in record.pods.pods.sorted(by: { $0.key < $1.key }) {
            let (cohort, body) = content.parts
            guard let code = code(ofDifferent: body),
                let found = Disagreement(about: content, of: cohort, variants)
            else { continue }
            let key = DisagreedContent(code: code, cohort: cohort, name: body.whole.text)
            disagreements[key].add(found)
        }
        return disagreements.sorted { $0.key < $1.key }.map { key, found in
            Finding(
                code: key.code,
                breakKey: record.key,
                cohort: key.cohort,
                count: UInt64(clamping: found.differing),
                viewers: found.viewers,
                viewersAsked: found.asked,
                shares: shares(found.parts, of: found.asked),
                first: found.seen?.first,
                last: found.seen?.last
            )
        }
    }

    /// Finding for different content; nil for content without a body.
    private static func code(ofDifferent content: ComparedContent) -> FindingCode? {
        switch content {
        case .pod, .rendition: .podMismatch
        case .ladder: .podLadderDiffers
        case .assetList: .assetListMismatch
        case .stitchedAds: .stitchedMismatch
        case .renditions, .manifestNotFound, .partNotFound, .ofCohort: nil
        }
    }

    static func shares(_ parts: [(label: String, viewers: Int)], of total: Int) -> [ViewerShare] {
        var shares = parts.prefix(shareLimit).map {
            ViewerShare(label: $0.label, viewers: $0.viewers, share: Double($0.viewers) / Double(max(1, total)))
        }
        let rest = parts.dropFirst(shareLimit).reduce(0) { $0 + $1.viewers }
        if rest > 0 {
            let label = "(\(parts.count - shareLimit) more)"
            shares.append(ViewerShare(label: label, viewers: rest, share: Double(rest) / Double(max(1, total))))
        }
        return shares
    }
}

extension IdentifierUse {
    /// Whether two identifiers differ only because of different rounding of the announced start.
    ///
    /// Two identifiers derived from one announced start differ by something else.
    fileprivate func isRounded(from other: IdentifierUse, within tolerance: Int64) -> Bool {
        guard let starts, let others = other.starts, !starts.overlaps(others) else { return false }
        let earliest = min(starts.lowerBound, others.lowerBound)
        let distance = max(starts.upperBound, others.upperBound).subtractingReportingOverflow(earliest)
        return !distance.overflow && distance.partialValue <= tolerance
    }
}
