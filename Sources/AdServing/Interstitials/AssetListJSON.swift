import HLS
import Values

extension AssetList {
    /// Parses like players: unknown keys are ignored, and a DURATION may be text that begins with a number.
    package init(parsing body: UnsafeRawBufferPointer) throws(AssetListError) {
        guard body.count <= Self.maximumBytes else {
            throw .tooLarge
        }
        let document = try JSONValue.object(in: body, or: AssetListError.self)
        guard case .array(let elements)? = document["ASSETS"] else {
            throw .noAssets
        }
        let entries = try Self.entries(elements)
        var assets: [Asset] = []
        assets.reserveCapacity(entries.count)
        for entry in entries {
            guard let uri = entry.uri, !uri.isEmpty else {
                throw .badAsset
            }
            guard let duration = entry.duration else {
                throw .badDuration
            }
            var asset = Asset(uri: uri, duration: duration, signaling: entry.signaling)
            asset.isSound = entry.hasNumber && URLReference.isAbsolute(uri)
            assets.append(asset)
        }
        self.init(
            assets: assets,
            skipControl: SkipControl(document["SKIP-CONTROL"]),
            signaling: CreativeSignaling(document[CreativeSignaling.key])
        )
        hasUnclearDuration = entries.contains(where: \.hasUnclearDuration)
        if let section = try? document["TRACKING"].map(TrackingSection.init) { take(section.avails) }
    }

    package init(parsing body: [UInt8]) throws(AssetListError) {
        self = try body.span.bytes.withUnsafeBytes { bytes throws(AssetListError) in try AssetList(parsing: bytes) }
    }

    private static func entries(_ elements: [JSONValue]) throws(AssetListError) -> [Entry] {
        var entries: [Entry] = []
        for element in elements {
            guard entries.count < AssetList.maximumAssets else {
                throw .tooManyAssets
            }
            guard case .object(let members) = element else {
                throw .badAsset
            }
            entries.append(Entry(members))
        }
        return entries
    }
}

extension SkipControl {
    /// Nil unless the value is an object.
    fileprivate init?(_ value: JSONValue?) {
        guard case .object(let members)? = value else { return nil }
        func wholeSeconds(_ key: String) -> Int? {
            members.wholeNumber(key).flatMap { $0 >= 0 ? $0 : nil }
        }
        self.init(
            offsetSeconds: wholeSeconds("OFFSET"),
            durationSeconds: wholeSeconds("DURATION"),
            labelID: members["LABEL-ID"]?.text.flatMap { SkipControl.isLabelID($0) ? $0 : nil }
        )
    }
}

private struct Entry {
    let uri: String?
    let duration: Duration?
    let hasUnclearDuration: Bool
    let hasNumber: Bool
    let signaling: CreativeSignaling?

    init(_ members: JSONObject) {
        uri = members["URI"]?.text
        let value = members["DURATION"]
        hasNumber = value?.text == nil
        if let text = value?.text {
            let number = LeadingNumber(text)
            duration = number.flatMap { JSONValue.number($0.value).seconds }
            hasUnclearDuration = number.map { !$0.isWhole } ?? true
        } else {
            duration = value?.seconds
            hasUnclearDuration = false
        }
        signaling = CreativeSignaling(members[CreativeSignaling.key])
    }
}

/// The number at the start of a text, after white space: the result of `parseFloat`, with which hls.js reads DURATION.
private struct LeadingNumber {
    /// Characters that a number of seconds may have.
    private static let limit = 40

    let value: Double
    /// Whether only white space follows.
    let isWhole: Bool

    init?(_ text: String) {
        let text = text.drop(while: \.isWhitespace)
        var number = text.prefix(Self.limit).prefix { "+-.0123456789eE".contains($0) }
        while !number.isEmpty, Double(number) == nil { number.removeLast() }
        guard let value = Double(number) else { return nil }
        self.value = value
        isWhole = text[number.endIndex...].allSatisfy(\.isWhitespace)
    }
}
