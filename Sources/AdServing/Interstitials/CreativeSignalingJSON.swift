import FoundationEssentials
import Values

extension CreativeSignaling {
    /// Parses a date range's attribute: base64 of a JSON text, or the text itself.
    package init?(attribute text: String) {
        let data = Data(base64Encoded: text) ?? Data(text.utf8)
        guard let value = try? data.withUnsafeBytes({ try JSONValue(parsing: $0, within: .answer) }) else {
            return nil
        }
        self.init(value)
    }

    /// Parses the member of an asset list or asset; like players, ignores invalid signaling.
    init?(_ value: JSONValue?) {
        guard let value, let signaling = try? Self(reading: value) else { return nil }
        self = signaling
    }
}

extension CreativeSignaling {
    private init(reading value: JSONValue) throws(UnexpectedMember) {
        let members = try value.object()
        guard let kind = Kind(rawValue: try members.optionalText("type") ?? "slot") else {
            throw UnexpectedMember()
        }
        let items = try members.optionalList("payload") { item throws(UnexpectedMember) in
            try Item(item, isSlotOfAPod: false)
        }
        guard let items, !items.isEmpty, items.count <= AssetList.maximumAssets else { throw UnexpectedMember() }
        // Older signaling has no version and no type; its payload is slots.
        self.init(version: members.wholeNumber("version") ?? 2, kind: kind, items: items)
    }
}

extension CreativeSignaling.Item {
    fileprivate init(_ value: JSONValue, isSlotOfAPod: Bool) throws(UnexpectedMember) {
        let members = try value.object()
        func seconds(_ key: String) throws(UnexpectedMember) -> Duration? {
            guard let number = try members.optionalNumber(key) else { return nil }
            guard let seconds = JSONValue.number(number).seconds else { throw UnexpectedMember() }
            return seconds
        }
        self.init(
            start: try seconds("start") ?? .zero,
            duration: try seconds("duration") ?? .zero,
            tracking: try members.optionalList("tracking") { tracking throws(UnexpectedMember) in
                try CreativeSignaling.Tracking(tracking)
            } ?? []
        )
        // Like players, ignores identifiers that cannot be parsed.
        let identifiers = try? members.optionalList("identifiers") { identifier throws(UnexpectedMember) in
            try identifier.object().text("value")
        }
        self.identifiers = (identifiers ?? nil) ?? []
        // A slot has no slots, which limits the nesting to that of the format.
        guard !isSlotOfAPod else { return }
        slots =
            try members.optionalList("slots") { slot throws(UnexpectedMember) in
                try Self(slot, isSlotOfAPod: true)
            } ?? []
    }
}

extension CreativeSignaling.Tracking {
    fileprivate init(_ value: JSONValue) throws(UnexpectedMember) {
        let members = try value.object()
        self.init(
            type: try members.text("type"),
            offset: try members.optionalNumber("offset").flatMap { JSONValue.number($0).seconds },
            urls: try members.optionalTexts("urls") ?? []
        )
    }
}
