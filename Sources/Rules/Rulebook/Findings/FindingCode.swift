import CTexts

/// The most severe first.
package enum Severity: String, CaseIterable, Comparable, Sendable {
    /// A viewer sees or leaks something that it must not: fails the run unless the profile allows it.
    case broken
    /// The answer contradicts a rule, yet a player may get through: fails the run unless the profile allows it.
    case wrong
    case suspect, advice

    package static func < (lhs: Severity, rhs: Severity) -> Bool { lhs.rank > rhs.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// A defect that podswarm reports about a target, with a row of `findings.txt`.
///
/// Its name in snake case is stable: used in thresholds and results. The tests require a planned fault for it.
package enum FindingCode: UInt8, NamedCase {
    case compressionMissing, contentTypeWrong, cueUnclear, dateRangeConflict, dateRangeIneffective, dateRangeInvalid,
        dateRangeOverlap, dateRangeWithoutProgramDate, encryptionInvalid, initializationSectionForeign,
        interstitialInvalid, livePlaylistTyped, liveWindowShort, notAPlaylist, partHoldBackShort,
        partialSegmentInvalid, playlistFormLoose, programDateInconsistent, programDateMissing, renditionGroupInvalid,
        segmentDurationShort, segmentUnreachable, serverControlInvalid, spliceInvalid, startOffsetNearEdge,
        tagMalformed, tagMisplaced, tagMissing, tagRepeated, targetDurationExceeded, targetDurationLoose,
        variableUndefined, variantIncomplete, versionTooLow

    case blockingReloadIgnored, breakAnnouncedLate, breakExitUpdateWrong, dateRangeChanged, dateRangeRemovedEarly,
        dateRangeReused, dateRangeSignedAnew, dateRangeVanished, deltaMismatch, discontinuityChanged,
        discontinuitySequenceMissing, discontinuitySequenceWrong, endlistOnLive, headerChanged,
        mediaSequenceBackwards, mediaSequenceJump, playlistShrunk, playlistStale, playlistUnavailable,
        programDateJump, segmentAttributesChanged, segmentChanged, segmentDurationChanged, spliceOrphaned,
        steeringManifestInvalid, steeringPathwayUnknown, steeringUnavailable, targetDurationChanged, windowExplosion

    case renditionCueDiffers, renditionDateRangeDiffers, renditionDiscontinuityDiffers, renditionEdgeLags,
        renditionEncryptionDiffers, renditionProgramDateDiffers, renditionProgramDateMissing,
        renditionServerControlDiffers, renditionTargetDurationDiffers, renditionTypeDiffers

    case assetDurationMissing, assetDurationWrong, assetInvalid, assetListEmpty, assetListInvalid,
        breakIdentifierBackwards, breakIdentifierReused, breakIdentifierSkipped, breakIdentifierSplit, emptyPod,
        podChangedOnRepeat, podNotFound, podNotFoundCached, podNotFoundHealed, podOverfilled, podPartUnreachable,
        podRenditionMismatch, podUnavailable, podUnderfilled, slateOnly, stalePod

    case accessRefused, adPodInfoDiffers, channelUnavailable, mediaIDUnlisted, metadataLag, pingDoubled, pingLost,
        redirectChain, redirectLoop, redirectToOtherHost, registrationFailed, registrationWithoutStreamID,
        sessionExpired, tokenExpired, tokenExpiryInMilliseconds, tokenOfAnotherBreak, verificationDeferred,
        verificationNotFound

    case assetListMismatch, breakAnnouncementDiffers, breakAnnouncementMissing, breakStartDiffers, earlyReturnMissed,
        edgeContentDiffers, edgeTimeTravel, foreignStreamID, podLadderDiffers, podMismatch, stitchedMismatch

    case closeAlertMissing, contentCodingInvalid, contentLengthInvalid, contentLengthWithTransferCoding,
        corsHeaderMissing, corsRefused, partialContentUnasked

    package enum Group: String, CaseIterable, Sendable {
        /// One answer of one URL.
        case playlist
        /// Successive answers of one URL.
        case versions
        /// Playlists of one channel, compared.
        case renditions
        /// Also asset lists and identifiers.
        case pods
        /// Also tokens, redirects and tracking.
        case sessions
        /// Answers to several viewers, or of several edges.
        case audience
        /// Headers of any answer.
        case answers
    }

    package static let names = CaseNames<Self>([.tokenExpiryInMilliseconds: "token_expiry_in_milliseconds"])

    /// In the order of the codes.
    package static let table = allCases.sorted { $0.code < $1.code }

    package var code: String { name }
    package var group: Group { row.group }
    package var severity: Severity { row.severity }
    /// The consequence for viewers, in a sentence.
    package var meaning: String { row.meaning }
    package var rule: FindingRule { row.rule }
    /// The likeliest first.
    package var likelyCauses: [String] { row.likelyCauses }
    package var whereToLook: String { row.whereToLook }
    /// Planned fault of the embedded origin that produces it.
    package var fault: String { row.fault }

    private var row: FindingRow { FindingRow.all[Int(rawValue)] }

    /// Whether it depends on arrival times: a delayed viewer cannot judge it.
    package var restsOnTime: Bool {
        switch self {
        case .breakAnnouncedLate, .earlyReturnMissed, .metadataLag, .playlistStale, .renditionEdgeLags: true
        default: false
        }
    }

    /// Whether one viewer of a loop stands for all that an address answers: not each answer is looked at.
    package var standsForAddress: Bool { self == .corsHeaderMissing }
}

/// A block of `findings.txt`.
private struct FindingRow {
    var group = FindingCode.Group.playlist
    var severity = Severity.broken
    var fault = ""
    var meaning = ""
    var rule = FindingRule(bases: [])
    var likelyCauses: [String] = []
    var whereToLook = ""

    /// Rows by raw value; those without a block have no texts, which the tests report.
    static let all: [FindingRow] = {
        var documents: [String: CitedDocument] = [:]
        var rows: [String: FindingRow] = [:]
        let lines = String(cString: podswarm_findings()).utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
        for block in lines.split(whereSeparator: \.isEmpty) {
            let lines = block.map { Substring($0) }.filter { !$0.hasPrefix("#") }
            guard let head = lines.first?.split(separator: " ").map(String.init), head.count > 1 else { continue }
            let members = lines.dropFirst().map(member)
            if head[0] == "document" {
                let named = Dictionary(members) { first, _ in first }
                documents[head[1]] = CitedDocument(
                    name: named["name"] ?? "",
                    address: named["address"],
                    vendor: named["vendor"].flatMap(Vendor.init)
                )
            } else {
                rows[head[0]] = FindingRow(head, members, documents)
            }
        }
        return FindingCode.allCases.map { rows[$0.name] ?? FindingRow() }
    }()

    private init() {}

    private init(_ head: [String], _ members: [(name: String, text: String)], _ documents: [String: CitedDocument]) {
        group = FindingCode.Group(rawValue: head[1]) ?? group
        severity = head.dropFirst(2).first.flatMap(Severity.init) ?? severity
        fault = head.count > 3 ? head[3] : head[0]
        for (index, (name, text)) in members.enumerated() {
            switch name {
            case "meaning": meaning = text
            case "cause": likelyCauses.append(text)
            case "look": whereToLook = text
            case "", "translation": break
            default:
                let words = members[(index + 1)...].prefix { $0.name.isEmpty || $0.name == "translation" }.map(\.text)
                rule.add(name.split(separator: " ").map(String.init), text, words: words, documents)
            }
        }
    }

    /// A quotation has no name.
    private static func member(_ line: Substring) -> (name: String, text: String) {
        if line.hasPrefix("\"") { return ("", String(line.dropFirst().dropLast())) }
        let name = line.utf8.prefix { $0 != UInt8(ascii: ":") }
        return (String(Substring(name)), String(line[name.endIndex...].dropFirst(2)))
    }
}
