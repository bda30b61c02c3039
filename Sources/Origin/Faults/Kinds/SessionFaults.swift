import AdServing
import HLS
import HTTPTypes
import Values

extension FaultKind {
    static let sessions: [FaultKind] =
        [
            .setting("registration_without_stream_id", \.hidesStreamID, to: true, of: [.registration]),
            // 429 and 503 have a Retry-After (RFC 9110 10.2.3).
            .effect("registration_status", of: [.registration], parameters: [.status]) { fault, _, effects in
                let status = fault.status ?? 429
                effects.status = status
                if status == 429 || status == 503 { effects.retryAfterSeconds = 1 }
            },
            .status("channel_unavailable", 503, of: [.multivariant]),
            .status("session_expired", 410, of: personal, byDefault: 1, parameters: []),
            .status(
                "access_refused",
                403,
                of: personal + [.multivariant, .playlist, .blockingPlaylist, .assetList, .assetManifest],
                byDefault: 1
            ),
        ] + tokens + redirections + tracking + pages

    /// Metadata comes first: there a lost session shows even without a break.
    private static let personal: [RequestKind] = [.metadata, .podManifest, .podPlaylist]

    /// All viewers of a break get one token: another would make another pod.
    private static let tokens: [FaultKind] = [
        // Expired five minutes before the break, as if signed at its announcement.
        .edit("token_expired", of: [.podManifest]) { edit, _, occasion in
            edit.signAddresses(of: occasion, expiry: occasion.breakEpochSeconds - 300)
        },
        // As in Google's HTML5 sample.
        .edit("token_expiry_in_milliseconds", of: [.podManifest]) { edit, _, occasion in
            edit.signAddresses(of: occasion, expiry: (occasion.breakEpochSeconds + 600) * 1_000)
        },
        .edit("token_of_another_break", of: [.podManifest]) { edit, _, occasion in
            edit.signAddresses(of: occasion, expiry: occasion.breakEpochSeconds + 600, isOfBreakBefore: true)
        },
    ]

    private static let redirections: [FaultKind] = [
        .setting("redirect_chain", \.redirection, to: .chain, of: redirectable, byDefault: 1),
        // Defaults to metadata, which a break does not need.
        .setting(
            "redirect_loop",
            \.redirection,
            to: .loop,
            of: [.metadata, .podManifest] + redirectable.dropFirst(2),
            byDefault: 1
        ),
        .setting("redirect_to_other_host", \.redirection, to: .otherHost, of: redirectable, byDefault: 1),
    ]

    private static let redirectable: [RequestKind] =
        [.podManifest, .metadata] + RequestKind.known.filter { ![.podManifest, .metadata, .registration].contains($0) }

    private static let tracking: [FaultKind] = [
        .status("verification_not_found", 404, of: [.verification], parameters: []),
        .edit("verification_deferred", of: [.verification]) { edit, _, _ in
            if edit.status == .noContent { edit.status = .accepted }
        },
        .edit("metadata_lag", of: [.metadata]) { edit, _, _ in
            guard edit.status == .ok else { return }
            edit.lines = ["{\"tags\":{},\"ads\":{},\"ad_breaks\":{}}", ""]
        },
        // The prefixes match no media id in ads.
        .edit("media_id_unlisted", of: [.metadata]) { edit, _, _ in
            guard edit.status == .ok else { return }
            edit.lines = edit.lines.map { $0.replacing("\"google_", with: "\"google_other-") }
        },
        .status("ping_lost", 503, of: [.verification, .beacon], parameters: []),
        // Lists media ids again under another name, and the first event of each ad of an asset list twice.
        .edit("ping_doubled", of: [.metadata, .assetList]) { edit, _, occasion in
            guard edit.status == .ok else { return }
            edit.lines = edit.lines.map { line in
                guard occasion.kind != .metadata else { return doublingTags(line) }
                return doublingFirst(of: "trackingEvents", in: doublingFirst(of: "tracking", in: line))
            }
        },
    ]

    /// Permissions of an answer for pages of other origins.
    private static let pages: [FaultKind] = [
        .setting("cors_refused", \.permission, to: .ofOthers, of: RequestKind.known),
        .setting("cors_header_missing", \.permission, to: .missing, of: RequestKind.known),
    ]

    private static func doublingTags(_ text: String) -> String {
        guard let opening = text.firstRange(of: "\"tags\":{\""),
            let closing = text[opening.upperBound...].firstRange(of: "}}")
        else { return text }
        // After the first id's opening quotation mark to the last entry's end.
        let entries = text[opening.upperBound..<text.index(after: closing.lowerBound)]
        let again = entries.replacing("\":{", with: "-again\":{")
        return "\(text[..<opening.upperBound])\(entries),\"\(again)}\(text[closing.upperBound...])"
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

extension FaultOccasion {
    fileprivate var breakEpochSeconds: Int64 { (breakStart ?? now).epochSeconds }
}

extension AnswerEdit {
    /// Unchecked by the origin.
    private static let key = "planned-fault"

    /// Ad Manager's HMAC token.
    fileprivate mutating func signAddresses(of occasion: FaultOccasion, expiry: Int64, isOfBreakBefore: Bool = false) {
        guard status == .ok, let identifier = PodIdentifier(inURL: occasion.target) else { return }
        var fields = [WireName.Token.expiry: String(expiry)]
        switch identifier {
        case .sequence(let number): fields[WireName.Token.podID] = String(isOfBreakBefore ? number - 1 : number)
        case .adBreakID(let name): fields[WireName.Token.adBreakID] = isOfBreakBefore ? "\(name)-before" : name
        }
        let token = PercentEncoding.encode(AuthToken.sign(fields: fields, key: Self.key))
        for place in uriLines {
            lines[place] += "\(lines[place].contains("?") ? "&" : "?")\(WireName.authTokenParameter)=\(token)"
        }
    }
}
