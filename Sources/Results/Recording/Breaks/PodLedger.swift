import Values

package struct IdentifierUse: Summable, Equatable, Codable, Sendable, CheckedWhenRead {
    /// Counted by the first request of the break.
    package fileprivate(set) var viewers = ViewerSet()
    package fileprivate(set) var requests = 0
    package fileprivate(set) var span: SightingSpan?
    /// As told to these viewers, since the Unix epoch; nil if no identifier came from a start.
    package fileprivate(set) var starts: ClosedRange<Int64>?

    package var viewerCount: Int { viewers.count &+ viewers.notHeld }

    fileprivate mutating func count(_ moment: ViewerMoment, breakStart: Int64?, _ evidence: Evidence?) {
        if let breakStart { widen(breakStart...breakStart) }
        viewers.insert(moment.viewer)
        if span?.add(moment, evidence) == nil { span = SightingSpan(Sighting(moment, evidence ?? Evidence(url: ""))) }
    }

    private mutating func widen(_ others: ClosedRange<Int64>) {
        let own = starts ?? others
        starts = min(own.lowerBound, others.lowerBound)...max(own.upperBound, others.upperBound)
    }

    package mutating func add(_ other: IdentifierUse) {
        if let starts = other.starts { widen(starts) }
        viewers.formUnion(other.viewers)
        requests &+= other.requests
        span.add(other.span)
    }

    package var problem: String? { requests >= 0 && requests < 1 << 48 ? nil : "no count" }
}

/// One of several variants of content that all viewers should get alike, identified by a fingerprint.
package struct ContentVariant: Summable, Equatable, Codable, Sendable, CheckedWhenRead {
    /// For a pod, counted by the first observation of its identifier.
    package internal(set) var viewers = ViewerSet()
    package fileprivate(set) var observations = 0
    /// The observed text is a summary of the content.
    package fileprivate(set) var span: SightingSpan

    fileprivate func leavingOut(_ left: ViewerSet) -> ContentVariant? {
        var rest = self
        rest.viewers = viewers.subtracting(left)
        rest.observations -= min(observations, viewers.count - rest.viewers.count)
        return rest.viewers.count > 0 ? rest : nil
    }

    package mutating func add(_ other: ContentVariant) {
        viewers.formUnion(other.viewers)
        observations &+= other.observations
        span.add(other.span)
    }

    package var problem: String? { observations >= 0 && observations < 1 << 48 ? nil : "no count" }
}

/// Limits apply per loop; dropping entries during a merge would make the result depend on its order.
package struct PodLedger: Equatable, Codable, Sendable, EmptyWhereMissing {
    package static let identifierLimit = 32
    /// Enough for manifest, renditions and shapes of a pod in versions for two dozen cohorts.
    package static let contentLimit = 256
    package static let fingerprintLimit = 16

    package private(set) var identifiers: [String: IdentifierUse] = [:]
    package private(set) var pods: [ComparedContent: [UInt64: ContentVariant]] = [:]
    package private(set) var identifiersNotKept = 0
    package private(set) var podsNotKept = 0

    package init() {}

    package var viewerCount: Int { identifiers.values.reduce(0) { $0 &+ $1.viewerCount } }

    /// Viewers whose pods were compared, and those with another pod than most.
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

    /// `url` is evaluated at the first request for an identifier, and if viewers differ.
    mutating func requested(_ identifier: String, at moment: ViewerMoment, breakStart: Int64?, url: () -> String) {
        guard identifiers[identifier] != nil || identifiers.count < Self.identifierLimit else {
            identifiersNotKept &+= 1
            return
        }
        let hasAsked = identifiers.values.contains { $0.viewers.contains(moment.viewer) }
        identifiers[identifier, default: IdentifierUse()].requests &+= 1
        guard !hasAsked else { return }
        let isNeeded = identifiers.count > 1 || identifiers[identifier]?.span == nil
        identifiers[identifier]?.count(moment, breakStart: breakStart, isNeeded ? Evidence(url: url()) : nil)
    }

    /// Returns the number of others at the first sight of a body; `evidence` is evaluated then, and if viewers differ.
    mutating func observed(
        _ content: ComparedContent,
        fingerprint: UInt64,
        at moment: ViewerMoment,
        evidence: () -> Evidence
    ) -> Int? {
        guard pods[content] != nil || pods.count < Self.contentLimit else {
            podsNotKept &+= 1
            return nil
        }
        // In place: variants in a variable would make the changes copy their viewers.
        return Self.observed(&pods[content, default: [:]], &podsNotKept, fingerprint, moment, evidence)
    }

    private static func observed(
        _ variants: inout [UInt64: ContentVariant],
        _ notKept: inout Int,
        _ fingerprint: UInt64,
        _ moment: ViewerMoment,
        _ evidence: () -> Evidence
    ) -> Int? {
        let known = variants.count
        let isNew = variants[fingerprint] == nil
        if isNew {
            guard known < fingerprintLimit else {
                notKept &+= 1
                return nil
            }
            variants[fingerprint] = ContentVariant(span: SightingSpan(Sighting(moment, evidence())))
        }
        let isOfOther = variants.contains { $0.key != fingerprint && $0.value.viewers.contains(moment.viewer) }
        variants[fingerprint]?.observations &+= 1
        if !isOfOther {
            variants[fingerprint]?.viewers.insert(moment.viewer)
            if !isNew { variants[fingerprint]?.span.add(moment, known > 1 ? evidence() : nil) }
        }
        return isNew ? known : nil
    }

    /// `manifests` excludes the whole pod, `renditions` only the played content.
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
        identifiers.add(other.identifiers)
        pods.add(other.pods)
    }
}

/// Length of a pod's renditions and positions of their discontinuities.
///
/// The number of segments is not included: bis-22 section 6.2.4 asks for matching timestamps and discontinuity sequence
/// numbers. Mean and root mean square of the positions fit into a fingerprint: renditions whose positions all match always
/// compare equal, and others almost never do.
package struct PodShape: Equatable, Sendable {
    /// Audio and video segments end at different moments.
    package static let toleranceMilliseconds = 500

    private static let unitMilliseconds = 10
    private static let bits: UInt64 = 19
    private static let mask: UInt64 = (1 << bits) - 1

    private let duration: Int
    private let discontinuities: Int
    private let mean: Int
    private let rootMeanSquare: Int

    /// Milliseconds; clamped to 87 minutes and 127 discontinuities.
    package init(durationMilliseconds: Int, discontinuitiesAt places: [Int]) {
        let places = places.map(Double.init)
        let count = Double(max(places.count, 1))
        duration = Self.held(Double(durationMilliseconds))
        discontinuities = min(places.count, Int(UInt64.max >> (3 * Self.bits)))
        mean = Self.held(places.reduce(0, +) / count)
        rootMeanSquare = Self.held((places.reduce(0) { $0 + $1 * $1 } / count).squareRoot())
    }

    package init(fingerprint: UInt64) {
        duration = Int(fingerprint & Self.mask)
        mean = Int(fingerprint >> Self.bits & Self.mask)
        rootMeanSquare = Int(fingerprint >> (2 * Self.bits) & Self.mask)
        discontinuities = Int(fingerprint >> (3 * Self.bits))
    }

    package var fingerprint: UInt64 {
        UInt64(duration) | UInt64(mean) << Self.bits | UInt64(rootMeanSquare) << (2 * Self.bits)
            | UInt64(discontinuities) << (3 * Self.bits)
    }

    /// Whether a player that switches between the renditions keeps its position.
    package func matches(_ other: PodShape) -> Bool {
        discontinuities == other.discontinuities && Self.areNear(duration, other.duration)
            && Self.areNear(mean, other.mean) && Self.areNear(rootMeanSquare, other.rootMeanSquare)
    }

    private static func areNear(_ left: Int, _ right: Int) -> Bool {
        abs(left - right) * unitMilliseconds <= toleranceMilliseconds
    }

    private static func held(_ milliseconds: Double) -> Int {
        Int(min(max(milliseconds / Double(unitMilliseconds), 0), Double(mask)))
    }
}
