import FoundationEssentials

extension CreativeSignaling {
    /// The signaling of a date range's attribute: base64 of a JSON text, or the text itself.
    package init?(attribute text: String) {
        let data = Data(base64Encoded: text) ?? Data(text.utf8)
        guard let envelope = try? JSONDecoder().decode(CreativeSignaling.self, from: data) else {
            return nil
        }
        self = envelope
    }

    /// The signaling that an asset list or asset carries; broken signaling is passed over, as players do.
    static func member<Key: CodingKey>(of members: KeyedDecodingContainer<Key>, _ key: Key) -> CreativeSignaling? {
        guard members.contains(key) else {
            return nil
        }
        return try? members.decodeIfPresent(CreativeSignaling.self, forKey: key)
    }
}

extension CreativeSignaling: Decodable {
    private enum Key: String, CodingKey {
        case version, type, payload
    }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        // Older signaling has no version and no type; its payload is slots.
        version = (try? members.decodeIfPresent(Int.self, forKey: .version)) ?? 2
        guard let kind = Kind(rawValue: try members.decodeIfPresent(String.self, forKey: .type) ?? "slot") else {
            throw DecodingError.dataCorruptedError(forKey: .type, in: members, debugDescription: "neither slot nor pod")
        }
        self.kind = kind
        items = try members.decode([Item].self, forKey: .payload)
        guard !items.isEmpty, items.count <= AssetList.maximumAssets else {
            throw DecodingError.dataCorruptedError(forKey: .payload, in: members, debugDescription: "empty or too long")
        }
    }
}

extension CreativeSignaling.Item: Decodable {
    private struct Identifier: Decodable {
        var value: String
    }

    private enum Key: String, CodingKey {
        case type, start, duration, tracking, identifiers, slots
    }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        func seconds(_ key: Key) throws -> Duration? {
            try members.decodeIfPresent(Double.self, forKey: key).map { number in
                guard let seconds = JSONValue.number(number).seconds else {
                    throw DecodingError.dataCorruptedError(forKey: key, in: members, debugDescription: "no seconds")
                }
                return seconds
            }
        }
        start = try seconds(.start) ?? .zero
        duration = try seconds(.duration) ?? .zero
        tracking = try members.decodeIfPresent([CreativeSignaling.Tracking].self, forKey: .tracking) ?? []
        // What cannot be read tells nothing: players go on without it.
        identifiers =
            ((try? members.decodeIfPresent([Identifier].self, forKey: .identifiers)) ?? nil)?.map(\.value) ?? []
        // A slot has no slots, so nothing nests deeper than the format says.
        let isSlotOfAPod = decoder.codingPath.contains { $0.stringValue == Key.slots.stringValue }
        slots = isSlotOfAPod ? [] : try members.decodeIfPresent([CreativeSignaling.Item].self, forKey: .slots) ?? []
    }
}

extension CreativeSignaling.Tracking: Decodable {
    private enum Key: String, CodingKey {
        case type, offset, urls
    }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        type = try members.decode(String.self, forKey: .type)
        offset = try members.decodeIfPresent(Double.self, forKey: .offset).flatMap { JSONValue.number($0).seconds }
        urls = try members.decodeIfPresent([String].self, forKey: .urls) ?? []
    }
}
