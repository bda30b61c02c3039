extension PodLedger {
    /// What the shapes of one pod's renditions are kept under, before the name of the pod.
    package static let renditionsPrefix = "renditions of "
    /// What a pod manifest or asset list that was not found is kept under, before its name.
    package static let notFoundPrefix = "not found "
    /// What a playlist that a pod lists and that was not found is kept under, before its name.
    package static let partNotFoundPrefix = "part not found "
    /// The fingerprints under those two: not found, and found later.
    package static let missing: UInt64 = 0
    package static let found: UInt64 = 1

    /// Whether what is kept under a name is no body of a pod.
    static func isReserved(_ identifier: String) -> Bool {
        identifier.hasPrefix(renditionsPrefix) || identifier.hasPrefix(notFoundPrefix)
            || identifier.hasPrefix(partNotFoundPrefix)
    }
}

extension Finding {
    /// Pods whose renditions differ in shape; the viewers of those off the most used shape are the affected.
    static func podRenditionMismatches(of record: BreakRecord) -> [Finding] {
        record.pods.pods.sorted { $0.key < $1.key }.compactMap { name, variants in
            guard name.hasPrefix(PodLedger.renditionsPrefix) else { return nil }
            let kept = variants.sorted { ($1.value.viewers.count, $0.key) < ($0.value.viewers.count, $1.key) }
            guard let majority = kept.first else { return nil }
            let shape = PodShape(fingerprint: majority.key)
            let minority = kept.filter { !PodShape(fingerprint: $0.key).matches(shape) }
            guard !minority.isEmpty else { return nil }
            let viewers = minority.reduce(into: ViewerSet()) { $0.formUnion($1.value.viewers) }
            let seen = minority.map { variant in
                variant.value.span.replacingEvidence {
                    Evidence(
                        url: $0.url,
                        expected: "as other renditions: \(shape.description)",
                        observed: PodShape(fingerprint: variant.key).description
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

    /// What was not found in a break, by whether it was found later: only now is the break over.
    static func podsNotFound(of record: BreakRecord) -> [Finding] {
        var byCode: [FindingCode: [PodVariant]] = [:]
        for (name, variants) in record.pods.pods.sorted(by: { $0.key < $1.key }) {
            guard let missing = variants[PodLedger.missing] else { continue }
            let isPart = name.hasPrefix(PodLedger.partNotFoundPrefix)
            guard isPart || name.hasPrefix(PodLedger.notFoundPrefix) else { continue }
            let code: FindingCode = isPart ? .podPartUnreachable : .podNotFound
            byCode[variants[PodLedger.found] == nil ? code : .podNotFoundHealed, default: []].append(missing)
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
}
