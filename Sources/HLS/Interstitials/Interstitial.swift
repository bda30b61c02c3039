/// An interstitial that the server schedules: an EXT-X-DATERANGE of Apple's interstitial class (bis-22 appendix D.2).
package struct Interstitial: Hashable, Sendable {
    package static let classAttribute = "com.apple.hls.interstitial"

    /// The URI is absolute if the playlist's own URL is.
    package enum Content: Hashable, Sendable {
        /// X-ASSET-URI: one playlist.
        case asset(uri: String)
        /// X-ASSET-LIST: a JSON list of playlists, generated at the request.
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

    package var id: String
    package var startDate: WallTime
    package var content: Content
    package var duration: Duration?
    package var plannedDuration: Duration?
    /// X-RESUME-OFFSET, possibly negative; nil resumes after the interstitial's own length.
    package var resumeOffset: Duration?
    /// X-PLAYOUT-LIMIT, never negative.
    package var playoutLimit: Duration?
    package var restrictions: Restrictions = []
    package var snap: Snap = []
    package var cue: [DateRange.Cue] = []
    package var contentMayVary: Bool = true
    /// The tag's own; an asset list's overrides it member by member.
    package var skipControl: SkipControl?
    /// X-AD-CREATIVE-SIGNALING (SVTA 2053-2), unparsed: base64 of a JSON text, or that text.
    package var creativeSignaling: String?
}

extension Interstitial {
    package var announcedDuration: Duration? {
        duration ?? plannedDuration
    }

    /// The played part of assets of this total length: the playout limit may cut them (bis-22 appendix D.2).
    package func playoutDuration(ofAssets total: Duration) -> Duration {
        playoutLimit.map { min($0, total) } ?? total
    }

    /// Offset from the start date at which the primary resumes after an empty asset list (bis-22 appendix D.5).
    package var resumeOffsetOfEmptyList: Duration {
        resumeOffset ?? .zero
    }

    /// Offset from the start date at which the primary resumes after a failed asset or list (bis-22 appendix D.5).
    package static let resumeOffsetOfFailure = Duration.zero
}

/// The interval in which a skip button is shown (bis-22 appendix D.3).
package struct SkipControl: Hashable, Sendable {
    /// Whole seconds of the interstitial that are played before the button appears.
    package var offsetSeconds: Int?
    /// Whole seconds for which the button is shown; nil: until the end.
    package var durationSeconds: Int?
    /// Letters, hyphens and underscores.
    package var labelID: String?

    /// Nil without any value.
    package init?(offsetSeconds: Int?, durationSeconds: Int?, labelID: String?) {
        guard offsetSeconds != nil || durationSeconds != nil || labelID != nil else {
            return nil
        }
        self.offsetSeconds = offsetSeconds
        self.durationSeconds = durationSeconds
        self.labelID = labelID
    }

    /// This control, with members of an asset list's where that has them.
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
