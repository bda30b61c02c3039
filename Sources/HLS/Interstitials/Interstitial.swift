/// An interstitial that the server schedules: an EXT-X-DATERANGE of Apple's interstitial class (bis-22 appendix D.2).
package struct Interstitial: Hashable, Sendable {
    /// The CLASS that makes a date range an interstitial.
    package static let classAttribute = "com.apple.hls.interstitial"

    /// What is played; the URI is absolute where the playlist's own URL is.
    package enum Content: Hashable, Sendable {
        /// X-ASSET-URI: one playlist.
        case asset(uri: String)
        /// X-ASSET-LIST: a JSON list of playlists, made when it is asked for.
        case assetList(uri: String)

        package var uri: String {
            switch self {
            case .asset(let uri), .assetList(let uri): uri
            }
        }

        package var isAssetList: Bool {
            if case .assetList = self {
                return true
            }
            return false
        }
    }

    /// X-RESTRICT.
    package struct Restrictions: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// No seeking forward inside of the interstitial.
        package static let skip = Restrictions(rawValue: 1)
        /// No seeking over the interstitial.
        package static let jump = Restrictions(rawValue: 2)
    }

    /// X-SNAP.
    package struct Snap: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// Leave the primary at the segment boundary nearest to the start date.
        package static let out = Snap(rawValue: 1)
        /// Resume the primary at the segment boundary nearest to the resumption point.
        package static let `in` = Snap(rawValue: 2)
    }

    /// X-TIMELINE-OCCUPIES.
    package enum TimelineOccupies: String, Hashable, Sendable {
        case point = "POINT"
        case range = "RANGE"
    }

    /// X-TIMELINE-STYLE.
    package enum TimelineStyle: String, Hashable, Sendable {
        case highlight = "HIGHLIGHT"
        case primary = "PRIMARY"
    }

    package var id: String
    package var startDate: WallTime
    package var content: Content
    package var duration: Duration?
    package var plannedDuration: Duration?
    /// X-RESUME-OFFSET, possibly negative.
    ///
    /// Nil when absent: playback goes on as far ahead as the interstitial was long.
    package var resumeOffset: Duration?
    /// X-PLAYOUT-LIMIT, never negative.
    package var playoutLimit: Duration?
    package var restrictions: Restrictions
    package var snap: Snap
    package var cue: [DateRange.Cue]
    package var contentMayVary: Bool
    package var timelineOccupies: TimelineOccupies
    package var timelineStyle: TimelineStyle
    /// The tag's own; an asset list's overrides it member by member.
    package var skipControl: SkipControl?
    /// X-AD-CREATIVE-SIGNALING (SVTA 2053-2) as it stands: base64 of a JSON text, or that text.
    package var creativeSignaling: String?
    /// X- attributes that the class does not define.
    package var userAttributes: [String: AttributeValue]

    /// The interstitial with these facts and defaults for the rest, as a server that schedules it sees it.
    package init(id: String, startDate: WallTime, content: Content) {
        self.id = id
        self.startDate = startDate
        self.content = content
        restrictions = []
        snap = []
        cue = []
        contentMayVary = true
        timelineOccupies = .point
        timelineStyle = .highlight
        userAttributes = [:]
    }
}

extension Interstitial {
    /// The duration that the tag announces: the actual one, else the planned one.
    package var announcedDuration: Duration? {
        duration ?? plannedDuration
    }

    /// How long assets of this total length are played: the playout limit may cut them (bis-22 appendix D.2).
    package func playoutDuration(ofAssets total: Duration) -> Duration {
        playoutLimit.map { min($0, total) } ?? total
    }

    /// How far past the start date the primary resumes when the asset list was empty (bis-22 appendix D.5).
    package var resumeOffsetOfEmptyList: Duration {
        resumeOffset ?? .zero
    }

    /// How far past the start date the primary resumes when the asset or the list failed (bis-22 appendix D.5).
    package static let resumeOffsetOfFailure = Duration.zero
}

/// When a skip button is shown (bis-22 appendix D.3).
package struct SkipControl: Hashable, Sendable {
    /// Whole seconds of the interstitial that are played before the button appears.
    package var offsetSeconds: Int?
    /// Whole seconds for which the button is shown; nil: until the end.
    package var durationSeconds: Int?
    /// Letters, hyphens and underscores.
    package var labelID: String?

    /// Nil when there is nothing to say.
    package init?(offsetSeconds: Int?, durationSeconds: Int?, labelID: String?) {
        guard offsetSeconds != nil || durationSeconds != nil || labelID != nil else {
            return nil
        }
        self.offsetSeconds = offsetSeconds
        self.durationSeconds = durationSeconds
        self.labelID = labelID
    }

    /// This control where `other`, an asset list's, has nothing to say.
    package func overridden(by other: SkipControl?) -> SkipControl {
        var control = self
        control.offsetSeconds = other?.offsetSeconds ?? offsetSeconds
        control.durationSeconds = other?.durationSeconds ?? durationSeconds
        control.labelID = other?.labelID ?? labelID
        return control
    }

    /// Whether these characters may make a label's identifier.
    package static func isLabelID(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                    || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
            }
    }
}
