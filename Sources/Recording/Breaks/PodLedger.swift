import JSON

/// The viewers that chose one pod identifier in one break.
package struct IdentifierUse: Equatable, Codable, Sendable {
    /// Viewers whose first request of the break named this identifier.
    package fileprivate(set) var viewers = ViewerSet()
    /// Requests that came without a viewer number; each counts as a viewer.
    package fileprivate(set) var anonymous = 0
    package fileprivate(set) var requests = 0
    /// Of the requests that made them count; nil while none did.
    package fileprivate(set) var span: SightingSpan?
    /// From the earliest to the latest start of the break that they were told of, in microseconds since the Unix epoch;
    /// nil where none of them made the identifier of a start.
    package fileprivate(set) var starts: ClosedRange<Int64>?

    package var viewerCount: Int { viewers.count &+ viewers.notHeld &+ anonymous }

    fileprivate mutating func count(
        _ viewer: Int?,
        breakStart: Int64?,
        wallMicroseconds: Int64,
        evidence: Evidence?
    ) {
        if let breakStart { widen(breakStart...breakStart) }
        if let viewer { viewers.insert(viewer) } else { anonymous &+= 1 }
        let viewer = viewer ?? -1
        guard span == nil else {
            span?.add(viewer: viewer, wallMicroseconds: wallMicroseconds, evidence: evidence)
            return
        }
        let evidence = evidence ?? Evidence(url: "", expected: "", observed: "")
        span = SightingSpan(Sighting(wallMicroseconds: wallMicroseconds, viewer: viewer, evidence: evidence))
    }

    private mutating func widen(_ others: ClosedRange<Int64>) {
        guard let own = starts else {
            starts = others
            return
        }
        guard others.lowerBound < own.lowerBound || others.upperBound > own.upperBound else { return }
        starts = min(own.lowerBound, others.lowerBound)...max(own.upperBound, others.upperBound)
    }

    fileprivate mutating func add(_ other: IdentifierUse) {
        if let starts = other.starts { widen(starts) }
        viewers.formUnion(other.viewers)
        anonymous &+= other.anonymous
        requests &+= other.requests
        span = [span, other.span].compactMap(\.self).union
    }
}

/// One pod body, known by its masked fingerprint, as the answer to one identifier.
package struct PodVariant: Equatable, Codable, Sendable {
    /// Viewers whose first observation of the identifier was this body.
    package fileprivate(set) var viewers = ViewerSet()
    package fileprivate(set) var observations = 0
    /// By those viewers; what was observed is a summary of the body.
    package fileprivate(set) var span: SightingSpan

    /// Nil where nobody else was given it.
    fileprivate func leavingOut(_ left: ViewerSet) -> PodVariant? {
        var rest = self
        rest.viewers = viewers.subtracting(left)
        rest.observations -= min(observations, viewers.count - rest.viewers.count)
        return rest.viewers.count > 0 ? rest : nil
    }

    fileprivate func adding(_ other: PodVariant) -> PodVariant {
        var sum = self
        sum.viewers.formUnion(other.viewers)
        sum.observations &+= other.observations
        sum.span.formUnion(other.span)
        return sum
    }
}

/// Which identifiers were asked for in one break and which pods came back, bounded in both directions.
///
/// The bounds hold for each loop; totals may hold one bound per loop, because dropping entries while merging would
/// make the result depend on the order of merging.
package struct PodLedger: Equatable, Sendable {
    package static let identifierLimit = 32
    /// Enough for the manifest, the renditions and their shapes of a pod that two dozen cohorts get each their own of.
    package static let contentLimit = 256
    package static let fingerprintLimit = 16

    package private(set) var identifiers: [String: IdentifierUse] = [:]
    package private(set) var pods: [ComparedContent: [UInt64: PodVariant]] = [:]
    /// Requests whose identifier found no room.
    package private(set) var identifiersNotKept = 0
    /// Observations whose content or fingerprint found no room.
    package private(set) var podsNotKept = 0

    package init() {}

    /// The viewers that asked for any pod.
    package var viewerCount: Int { identifiers.values.reduce(0) { $0 &+ $1.viewerCount } }

    /// The viewers whose pods were held against those of others, and those of them that were given something else than most.
    package var agreement: (compared: UInt64, differing: UInt64) {
        var (compared, differing) = (ViewerSet(), ViewerSet())
        for (content, variants) in pods {
            switch content.parts.content {
            case .pod, .rendition, .ladder, .assetList, .stitchedAds: break
            case .renditions, .manifestNotFound, .partNotFound, .ofCohort: continue
            }
            let kept = variants.sorted { ($1.value.viewers.count, $0.key) < ($0.value.viewers.count, $1.key) }
            for (place, variant) in kept.enumerated() {
                compared.formUnion(variant.value.viewers)
                if place > 0 { differing.formUnion(variant.value.viewers) }
            }
        }
        return (UInt64(clamping: compared.count), UInt64(clamping: differing.count))
    }

    /// `url` is asked for only where viewers differ, or at the first request for an identifier.
    mutating func requested(
        _ identifier: String,
        viewer: Int?,
        breakStart: Int64?,
        wallMicroseconds: Int64,
        url: () -> String
    ) {
        guard identifiers[identifier] != nil || identifiers.count < Self.identifierLimit else {
            identifiersNotKept &+= 1
            return
        }
        let asked = viewer.map { viewer in identifiers.values.contains { $0.viewers.contains(viewer) } } ?? false
        identifiers[identifier, default: IdentifierUse()].requests &+= 1
        guard !asked else { return }
        let isNeeded = identifiers.count > 1 || identifiers[identifier]?.span == nil
        let evidence = isNeeded ? Evidence(url: url(), expected: "", observed: "") : nil
        identifiers[identifier]?.count(
            viewer,
            breakStart: breakStart,
            wallMicroseconds: wallMicroseconds,
            evidence: evidence
        )
    }

    /// `evidence` is asked for only where viewers differ, or at the first sight of a body.
    mutating func observed(
        _ content: ComparedContent,
        fingerprint: UInt64,
        viewer: Int,
        wallMicroseconds: Int64,
        evidence: () -> Evidence
    ) {
        // Nothing of a variant is held over the changes below, which would copy its viewers.
        let variants = pods[content]?.count
        let isNew = pods[content]?[fingerprint] == nil
        if isNew {
            guard variants != nil || pods.count < Self.contentLimit, variants ?? 0 < Self.fingerprintLimit else {
                podsNotKept &+= 1
                return
            }
            let first = Sighting(wallMicroseconds: wallMicroseconds, viewer: viewer, evidence: evidence())
            pods[content, default: [:]][fingerprint] = PodVariant(span: SightingSpan(first))
        }
        let isOfOther =
            pods[content]?.contains { $0.key != fingerprint && $0.value.viewers.contains(viewer) } ?? false
        pods[content]?[fingerprint]?.observations &+= 1
        guard !isOfOther else { return }
        pods[content]?[fingerprint]?.viewers.insert(viewer)
        guard !isNew else { return }
        pods[content]?[fingerprint]?.span.add(
            viewer: viewer,
            wallMicroseconds: wallMicroseconds,
            evidence: variants ?? 0 > 1 ? evidence() : nil
        )
    }

    /// Takes out viewers that were given pods which are held against nobody's.
    ///
    /// - Parameters:
    ///   - manifests: Those whose manifest was such, so that nothing of the pod counts.
    ///   - renditions: Those of whom only what they play was.
    mutating func leaveOut(manifestsOf manifests: ViewerSet, renditionsOf renditions: ViewerSet) {
        var both = manifests
        both.formUnion(renditions)
        for (content, variants) in pods {
            let left: ViewerSet
            switch content.parts.content {
            case .pod, .ladder: left = manifests
            case .rendition: left = both
            case .assetList, .stitchedAds, .renditions, .manifestNotFound, .partNotFound, .ofCohort: continue
            }
            let rest = variants.compactMapValues { $0.leavingOut(left) }
            pods[content] = rest.isEmpty ? nil : rest
        }
    }

    mutating func add(_ other: PodLedger) {
        identifiersNotKept &+= other.identifiersNotKept
        podsNotKept &+= other.podsNotKept
        for (identifier, use) in other.identifiers {
            identifiers[identifier, default: IdentifierUse()].add(use)
        }
        for (content, variants) in other.pods {
            pods[content, default: [:]].merge(variants) { $0.adding($1) }
        }
    }
}

extension IdentifierUse: CheckedWhenRead {
    package var problem: String? {
        min(anonymous, requests) >= 0 && max(anonymous, requests) < 1 << 48 ? nil : "no counts"
    }
}

extension PodVariant: CheckedWhenRead {
    package var problem: String? { observations >= 0 && observations < 1 << 48 ? nil : "no count" }
}

extension PodLedger: Codable, EmptyWhereMissing {
    private struct Variant: Codable {
        var identifier: String
        var fingerprint: UInt64
        var pod: PodVariant
    }

    private struct Written: Codable {
        var identifiers: [String: IdentifierUse]
        var pods: [Variant]
        var identifiersNotKept: Int
        var podsNotKept: Int
    }

    package init(from decoder: any Decoder) throws {
        let written = try Written(from: decoder)
        identifiers = written.identifiers
        for variant in written.pods {
            pods[ComparedContent(text: variant.identifier), default: [:]][variant.fingerprint] = variant.pod
        }
        (identifiersNotKept, podsNotKept) = (written.identifiersNotKept, written.podsNotKept)
    }

    package func encode(to encoder: any Encoder) throws {
        let variants = pods.flatMap { content, variants in
            variants.map { Variant(identifier: content.text, fingerprint: $0.key, pod: $0.value) }
        }
        let written = Written(
            identifiers: identifiers,
            pods: variants.sorted { ($0.identifier, $0.fingerprint) < ($1.identifier, $1.fingerprint) },
            identifiersNotKept: identifiersNotKept,
            podsNotKept: podsNotKept
        )
        try written.encode(to: encoder)
    }
}
