/// A steering server's answer: preferred pathways, and the time of the next request (bis-22 section 7.1).
package struct SteeringManifest: Hashable, Sendable {
    /// For a manifest without TTL (bis-22 section 7.1).
    package static let defaultTimeToLive = Duration.seconds(300)

    package var timeToLive: Duration = defaultTimeToLive
    /// Relative to the manifest; nil: the manifest's own URL.
    package var reloadURI: String?
    /// The most preferred first.
    package var pathwayPriority: [String]
    package var pathwayClones: [PathwayClone] = []
}

extension SteeringManifest {
    package init(pathwayPriority: [String]) {
        self.init(timeToLive: Self.defaultTimeToLive, pathwayPriority: pathwayPriority)
    }
}

/// A pathway made from another by replacing parts of its URIs (bis-22 section 7.1, PATHWAY-CLONES).
package struct PathwayClone: Hashable, Sendable {
    package var baseID: String
    package var id: String
    /// Replaces the host, and the port if it names one.
    package var host: String?
    package var parameters: [String: String] = [:]
    /// Whole URIs by STABLE-VARIANT-ID, used unchanged.
    package var variantURIs: [String: String] = [:]
    /// Whole URIs by STABLE-RENDITION-ID, used unchanged.
    package var renditionURIs: [String: String] = [:]

    /// The clone's URI for one of the base pathway; `base` is the multivariant playlist's URL.
    func uri(for uri: String, override: String?, base: String) -> String {
        if let override {
            return override
        }
        var url = URLReference.resolve(uri, against: base) ?? uri
        if let host {
            url = URLReference.replacingHost(of: url, with: host)
        }
        guard !parameters.isEmpty else {
            return url
        }
        var query = URLQuery(of: url)
        for (name, value) in parameters.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            query.set(name, to: value)
        }
        return query.url
    }
}

extension PathwayClone {
    package init(baseID: String, id: String) { self.init(baseID: baseID, id: id, host: nil) }
}

extension MultivariantPlaylist {
    /// The playlist with the pathways that `clones` make, in their order, so that one may clone an earlier clone.
    ///
    /// A clone's renditions form groups of their own, as its variants must not mix with those of the base. A clone of an
    /// unknown pathway, or with the identifier of a known one, is ignored. Clones of clones multiply a playlist, so none is
    /// added beyond a limit above any channel's number of variants.
    package func adding(_ clones: [PathwayClone], base: String) -> MultivariantPlaylist {
        var result = self
        var known = Set(pathways)
        for clone in clones where known.contains(clone.baseID) && !known.contains(clone.id) {
            guard result.variants.count <= Self.mostClonedVariants else { break }
            result.add(clone, base: base)
            known.insert(clone.id)
        }
        return result
    }

    private static let mostClonedVariants = 1_024

    private mutating func add(_ clone: PathwayClone, base: String) {
        var groups: Set<String> = []
        func cloned(_ variant: Variant) -> Variant {
            var variant = variant
            variant.uri = clone.uri(
                for: variant.uri,
                override: variant.stableID.flatMap { clone.variantURIs[$0] },
                base: base
            )
            variant.pathwayID = clone.id
            groups.formUnion([variant.audioGroup, variant.videoGroup, variant.subtitlesGroup].compactMap(\.self))
            variant.audioGroup = variant.audioGroup.map { Self.group($0, of: clone) }
            variant.videoGroup = variant.videoGroup.map { Self.group($0, of: clone) }
            variant.subtitlesGroup = variant.subtitlesGroup.map { Self.group($0, of: clone) }
            return variant
        }
        variants += variants(onPathway: clone.baseID).map(cloned)
        iFrameVariants += iFrameVariants.filter { $0.pathwayID == clone.baseID }.map(cloned)
        renditions += renditions.filter { groups.contains($0.groupID) && $0.type != .closedCaptions }.map { rendition in
            var rendition = rendition
            let override = rendition.stableID.flatMap { clone.renditionURIs[$0] }
            rendition.uri = rendition.uri.map { clone.uri(for: $0, override: override, base: base) }
            rendition.groupID = Self.group(rendition.groupID, of: clone)
            return rendition
        }
    }

    private static func group(_ name: String, of clone: PathwayClone) -> String {
        "\(name)_clone_\(clone.id)"
    }
}
