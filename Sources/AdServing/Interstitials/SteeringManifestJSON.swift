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
    /// Ignores unknown keys and clones without BASE-ID or ID.
    package static func parse(_ body: UnsafeRawBufferPointer) throws(SteeringManifestError) -> SteeringManifest {
        let members = try JSONValue.object(in: body, or: SteeringManifestError.self)
        guard members["VERSION"]?.number == 1 else {
            throw .unknownVersion
        }
        guard case .array(let priority) = members["PATHWAY-PRIORITY"] else {
            throw .noPathways
        }
        let pathways = priority.compactMap(\.text).filter { !$0.isEmpty }
        guard !pathways.isEmpty else {
            throw .noPathways
        }
        let timeToLive = members["TTL"]?.seconds
        var manifest = SteeringManifest(pathwayPriority: pathways)
        manifest.timeToLive = timeToLive.flatMap { $0 > .zero ? $0 : nil } ?? defaultTimeToLive
        manifest.reloadURI = members["RELOAD-URI"]?.text
        if case .array(let clones) = members["PATHWAY-CLONES"] {
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
        guard let baseID = members["BASE-ID"]?.text, let id = members["ID"]?.text, !id.isEmpty else {
            return nil
        }
        let replacement = members["URI-REPLACEMENT"]?.members ?? JSONObject()
        func texts(_ name: String) -> [String: String] {
            let members = replacement[name]?.members.all ?? []
            let texts = members.compactMap { member in member.value.text.map { (member.name, $0) } }
            return Dictionary(texts) { first, _ in first }
        }
        var clone = PathwayClone(baseID: baseID, id: id)
        clone.host = replacement["HOST"]?.text.flatMap { $0.isEmpty ? nil : $0 }
        clone.parameters = texts("PARAMS")
        clone.variantURIs = texts("PER-VARIANT-URIS")
        clone.renditionURIs = texts("PER-RENDITION-URIS")
        return clone
    }
}
