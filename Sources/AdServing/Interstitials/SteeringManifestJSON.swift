package import HLS
import Values

/// Reason why a body is not a steering manifest; the client then requests it again after the TTL it knows.
package enum SteeringManifestError: String, Error, Hashable, Sendable, CaseIterable {
    case notJSON = "not_json"
    case notAnObject = "not_an_object"
    /// VERSION is not 1, the only one that clients support.
    case unknownVersion = "unknown_version"
    case noPathways = "no_pathways"
    /// Limits are those of ``JSONLimits/answer``.
    case tooLarge = "too_large"
    case tooDeep = "too_deep"
    case tooManyValues = "too_many_values"
}

extension SteeringManifestError: AnswerError {}

extension SteeringManifest {
    /// bis-22 section 7.1.
    private enum Name {
        static let version = "VERSION"
        static let timeToLive = "TTL"
        static let reloadURI = "RELOAD-URI"
        static let priority = "PATHWAY-PRIORITY"
        static let clones = "PATHWAY-CLONES"
        static let baseID = "BASE-ID"
        static let id = "ID"
        static let replacement = "URI-REPLACEMENT"
        static let host = "HOST"
        static let parameters = "PARAMS"
        static let variantURIs = "PER-VARIANT-URIS"
        static let renditionURIs = "PER-RENDITION-URIS"
    }

    /// Ignores unknown keys and clones without BASE-ID or ID.
    package static func parse(_ body: UnsafeRawBufferPointer) throws(SteeringManifestError) -> SteeringManifest {
        let members = try JSONValue.object(in: body, or: SteeringManifestError.self)
        guard members[Name.version]?.number == 1 else {
            throw .unknownVersion
        }
        guard case .array(let priority) = members[Name.priority] else {
            throw .noPathways
        }
        let pathways = priority.compactMap(\.text).filter { !$0.isEmpty }
        guard !pathways.isEmpty else {
            throw .noPathways
        }
        let timeToLive = members[Name.timeToLive]?.seconds
        var manifest = SteeringManifest(pathwayPriority: pathways)
        manifest.timeToLive = timeToLive.flatMap { $0 > .zero ? $0 : nil } ?? defaultTimeToLive
        manifest.reloadURI = members[Name.reloadURI]?.text
        if case .array(let clones) = members[Name.clones] {
            manifest.pathwayClones = clones.compactMap { clone($0.members) }
        }
        return manifest
    }

    package static func parse(dataURI: String) throws(SteeringManifestError) -> SteeringManifest {
        guard let body = DataURI.body(of: dataURI) else {
            throw .notJSON
        }
        return try body.span.bytes.withUnsafeBytes { bytes throws(SteeringManifestError) in try parse(bytes) }
    }

    private static func clone(_ members: JSONObject) -> PathwayClone? {
        guard let baseID = members[Name.baseID]?.text, let id = members[Name.id]?.text, !id.isEmpty else {
            return nil
        }
        let replacement = members[Name.replacement]?.members ?? JSONObject()
        func texts(_ name: String) -> [String: String] {
            let members = replacement[name]?.members.all ?? []
            let texts = members.compactMap { member in member.value.text.map { (member.name, $0) } }
            return Dictionary(texts) { first, _ in first }
        }
        return PathwayClone(
            baseID: baseID,
            id: id,
            host: replacement[Name.host]?.text.flatMap { $0.isEmpty ? nil : $0 },
            parameters: texts(Name.parameters),
            variantURIs: texts(Name.variantURIs),
            renditionURIs: texts(Name.renditionURIs)
        )
    }
}
