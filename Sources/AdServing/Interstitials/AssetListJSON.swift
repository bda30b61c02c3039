import FoundationEssentials
import HLS

extension AssetList {
    /// Reads a list as players do: unknown keys are passed over, and a DURATION may be text that begins with a number.
    package init(parsing body: UnsafeRawBufferPointer) throws(AssetListError) {
        guard body.count <= Self.maximumBytes else {
            throw .tooLarge
        }
        let document: Document
        do {
            document = try JSONDecoder().decode(Document.self, from: Data(body))
        } catch let error as AssetListError {
            throw error
        } catch DecodingError.dataCorrupted {
            throw .notJSON
        } catch {
            throw .notAnObject
        }
        guard let entries = document.assets else {
            throw .noAssets
        }
        guard entries.count <= Self.maximumAssets else {
            throw .tooManyAssets
        }
        var assets: [Asset] = []
        assets.reserveCapacity(entries.count)
        for entry in entries {
            guard let uri = entry.uri, !uri.isEmpty else {
                throw .badAsset
            }
            guard let duration = entry.duration else {
                throw .badDuration
            }
            assets.append(Asset(uri: uri, duration: duration, signaling: entry.signaling))
        }
        self.init(assets: assets, skipControl: document.skipControl, signaling: document.signaling)
        hasUnclearDuration = entries.contains(where: \.hasUnclearDuration)
        if let section = document.tracking { take(section.avails) }
    }

    package init(parsing body: [UInt8]) throws(AssetListError) {
        let result = body.withUnsafeBytes { bytes in
            Result { () throws(AssetListError) in try AssetList(parsing: bytes) }
        }
        self = try result.get()
    }
}

/// The document's members, in the types that are expected of them.
private struct Document: Decodable {
    var assets: [Entry]?
    var skipControl: SkipControl?
    var signaling: CreativeSignaling?
    var tracking: TrackingSection?

    private enum Key: String, CodingKey {
        case assets = "ASSETS"
        case skipControl = "SKIP-CONTROL"
        case signaling = "X-AD-CREATIVE-SIGNALING"
        case tracking = "TRACKING"
    }

    private enum SkipKey: String, CodingKey {
        case offset = "OFFSET"
        case duration = "DURATION"
        case label = "LABEL-ID"
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        assets = try Self.entries(members)
        if let control = try? members.nestedContainer(keyedBy: SkipKey.self, forKey: .skipControl) {
            skipControl = SkipControl(
                offsetSeconds: Self.wholeSeconds(control, .offset),
                durationSeconds: Self.wholeSeconds(control, .duration),
                labelID: (try? control.decodeIfPresent(String.self, forKey: .label))
                    .flatMap { SkipControl.isLabelID($0) ? $0 : nil }
            )
        }
        signaling = CreativeSignaling.member(of: members, .signaling)
        tracking = try? members.decodeIfPresent(TrackingSection.self, forKey: .tracking)
    }

    /// Nil when ASSETS is missing or no array; what stands in the array is judged later.
    private static func entries(_ members: KeyedDecodingContainer<Key>) throws -> [Entry]? {
        guard members.contains(.assets), var list = try? members.nestedUnkeyedContainer(forKey: .assets) else {
            return nil
        }
        var entries: [Entry] = []
        while !list.isAtEnd {
            guard entries.count < AssetList.maximumAssets else {
                throw AssetListError.tooManyAssets
            }
            guard let entry = try? list.decode(Entry.self) else {
                throw AssetListError.badAsset
            }
            entries.append(entry)
        }
        return entries
    }

    private static func wholeSeconds(_ control: KeyedDecodingContainer<SkipKey>, _ key: SkipKey) -> Int? {
        guard let seconds = try? control.decodeIfPresent(Int.self, forKey: key), seconds >= 0 else {
            return nil
        }
        return seconds
    }
}

/// One element of ASSETS.
private struct Entry: Decodable {
    var uri: String?
    var duration: Duration?
    var hasUnclearDuration = false
    var signaling: CreativeSignaling?

    private enum Key: String, CodingKey {
        case uri = "URI"
        case duration = "DURATION"
        case signaling = "X-AD-CREATIVE-SIGNALING"
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        uri = try? members.decodeIfPresent(String.self, forKey: .uri)
        if let number = try? members.decodeIfPresent(Double.self, forKey: .duration) {
            duration = JSONValue.number(number).seconds
        } else if let text = try? members.decodeIfPresent(String.self, forKey: .duration) {
            let number = LeadingNumber(text)
            duration = number.flatMap { JSONValue.number($0.value).seconds }
            hasUnclearDuration = number.map { !$0.isWhole } ?? true
        }
        signaling = CreativeSignaling.member(of: members, .signaling)
    }
}

/// The number that a text begins with, after white space: what `parseFloat` makes of it, by which hls.js reads DURATION.
private struct LeadingNumber {
    /// No number of seconds takes more.
    private static let limit = 40

    let value: Double
    /// Whether nothing but white space follows.
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
