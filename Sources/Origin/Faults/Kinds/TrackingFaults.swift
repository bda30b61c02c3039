import HTTPTypes

enum TrackingFaults {
    /// Answers a media verification with 404, although the session and the media id are known.
    static let verificationNotFound = FaultKind("verification_not_found", kinds: [.verification]) { _, _, effects in
        effects.status = 404
    }

    /// Records a media verification and answers 202 in place of 204.
    static let verificationDeferred = FaultKind(
        "verification_deferred",
        kinds: [.verification],
        editing: { edit, _, _ in
            if edit.status == .noContent { edit.status = .accepted }
        }
    )

    /// Metadata that knows of no pod yet.
    static let metadataLag = FaultKind(
        "metadata_lag",
        kinds: [.metadata],
        editing: { edit, _, _ in
            guard edit.status == .ok else { return }
            edit.lines = ["{\"tags\":{},\"ads\":{},\"ad_breaks\":{}}", ""]
        }
    )

    /// Metadata that lists other prefixes than those that the media ids in ads begin with.
    static let mediaIDUnlisted = FaultKind(
        "media_id_unlisted",
        kinds: [.metadata],
        editing: { edit, _, _ in
            guard edit.status == .ok else { return }
            edit.lines = edit.lines.map { $0.replacing("\"google_", with: "\"google_other-") }
        }
    )

    /// Answers pings with 503 and no body.
    static let pingLost = FaultKind("ping_lost", kinds: [.verification, .beacon]) { _, _, effects in
        effects.status = 503
    }

    /// Lists each media id of metadata a second time under another name, and the first event of each ad of an
    /// asset list twice: of its creative signalling, or of its TRACKING section.
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
        // Behind the quotation mark that begins the first id, to the end of the last entry.
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
