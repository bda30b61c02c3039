import FoundationEssentials

/// EXT-X-CONTENT-STEERING (bis-22 section 4.4.6.6).
package struct ContentSteering: Hashable, Sendable {
    /// The pathway of variants without PATHWAY-ID.
    package static let defaultPathway = "."
    package static let pathwayParameter = "_HLS_pathway"
    package static let throughputParameter = "_HLS_throughput"

    /// Relative to the playlist, or a `data:` URI.
    package var serverURI: String
    package var pathwayID: String?
    package var otherAttributes: [String: AttributeValue]

    package init(serverURI: String, pathwayID: String? = nil, otherAttributes: [String: AttributeValue] = [:]) {
        (self.serverURI, self.pathwayID, self.otherAttributes) = (serverURI, pathwayID, otherAttributes)
    }

    var written: [WrittenAttribute] {
        [.quoted("SERVER-URI", serverURI), .quoted("PATHWAY-ID", pathwayID)] + WrittenAttribute.others(otherAttributes)
    }

    /// Adds the client's parameters (bis-22 section 7.2); a `data:` URI is returned unchanged.
    ///
    /// `base` is the URL of the document that names `reference`; throughput is in bits per second.
    package static func requestURL(
        _ reference: String,
        base: String,
        pathway: String?,
        throughput: Int? = nil
    ) -> String {
        guard !DataURI.isOne(reference) else { return reference }
        var query = URLQuery(of: URLReference.resolve(reference, against: base) ?? reference)
        if let pathway { query.set(pathwayParameter, to: pathway) }
        if let throughput { query.set(throughputParameter, to: String(max(0, throughput))) }
        return query.url
    }
}

extension MultivariantPlaylist {
    /// In the order of their first variants.
    package var pathways: [String] {
        var known: Set<String> = []
        return variants.map(\.pathwayID).filter { known.insert($0).inserted }
    }

    package func variants(onPathway pathway: String) -> [Variant] { variants.filter { $0.pathwayID == pathway } }

    /// Clones follow their order, so that one may clone an earlier clone, up to a limit.
    ///
    /// Clones of unknown pathways or with known identifiers are ignored. A clone's renditions form groups of their own, as its
    /// variants must not mix with those of the base.
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

    private static func group(_ name: String, of clone: PathwayClone) -> String { "\(name)_clone_\(clone.id)" }
}

extension MultivariantPlaylist.Variant {
    package var pathwayID: String {
        get { otherAttributes["PATHWAY-ID"]?.text ?? ContentSteering.defaultPathway }
        set { otherAttributes["PATHWAY-ID"] = .quoted(newValue) }
    }

    package var stableID: String? { otherAttributes["STABLE-VARIANT-ID"]?.text }
}

extension MultivariantPlaylist.Rendition {
    package var stableID: String? { otherAttributes["STABLE-RENDITION-ID"]?.text }
}

/// RFC 2397.
package enum DataURI {
    package static func isOne(_ uri: String) -> Bool { uri.prefix(5).lowercased() == "data:" }

    /// Nil for another URI or malformed base64.
    package static func body(of uri: String) -> [UInt8]? {
        guard isOne(uri), let comma = uri.firstIndex(of: ",") else { return nil }
        let content = PercentEncoding.decode(uri[uri.index(after: comma)...])
        guard uri[..<comma].lowercased().hasSuffix(";base64") else { return Array(content.utf8) }
        return Base64.decode(content)
    }
}

/// A steering server's answer (bis-22 section 7.1).
package struct SteeringManifest: Hashable, Sendable {
    /// Without TTL (bis-22 section 7.1).
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

/// PATHWAY-CLONES (bis-22 section 7.1).
package struct PathwayClone: Hashable, Sendable {
    package var baseID: String
    package var id: String
    /// Replaces the host, and the port if it names one.
    package var host: String?
    package var parameters: [String: String] = [:]
    /// Whole URIs by STABLE-VARIANT-ID.
    package var variantURIs: [String: String] = [:]
    /// Whole URIs by STABLE-RENDITION-ID.
    package var renditionURIs: [String: String] = [:]

    func uri(for uri: String, override: String?, base: String) -> String {
        if let override { return override }
        var url = URLReference.resolve(uri, against: base) ?? uri
        if let host { url = URLReference.replacingHost(of: url, with: host) }
        guard !parameters.isEmpty else { return url }
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

/// RFC 4648 section 4.
enum Base64 {
    /// Padding is optional.
    static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var digits = text.utf8.filter { $0 != UInt8(ascii: "=") }
        digits += repeatElement(UInt8(ascii: "="), count: (4 - digits.count % 4) % 4)
        return Data(base64Encoded: Data(digits)).map(Array.init)
    }
}
