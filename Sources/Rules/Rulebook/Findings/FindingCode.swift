/// The most severe first.
package enum Severity: String, CaseIterable, Comparable, Sendable {
    /// A viewer sees or leaks something that it must not: fails the run unless the profile allows it.
    case broken
    /// The answer contradicts a rule, yet a player may get through: fails the run unless the profile allows it.
    case wrong
    case suspect
    case advice

    package static func < (lhs: Severity, rhs: Severity) -> Bool { lhs.rank > rhs.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// A defect that podswarm reports about a target.
package struct FindingCode: Sendable {
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

    /// Stable: used in thresholds and results.
    package let code: String
    package let group: Group
    package let severity: Severity
    /// The consequence for viewers, in a sentence.
    package let meaning: String
    package let rule: FindingRule
    /// The likeliest first.
    package let likelyCauses: [String]
    package let whereToLook: String
    /// Planned fault of the embedded origin that produces it.
    package let fault: String

    /// A nil `fault` means the code's own name.
    init(
        _ row: (code: String, group: Group, severity: Severity),
        meaning: String,
        rule: FindingRule...,
        likelyCauses: String...,
        whereToLook: String,
        fault: String? = nil
    ) {
        (code, group, severity) = row
        self.meaning = meaning
        self.rule = FindingRule(bases: rule.flatMap(\.bases))
        self.likelyCauses = likelyCauses
        self.whereToLook = whereToLook
        self.fault = fault ?? row.code
    }

    package static func named(_ code: String) -> FindingCode? { byName[code] }

    /// Whether it depends on arrival times: a delayed viewer cannot judge it.
    package var restsOnTime: Bool { Self.timed.contains(code) }

    private static let timed: Set<String> = [
        "break_announced_late", "early_return_missed", "metadata_lag", "playlist_stale", "rendition_edge_lags",
    ]

    /// Whether one viewer of a loop stands for all that an address answers: not each answer is looked at.
    package var standsForAddress: Bool { self == .corsHeaderMissing }

    private static let byName = Dictionary(table.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })
}

extension FindingCode: Hashable {
    package static func == (lhs: FindingCode, rhs: FindingCode) -> Bool { lhs.code == rhs.code }
    package func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension FindingCode {
    /// In the order of the codes.
    ///
    /// A new finding is a constant in its topic's file under `Codes`, and its name in this list. The tests require a planned
    /// fault for it.
    package static let table: [FindingCode] = [
        notAPlaylist, tagMalformed, tagRepeated, tagMissing, tagMisplaced, playlistFormLoose, versionTooLow,
        variableUndefined, encryptionInvalid, initializationSectionForeign, startOffsetNearEdge, contentTypeWrong,
        compressionMissing,
        targetDurationExceeded, targetDurationLoose, segmentDurationShort, liveWindowShort, livePlaylistTyped,
        serverControlInvalid, partialSegmentInvalid, partHoldBackShort, programDateMissing, programDateInconsistent,
        segmentUnreachable,
        dateRangeInvalid, dateRangeConflict, dateRangeWithoutProgramDate, dateRangeOverlap, dateRangeIneffective,
        interstitialInvalid, spliceInvalid, cueUnclear, variantIncomplete, renditionGroupInvalid,
        blockingReloadIgnored, deltaMismatch, discontinuityChanged, discontinuitySequenceWrong, endlistOnLive,
        mediaSequenceBackwards, mediaSequenceJump, playlistShrunk, playlistStale, playlistUnavailable, segmentChanged,
        segmentDurationChanged, steeringManifestInvalid, steeringPathwayUnknown, steeringUnavailable,
        targetDurationChanged, windowExplosion,
        breakAnnouncedLate, breakExitUpdateWrong, dateRangeChanged, dateRangeRemovedEarly, dateRangeReused,
        dateRangeSignedAnew, dateRangeVanished, programDateJump, spliceOrphaned,
        discontinuitySequenceMissing, headerChanged, segmentAttributesChanged,
        renditionCueDiffers, renditionDateRangeDiffers, renditionDiscontinuityDiffers, renditionEdgeLags,
        renditionEncryptionDiffers,
        renditionProgramDateDiffers, renditionProgramDateMissing, renditionServerControlDiffers,
        renditionTargetDurationDiffers, renditionTypeDiffers,
        emptyPod, podChangedOnRepeat, podUnderfilled, podOverfilled, slateOnly, stalePod, podRenditionMismatch,
        podPartUnreachable, podUnavailable,
        breakIdentifierSplit, breakIdentifierReused, breakIdentifierSkipped, breakIdentifierBackwards,
        assetListEmpty, assetListInvalid, assetDurationMissing, assetDurationWrong, assetInvalid, podNotFound,
        podNotFoundHealed, podNotFoundCached,
        accessRefused, channelUnavailable, mediaIDUnlisted, metadataLag, pingDoubled, pingLost, redirectChain,
        redirectLoop, redirectToOtherHost, registrationFailed, registrationWithoutStreamID, sessionExpired,
        tokenExpired, tokenExpiryInMilliseconds, tokenOfAnotherBreak, verificationDeferred, verificationNotFound,
        assetListMismatch, foreignStreamID, podLadderDiffers, podMismatch, stitchedMismatch,
        breakAnnouncementDiffers, breakAnnouncementMissing, breakStartDiffers, earlyReturnMissed,
        edgeContentDiffers, edgeTimeTravel,
        contentCodingInvalid, contentLengthInvalid, contentLengthWithTransferCoding, partialContentUnasked,
        corsHeaderMissing, corsRefused,
    ].sorted { $0.code < $1.code }
}
