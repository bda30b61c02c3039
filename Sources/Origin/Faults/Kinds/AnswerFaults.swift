import AdServing
import Foundation
import HLS
import HTTPTypes
import Values

extension FaultKind {
    static let answers: [FaultKind] = [
        .status("error_status", 503, of: RequestKind.known),
        delay,
        reset,
        // Closes the connection (resets the stream, with HTTP/2) after half of the announced body.
        .setting(
            "truncate",
            \.delivery,
            to: .truncated,
            of: RequestKind.playlists + [.segment, .podSegment, .metadata, .registration, .assetList]
        ),
        // To another path with the true answer, or to an unauthorised host (`to`).
        .effect("redirect", of: RequestKind.known.filter { $0 != .registration }, parameters: [.to]) {
            $2.redirection = $0.redirection
        },
        .setting("content_coding_invalid", \.framing, to: .cutCoding, of: framed),
        .setting("content_length_invalid", \.framing, to: .twoLengths, of: framed),
        lengthAndChunks,
        silentClose,
        .setting("partial_content_unasked", \.framing, to: .part, of: framed),
    ]

    static let reset = FaultKind.setting("reset", \.delivery, to: .reset, of: RequestKind.known)

    static let lengthAndChunks = FaultKind.setting(
        "content_length_with_transfer_coding",
        \.framing,
        to: .lengthAndChunks,
        of: framed
    )

    static let silentClose = FaultKind.setting("close_alert_missing", \.framing, to: .silentClose, of: framed)

    /// HTTP/2 frames bodies itself.
    private static let framed =
        RequestKind.playlists + [.metadata, .registration, .assetList, .segment, .podSegment, .part, .steering]

    /// `growth` adds that share per `per` since the origin started.
    private static let delay = FaultKind(
        name: "delay",
        kinds: RequestKind.known,
        parameters: [.delay, .growth, .per],
        required: [.delay],
        apply: { fault, occasion, effects in
            let delay = fault.delay ?? .zero
            guard fault.growth > 0 else {
                effects.delay += delay
                return
            }
            let steps = occasion.elapsed / fault.growthStep
            let grown = (delay / Duration.milliseconds(1)) * pow(1 + fault.growth, max(0, steps))
            // Limit of a plan's delays.
            effects.delay += .milliseconds(min(grown, 3_600_000))
        }
    )

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
        .edit("ad_pod_info_differs", of: [.metadata]) { edit, _, _ in
            edit.lines = edit.lines.map { $0.replacing("\"duration\":", with: "\"duration\":1") }
        },
        // The prefixes match no media id in ads.
        .edit("media_id_unlisted", of: [.metadata]) { edit, _, _ in
            guard edit.status == .ok else { return }
            edit.lines = edit.lines.map { $0.replacing("\"google_", with: "\"google_other-") }
        },
        .status("ping_lost", 503, of: [.verification, .beacon], parameters: []),
        // Lists media ids again under another name, and the first event of each ad of an asset list or avail twice.
        .edit("ping_doubled", of: [.metadata, .assetList]) { edit, _, _ in
            guard edit.status == .ok else { return }
            edit.lines = edit.lines.map {
                doublingFirst(of: "trackingEvents", in: doublingFirst(of: "tracking", in: doublingTags($0)))
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

    static let pods: [FaultKind] = [
        // Well-formed, ended and empty.
        .setting("empty_pod", \.isEmptyPod, to: true, of: [.podPlaylist, .podManifest], byDefault: 1),
        // Only the magnitude of `shift` counts.
        .effect("pod_underfilled", of: [.podPlaylist], parameters: [.shift]) { fault, _, effects in
            effects.podDurationShift = .zero - fault.lag(.seconds(2))
        },
        .effect("pod_overfilled", of: [.podPlaylist], parameters: [.shift]) { fault, _, effects in
            effects.podDurationShift = fault.lag(.seconds(2))
        },
        // The paths of segments mark them as slate.
        .edit("slate_only", of: [.podPlaylist]) { edit, _, _ in
            for place in edit.lines.indices {
                edit.lines[place] = edit.lines[place].replacing("/profile/", with: "/slate/")
                    .replacing("/interstitials/media/", with: "/interstitials/slate/")
            }
        },
        // As from a cache that ignores the identifier.
        .setting("stale_pod", \.isStalePod, to: true, of: [.podManifest]),
        // `signatures: kept` hides the change from a comparison of signatures.
        .effect("pod_changed_on_repeat", of: [.podManifest], parameters: [.signatures]) { _, occasion, effects in
            guard occasion.repetition > 0 else { return }
            effects.decisionSalt = UInt8(clamping: 1 + occasion.repetition)
        },
        // One discontinuity less or more than in other renditions; `path` selects the rendition.
        .edit("pod_rendition_mismatch", of: [.podPlaylist]) { edit, _, _ in
            if let last = edit.lines.lastIndex(of: discontinuity) {
                edit.lines.remove(at: last)
            } else if let last = edit.lastLine(beginningWith: "#EXTINF:"),
                last != edit.firstLine(beginningWith: "#EXTINF:")
            {
                edit.lines.insert(discontinuity, at: last)
            }
        },
        .status("pod_part_unreachable", 503, of: [.podPlaylist, .podSegment, .assetManifest], byDefault: 1),
        .status("pod_unavailable", 503, of: [.podManifest, .assetList], byDefault: 1),
        .status("pod_not_found", 404, of: [.podManifest, .assetList], byDefault: 1, parameters: []),
        // For the first two tries; the share must be below 1.
        .status("pod_not_found_healed", 404, of: repeated, byDefault: 1, parameters: []) { $1.repetition < 2 },
        .edit("pod_not_found_cached", of: repeated, byDefault: 1) { edit, _, _ in
            edit.status = .notFound
            edit.lines = []
            edit.fields[.age] = "7"
            edit.fields[.contentType] = nil
        },
        // The share must be below 1.
        .announcement("break_identifier_split") { $0.changePodNumber { $0 + farPod } },
        .announcement("break_identifier_reused") { $0.changePodNumber { $0 - 1 } },
        .announcement("break_identifier_skipped") { $0.changePodNumber { $0 + farPod } },
        .announcement("break_identifier_backwards") { $0.changePodNumber { $0 / 2 } },
        .status("asset_list_status", 503, of: [.assetList]),
        // From ad servers without demand (bis-22 D.5).
        .setting("asset_list_empty", \.assetList, to: .empty, of: [.assetList]),
        .setting("asset_list_garbage", \.assetList, to: .garbage, of: [.assetList]),
        // Index `asset`, by default the first.
        .status("asset_failed", 404, of: [.assetManifest], parameters: [.asset, .status]) { $1.asset == $0.asset },
        .setting("asset_duration_missing", \.assetList, to: .withoutDurations, of: [.assetList]),
        .setting("asset_invalid", \.assetList, to: .withRelativeAddresses, of: [.assetList]),
        .effect("asset_duration_wrong", of: [.assetList], parameters: [.shift]) { fault, _, effects in
            effects.assetDurationShift = fault.shift ?? .seconds(2)
        },
        // Names a pod's last segment a transport stream, without an EXT-X-MAP of its own.
        .edit("initialization_section_foreign", of: [.podPlaylist]) { edit, _, _ in
            let segments = edit.segments
            guard segments.count > 1, let last = segments.last else { return }
            let uri = last.lines.upperBound
            guard let suffix = edit.lines[uri].firstRange(of: ".mp4") else { return }
            edit.lines[uri].replaceSubrange(suffix, with: ".ts")
            let own = edit.lines[last.lines].filter { !$0.hasPrefix("#EXT-X-MAP:") && $0 != discontinuity }
            edit.lines.replaceSubrange(last.lines, with: [discontinuity] + own)
        },
    ]

    private static let discontinuity = "#EXT-X-DISCONTINUITY"

    private static let repeated: [RequestKind] = [.podManifest, .assetList, .podPlaylist]
    /// Beyond the numbers of any run.
    private static let farPod = 1_000_000

    /// Faults by which viewers of one break, or edges of a CDN (`edge`), differ.
    ///
    /// An announcement must appear and leave the window within half a break interval of the start: a viewer's version is
    /// constant only there.
    static let audience: [FaultKind] = [
        .setting("pod_mismatch", \.decisionSalt, to: 1, of: [.podManifest, .assetList], byDefault: 1),
        .edit("pod_ladder_differs", of: [.podManifest]) { edit, _, _ in
            guard let last = edit.lastLine(beginningWith: AnswerEdit.variantTag),
                last != edit.firstLine(beginningWith: AnswerEdit.variantTag)
            else { return }
            edit.lines.removeSubrange(last...min(last + 1, edit.lines.count - 1))
        },
        .setting("asset_list_mismatch", \.decisionSalt, to: 1, of: [.assetList]),
        foreignStreamID,
        // Only in breaks that the channel itself carries.
        .setting("stitched_mismatch", \.stitchedSalt, to: StitchedMarkup.mismatch),
        // Later by `shift`, by default half a second.
        .edit("break_start_differs", parameters: [.shift]) { edit, fault, occasion in
            edit.changeRanges(of: occasion) { line in
                guard let value = AnswerEdit.attribute("START-DATE", in: line),
                    let start = WallTime(iso8601: String(value))
                else { return line }
                let shifted = start + (fault.shift ?? .milliseconds(500))
                return line[..<value.startIndex] + shifted.iso8601 + line[value.endIndex...]
            }
        },
        .edit("break_announcement_differs") { edit, _, occasion in
            edit.changeRanges(of: occasion) { line in line.replacing("ID=\"", with: "ID=\"b-", maxReplacements: 1) }
        },
        .edit("break_announcement_missing") { edit, _, occasion in edit.changeRanges(of: occasion) { _ in nil } },
        .edit("early_return_missed") { edit, _, _ in
            for place in edit.dateRangeLines { edit.removeAttribute(InterstitialName.playoutLimit, inLine: place) }
        },
        // Lags by `shift`, by default four target durations; only viewers of several edges see time travel.
        .effect("edge_behind", parameters: [.shift]) { fault, occasion, effects in
            effects.playlistFrozenAt = occasion.now - fault.lag(occasion.targetDuration * 4)
        },
        // Goes back by `shift`, by default four target durations, and then catches up at double speed.
        .effect("edge_time_travel", parameters: [.shift]) { fault, occasion, effects in
            guard let since = FaultMoment.since(fault, occasion), since >= .zero else { return }
            let left = fault.lag(occasion.targetDuration * 4) - since
            guard left > .zero else { return }
            effects.playlistFrozenAt = occasion.now - left
        },
        // Other names for the break's first segments, as of another packager.
        //
        // A viewer gets them as long as they are listed: the segments must leave the window within half a break interval.
        .edit("edge_content_differs") { edit, _, occasion in
            for (_, segment) in edit.segments(from: occasion.breakStart, offsets: 0..<2) {
                let uri = edit.lines[segment.lines.upperBound]
                // Still leads to the segment.
                guard !uri.contains(":"), !uri.hasPrefix("/"), !uri.hasPrefix("{") else { continue }
                edit.lines[segment.lines.upperBound] = "./" + uri
            }
        },
    ]

    /// Another viewer's stream id; no effect without another session: an unassigned id is not a leak.
    private static let foreignStreamID: FaultKind = {
        var kind = FaultKind.edit(
            "foreign_stream_id",
            of: [.podPlaylist, .podManifest, .playlist, .blockingPlaylist, .assetList, .assetManifest, .metadata],
            byDefault: 1,
            parameters: [.piece],
            when: { fault, occasion in occasion.neighbour != nil && (!occasion.kind.isPod || fault.piece == .path) },
            by: { edit, _, occasion in
                guard let neighbour = occasion.neighbour else { return }
                let id = StreamID(neighbour).percentEncoded
                guard !occasion.kind.isPod else {
                    return edit.changeAddresses { $0.hasPrefix("/") ? OwnPath.put(id, before: $0) : $0 }
                }
                // As in pod serving and MediaTailor.
                let leak = "stream_id=\(id)&aws.sessionId=\(neighbour.prefix { $0 != ":" })"
                if let first = edit.lines.first, first.hasPrefix("{") {
                    edit.lines[0] = #"{"debug":"\#(leak)","# + first.dropFirst()
                } else {
                    edit.insertInHeader("# \(leak)")
                }
            }
        )
        kind.apply = { fault, occasion, effects in
            if occasion.kind.isPod, fault.piece == .query { effects.foreignStreamID = occasion.neighbour }
        }
        kind.stitchedAddress = { address, occasion in
            guard let neighbour = occasion.neighbour else { return address }
            let path = OwnPath(String(occasion.target.prefix { $0 != "?" })).absolute(address)
            return OwnPath.put(StreamID(neighbour).percentEncoded, before: path)
        }
        return kind
    }()
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

extension PlannedFault {
    /// Magnitude of `shift`.
    func lag(_ usual: Duration) -> Duration {
        guard let shift else { return usual }
        return shift < .zero ? .zero - shift : shift
    }
}

extension String {
    /// Set by `numbersPods` of the script.
    fileprivate mutating func changePodNumber(_ change: (Int) -> Int) {
        let mark = "\(InterstitialName.podNumberParameter)="
        var pieces = split(separator: mark, omittingEmptySubsequences: false).map(String.init)
        for place in pieces.indices.dropFirst() {
            let digits = pieces[place].prefix { $0.isASCII && $0.isNumber }
            guard let number = Int(digits) else { continue }
            pieces[place] = String(change(number)) + pieces[place].dropFirst(digits.count)
        }
        self = pieces.joined(separator: mark)
    }
}

extension AnswerEdit {
    /// Ranges near the break's start; nil removes one.
    fileprivate mutating func changeRanges(of occasion: FaultOccasion, _ change: (String) -> String?) {
        guard let start = occasion.breakStart else { return }
        let limit = occasion.targetDuration * 2
        for place in dateRangeLines.reversed() {
            guard let distance = self.start(ofRangeInLine: place)?.duration(since: start), distance <= limit,
                distance >= .zero - limit
            else { continue }
            lines.replaceSubrange(place...place, with: [change(lines[place])].compactMap { $0 })
        }
    }
}

extension RequestKind {
    fileprivate var isPod: Bool { self == .podPlaylist || self == .podManifest }
}
