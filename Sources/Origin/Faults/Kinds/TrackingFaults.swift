import HTTPTypes

enum TrackingFaults {
    static let verificationNotFound = FaultKind("verification_not_found", kinds: [.verification]) { _, _, effects in
        effects.status = 404
    }

    /// 202 in place of 204.
    static let verificationDeferred = FaultKind(
        "verification_deferred",
        kinds: [.verification],
        editing: { edit, _, _ in
            if edit.status == .noContent { edit.status = .accepted }
        }
    )

    static let metadataLag = FaultKind(
        "metadata_lag",
        kinds: [.metadata],
        editing: { edit, _, _ in
            guard edit.status == .ok else { return }
            edit.lines = ["{\"tags\":{},\"ads\":{},\"ad_breaks\":{}}", ""]
        }
    )

    /// Prefixes in metadata that match no media id in ads.
    static let mediaIDUnlisted = FaultKind(
        "media_id_unlisted",
        kinds: [.metadata],
        editing: { edit, _, _ in
            guard edit.status == .ok else { return }
            edit.lines = edit.lines.map { $0.replacing("\"google_", with: "\"google_other-") }
        }
    )

    static let pingLost = FaultKind("ping_lost", kinds: [.verification, .beacon]) { _, _, effects in
        effects.status = 503
    }

    /// Lists each media id of metadata again under another name, and the first event of each ad of an asset list twice, in its
    /// creative signaling or its TRACKING section.
    static let pingDoubled = FaultKind(
        "ping_doubled",
        kinds: [.metadata, .assetList],
        editing: { edit, _, occasion in
            guard edit.status == .ok else { return }
            edit.lines = edit.lines.map { occasion.kind == .metadata ? doublingTags($0) : doublingFirstEvents($0) }
        }
    )

    private static func doublingTags(_ text: String) -> String {
        guard let opening = text.firstRange(of: "\"tags\":{\""),
            let closing = text[opening.upperBound...].firstRange(of: "}}")
        else { return text }
        // From after the first id's opening quotation mark to the end of the last entry.
        let entries = text[opening.upperBound..<text.index(after: closing.lowerBound)]
        let again = entries.replacing("\":{", with: "-again\":{")
        return "\(text[..<opening.upperBound])\(entries),\"\(again)}\(text[closing.upperBound...])"
    }

    private static func doublingFirstEvents(_ text: String) -> String {
        ["tracking", "trackingEvents"].reduce(text) { doublingFirst(of: $1, in: $0) }
    }

    private static func doublingFirst(of list: String, in text: String) -> String {
        let opening = "\"\(list)\":["
        var pieces = text.split(separator: opening, omittingEmptySubsequences: false).map(String.init)
        for place in pieces.indices.dropFirst() {
            guard let closing = pieces[place].firstIndex(of: "}") else { continue }
            pieces[place] = "\(pieces[place][...closing]),\(pieces[place])"
        }
        return pieces.joined(separator: opening)
    }
}
