/// EXT-X-DATERANGE of Apple's interstitial class (bis-22 appendix D.2).
package struct Interstitial: Hashable, Sendable {
    package static let classAttribute = "com.apple.hls.interstitial"

    /// The URI is absolute if the playlist's own URL is.
    package enum Content: Hashable, Sendable {
        /// X-ASSET-URI.
        case asset(uri: String)
        /// X-ASSET-LIST, generated at the request.
        case assetList(uri: String)

        package var uri: String {
            switch self {
            case .asset(let uri), .assetList(let uri): uri
            }
        }

        package var isAssetList: Bool { if case .assetList = self { true } else { false } }
    }

    package enum Restriction: String, Sendable {
        /// No seeking forward inside.
        case skip = "SKIP"
        /// No seeking over it.
        case jump = "JUMP"
    }

    package enum Snap: String, Sendable {
        /// Leave the primary at the segment boundary nearest to the start date.
        case out = "OUT"
        /// Resume at the segment boundary nearest to the resumption point.
        case `in` = "IN"
    }

    package var id: String
    package var startDate: WallTime
    package var content: Content
    package var duration: Duration?
    package var plannedDuration: Duration?
    /// X-RESUME-OFFSET, possibly negative; nil resumes after the interstitial's own length.
    package var resumeOffset: Duration?
    /// X-PLAYOUT-LIMIT, never negative.
    package var playoutLimit: Duration?
    package var restrictions: Set<Restriction> = []
    package var snap: Set<Snap> = []
    package var cue: [DateRange.Cue] = []
    package var contentMayVary: Bool = true
    /// The tag's own; an asset list's overrides it member by member.
    package var skipControl: SkipControl?
    /// X-AD-CREATIVE-SIGNALING (SVTA 2053-2), unparsed: base64 of a JSON text, or that text.
    package var creativeSignaling: String?

    package var announcedDuration: Duration? { duration ?? plannedDuration }

    package func playoutDuration(ofAssets total: Duration) -> Duration { playoutLimit.map { min($0, total) } ?? total }

    /// Nil if the tag sets no length that assets must keep in a live programme.
    ///
    /// DURATION should be that of the assets (bis-22 appendix D.2). Longer ones do no harm where X-PLAYOUT-LIMIT cuts them, or
    /// where the primary resumes where it was left.
    package var longestContent: Duration? {
        guard let duration, duration > .zero, !cue.contains(.pre), !cue.contains(.post) else { return nil }
        guard resumeOffset.map({ $0 > .zero }) ?? true, playoutLimit == nil else { return nil }
        return max(duration, resumeOffset ?? .zero)
    }

    /// Offset from the start date (bis-22 appendix D.5).
    package var resumeOffsetOfEmptyList: Duration { resumeOffset ?? .zero }

    /// Offset from the start date after a failed asset or list (bis-22 appendix D.5).
    package static let resumeOffsetOfFailure = Duration.zero
}

/// The interval in which a skip button is shown (bis-22 appendix D.3).
package struct SkipControl: Hashable, Sendable {
    /// Seconds that are played before the button appears.
    package var offsetSeconds: Int?
    /// Nil: until the end.
    package var durationSeconds: Int?
    package var labelID: String?

    /// Nil without any value.
    package init?(offsetSeconds: Int?, durationSeconds: Int?, labelID: String?) {
        guard offsetSeconds != nil || durationSeconds != nil || labelID != nil else { return nil }
        (self.offsetSeconds, self.durationSeconds, self.labelID) = (offsetSeconds, durationSeconds, labelID)
    }

    package func overridden(by other: SkipControl?) -> SkipControl {
        var control = self
        control.offsetSeconds = other?.offsetSeconds ?? offsetSeconds
        control.durationSeconds = other?.durationSeconds ?? durationSeconds
        control.labelID = other?.labelID ?? labelID
        return control
    }

    package static func isLabelID(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0.isLetter || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
    }
}

extension Interstitial {
    /// Names in bis-22 appendices D.2 and D.3, SVTA 2053-2.
    package enum Attribute: String, Sendable, CaseIterable {
        case assetURI = "X-ASSET-URI"
        case assetList = "X-ASSET-LIST"
        case resumeOffset = "X-RESUME-OFFSET"
        case playoutLimit = "X-PLAYOUT-LIMIT"
        case snap = "X-SNAP"
        case restrict = "X-RESTRICT"
        case contentMayVary = "X-CONTENT-MAY-VARY"
        case skipOffset = "X-SKIP-CONTROL-OFFSET"
        case skipDuration = "X-SKIP-CONTROL-DURATION"
        case skipLabel = "X-SKIP-CONTROL-LABEL-ID"
        case creativeSignaling = "X-AD-CREATIVE-SIGNALING"
    }

    /// Needs the class, a start date, and exactly one of X-ASSET-URI and X-ASSET-LIST.
    ///
    /// Illegal or unknown values count as absent (bis-22 appendix D.2). `base` is the playlist's URL.
    package init?(_ range: DateRange, base: String) {
        guard range.classAttribute == Self.classAttribute, let startDate = range.startDate else { return nil }
        let content: Content
        switch (range.quoted(Attribute.assetURI), range.quoted(Attribute.assetList)) {
        case (let uri?, nil): content = .asset(uri: URLReference.resolve(uri, against: base) ?? uri)
        case (nil, let uri?): content = .assetList(uri: URLReference.resolve(uri, against: base) ?? uri)
        default: return nil
        }
        self.init(id: range.id, startDate: startDate, content: content)
        duration = range.duration ?? range.endDate?.duration(since: startDate)
        plannedDuration = range.plannedDuration
        resumeOffset = range.seconds(.resumeOffset)
        playoutLimit = range.seconds(.playoutLimit).flatMap { $0 < .zero ? nil : $0 }
        restrictions = Set(range.words(.restrict).compactMap(Restriction.init))
        snap = Set(range.words(.snap).compactMap(Snap.init))
        cue = range.cue
        contentMayVary = range.quoted(Attribute.contentMayVary) != "NO"
        skipControl = SkipControl(
            offsetSeconds: range.wholeSeconds(.skipOffset),
            durationSeconds: range.wholeSeconds(.skipDuration),
            labelID: range.quoted(Attribute.skipLabel).flatMap { SkipControl.isLabelID($0) ? $0 : nil }
        )
        creativeSignaling = range.quoted(Attribute.creativeSignaling)
    }
}

/// Each attribute has one legal syntax.
extension DateRange {
    func quoted(_ name: String) -> String? {
        guard case .quoted(let text) = attributes[name], !text.isEmpty else { return nil }
        return text
    }

    fileprivate func quoted(_ attribute: Interstitial.Attribute) -> String? { quoted(attribute.rawValue) }

    fileprivate func words(_ attribute: Interstitial.Attribute) -> [String] {
        quoted(attribute)?.split(separator: ",").map { String($0.drop { $0 == " " }.prefix { $0 != " " }) } ?? []
    }

    fileprivate func seconds(_ attribute: Interstitial.Attribute) -> Duration? {
        guard case .number(let text) = attributes[attribute.rawValue] else { return nil }
        let bytes = Array(text.utf8)
        return bytes.withUnsafeBytes { DecimalText.signedMicroseconds($0, 0..<$0.count) }.map { .microseconds($0) }
    }

    fileprivate func wholeSeconds(_ attribute: Interstitial.Attribute) -> Int? {
        guard case .number(let text) = attributes[attribute.rawValue] else { return nil }
        return Int(text).flatMap { $0 < 0 ? nil : $0 }
    }
}

extension MediaPlaylist {
    /// In the order of playback.
    package func interstitials(base: String) -> [Interstitial] {
        let found = dateRanges.compactMap { Interstitial($0, base: base) }
        guard found.count > 1 else { return found }
        return found.enumerated()
            .sorted { ($0.element.startDate, $0.offset) < ($1.element.startDate, $1.offset) }
            .map(\.element)
    }
}

/// Query parameters of interstitial requests (bis-22 appendix D.4); the packager's, such as `_HLS_interstitial_id`, are kept.
package enum InterstitialQuery {
    private static let primaryIDParameter = "_HLS_primary_id"
    /// Seconds into the interstitial at which a client joins, on asset list requests only.
    package static let startOffsetParameter = "_HLS_start_offset"

    /// `primaryID` is the client's primary playback session; `offset` is for a live playback that starts inside.
    package static func url(of content: Interstitial.Content, primaryID: String?, offset: Duration? = nil) -> String {
        let (uri, startOffset) = (content.uri, content.isAssetList ? offset : nil)
        // The content of a data: URI is not a query.
        guard primaryID != nil || startOffset != nil, !uri.hasPrefix("data:") else { return uri }
        var query = URLQuery(of: uri)
        if let primaryID { query.set(primaryIDParameter, to: primaryID) }
        if let startOffset { query.set(startOffsetParameter, to: secondsText(startOffset)) }
        return query.url
    }

    /// As players write the offset: without trailing zeros.
    static func secondsText(_ duration: Duration) -> String {
        let microseconds = duration.wholeMicroseconds
        let milliseconds = microseconds / 1_000 + (microseconds % 1_000 >= 500 ? 1 : 0)
        var text = SecondsText.decimal(milliseconds.multipliedReportingOverflow(by: 1_000).partialValue)
        while text.hasSuffix("0") { text.removeLast() }
        if text.hasSuffix(".") { text.removeLast() }
        return text
    }
}
