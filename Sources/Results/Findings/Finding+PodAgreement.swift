import Recording
import Rules

extension Finding {
    /// Pods whose renditions differ in shape; affected are viewers with another shape than most.
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
                variant.value.span.replacingEvidence {
                    $0.saying(
                        expected: "as other renditions: \(majority.value.span.first.evidence.observed)",
                        observed: $0.observed
                    )
                }
            }.union
            return Finding(
                code: .podRenditionMismatch,
                breakKey: record.key,
                count: UInt64(clamping: viewers.count),
                viewers: viewers,
                viewersAsked: kept.reduce(0) { $0 &+ $1.value.viewers.count },
                shares: [],
                first: seen?.first,
                last: seen?.last
            )
        }
    }

    /// Missing content of a break, by whether it was found later, which is known only after the break.
    static func podsNotFound(of record: BreakRecord) -> [Finding] {
        var byCode: [FindingCode: [PodVariant]] = [:]
        for (content, variants) in record.pods.pods.sorted(by: { $0.key < $1.key }) {
            guard let code = code(ofMissing: content),
                let missing = variants[ComparedContent.Availability.missing.rawValue]
            else { continue }
            let isHealed = variants[ComparedContent.Availability.foundLater.rawValue] != nil
            byCode[isHealed ? .podNotFoundHealed : code, default: []].append(missing)
        }
        return byCode.sorted { $0.key.code < $1.key.code }.map { code, missing in
            let viewers = missing.reduce(into: ViewerSet()) { $0.formUnion($1.viewers) }
            let seen = missing.map(\.span).union
            return Finding(
                code: code,
                breakKey: record.key,
                count: missing.reduce(0) { $0 &+ UInt64(clamping: $1.observations) },
                viewers: viewers,
                viewersAsked: max(viewers.count, Int(clamping: record.due), record.pods.viewerCount),
                shares: [],
                first: seen?.first,
                last: seen?.last
            )
        }
    }

    private static func code(ofMissing content: ComparedContent) -> FindingCode? {
        switch content {
        case .manifestNotFound: .podNotFound
        case .partNotFound: .podPartUnreachable
        case .pod, .rendition, .ladder, .assetList, .stitchedAds, .renditions, .ofCohort: nil
        }
    }
}
