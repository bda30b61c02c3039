package import HLS
import Values

extension SteeringManifest {
    /// Ignores unknown keys and clones without BASE-ID or ID.
    package static func parse(_ body: UnsafeRawBufferPointer) throws(AdServingError) -> SteeringManifest {
        let members = try JSONValue.object(in: body)
        guard members["VERSION"]?.number == 1 else { throw .unknownVersion }
        guard case .array(let priority) = members["PATHWAY-PRIORITY"] else { throw .noPathways }
        let pathways = priority.compactMap(\.text).filter { !$0.isEmpty }
        guard !pathways.isEmpty else { throw .noPathways }
        let timeToLive = members["TTL"]?.seconds
        var manifest = SteeringManifest(pathwayPriority: pathways)
        manifest.timeToLive = timeToLive.flatMap { $0 > .zero ? $0 : nil } ?? defaultTimeToLive
        manifest.reloadURI = members["RELOAD-URI"]?.text
        if case .array(let clones) = members["PATHWAY-CLONES"] {
            manifest.pathwayClones = clones.compactMap { clone($0.members) }
        }
        return manifest
    }

    package static func parse(dataURI: String) throws(AdServingError) -> SteeringManifest {
        guard let body = DataURI.body(of: dataURI) else { throw .notJSON }
        return try body.span.bytes.withUnsafeBytes { bytes throws(AdServingError) in try parse(bytes) }
    }

    private static func clone(_ members: JSONObject) -> PathwayClone? {
        guard let baseID = members["BASE-ID"]?.text, let id = members["ID"]?.text, !id.isEmpty else { return nil }
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
