package import HLS

extension JSONValue {
    /// Nil unless the number is from 0 to a thousand years.
    var seconds: Duration? {
        guard let number, number >= 0, number <= 31_557_600_000 else { return nil }
        return .microseconds(Int64((number * 1_000_000).rounded()))
    }

    /// Nil also for text that spells a number.
    var plainNumber: Double? { if case .number(let number) = self { number } else { nil } }
    var plainSeconds: Duration? { plainNumber.flatMap { _ in seconds } }

    static func object(in json: UnsafeRawBufferPointer) throws(AdServingError) -> JSONObject {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: json, within: .answer)
        } catch {
            // Both enums have the same raw values.
            throw AdServingError(rawValue: error.rawValue) ?? .notJSON
        }
        guard case .object(let members) = value else { throw .notAnObject }
        return members
    }

    func object() throws(UnexpectedMember) -> JSONObject {
        guard case .object(let members) = self else { throw UnexpectedMember() }
        return members
    }
}

struct UnexpectedMember: Error {}

extension JSONObject {
    /// Nil for a member that is missing or null; another one that `read` cannot read makes the enclosing object unreadable.
    func optional<Value>(
        _ name: String,
        _ read: (JSONValue) throws(UnexpectedMember) -> Value?
    ) throws(UnexpectedMember) -> Value? {
        guard let value = self[name], value != .null else { return nil }
        guard let found = try read(value) else { throw UnexpectedMember() }
        return found
    }

    func optionalList<Element>(
        _ name: String,
        of element: (JSONValue) throws(UnexpectedMember) -> Element
    ) throws(UnexpectedMember) -> [Element]? {
        try optional(name) { value throws(UnexpectedMember) in
            guard case .array(let elements) = value else { return nil }
            return try elements.map(element)
        }
    }

    func optionalTexts(_ name: String) throws(UnexpectedMember) -> [String]? {
        try optionalList(name) { value throws(UnexpectedMember) in
            guard let text = value.text else { throw UnexpectedMember() }
            return text
        }
    }

    func text(_ name: String) throws(UnexpectedMember) -> String {
        guard let text = self[name]?.text else { throw UnexpectedMember() }
        return text
    }

    func wholeNumber(_ name: String) -> Int? { self[name]?.plainNumber.flatMap { Int(exactly: $0) } }
}

/// Never quotes the answer, which can carry session tokens.
package enum AdServingError: String, Error, Hashable, Sendable {
    case notJSON = "not_json"
    case notAnObject = "not_an_object"
    /// Limits are those of ``JSONLimits/answer``, and of an asset list ``AssetList/maximumBytes``.
    case tooLarge = "too_large"
    case tooDeep = "too_deep"
    case tooManyValues = "too_many_values"
    case textTooLong = "text_too_long"
    case noAssets = "no_assets"
    /// Not an object, or without a URI.
    case badAsset = "bad_asset"
    /// Not a number of seconds.
    case badDuration = "bad_duration"
    case tooManyAssets = "too_many_assets"
    /// VERSION is not 1, the only one that clients support.
    case unknownVersion = "unknown_version"
    case noPathways = "no_pathways"

    package var observation: String { "a successful answer that cannot be read: \(rawValue)" }
}

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
