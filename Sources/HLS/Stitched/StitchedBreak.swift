/// A break whose ads are segments of the primary playlist itself.
package struct StitchedBreak: Hashable, Sendable {
    package enum Dialect: String, Hashable, Sendable, CaseIterable {
        /// EXT-X-CUE-OUT, EXT-X-CUE-OUT-CONT and EXT-X-CUE-IN, perhaps with EXT-OATCLS-SCTE35.
        case cueTags = "cue_tags"
        /// Adobe's EXT-X-CUE, whose breaks end after their length unless one of its tags ends them.
        case adobeCues = "adobe_cues"
        /// EXT-X-SCTE35 with CUE-OUT.
        case scte35Tags = "scte35_tags"
        /// EXT-X-SPLICEPOINT-SCTE35 with the section in base64.
        case splicePoints = "splice_points"
        /// EXT-X-DATERANGE with SCTE35-OUT and SCTE35-IN.
        case dateRanges = "date_ranges"
        /// No marks: the addresses of its segments differ from the programme's.
        case addresses
    }

    package struct AdSegment: Hashable, Sendable {
        package var mediaSequence: UInt64
        /// As the playlist spells it.
        package var uri: String
        package var discontinuitySequence: UInt64
        package var durationMicroseconds: Int64
    }

    /// Equal for every viewer: the date range's ID, else the date of the OUT, else `msn-` and the first media sequence number.
    package var key: String
    package var dialect: Dialect
    /// Derived from the elapsed time if the OUT was not seen; nil without dates.
    package var startDate: WallTime?
    package var plannedDuration: Duration?
    /// No default length applies.
    package internal(set) var hasUnreadableLength = false
    var level: Int?
    /// Without a known length the break ends when these tags end.
    var isContinuedByTags = false
    /// ID or BREAKID of its cue-out.
    var cueID: String?
    /// Time since the begin of the break at which an ad inside of it ends, by a cue-out without a section.
    var innerEnd: Duration?
    /// May be still to come.
    package var firstMediaSequence: UInt64
    /// Without segments that left the playlist before the break was seen.
    package private(set) var segments: [AdSegment] = []
    private(set) var listedMicroseconds: Int64 = 0
    package var endDate: WallTime?
    package var isEnded = false
    package var isJoinedInTheMiddle = false
    /// As the playlist spells it.
    package var scte35: String?

    package var mediaSequences: Range<UInt64> {
        let end = segments.last.map { $0.mediaSequence.addingClamped(1) } ?? firstMediaSequence
        return min(firstMediaSequence, end)..<end
    }

    package var listedDuration: Duration { .microseconds(listedMicroseconds) }

    /// A break that never ends must not collect segments for ever.
    private static let keptSegments = 4_096

    mutating func append(_ segment: AdSegment) {
        guard segments.count < Self.keptSegments else { return }
        segments.append(segment)
        listedMicroseconds = listedMicroseconds.addingClamped(segment.durationMicroseconds)
    }
}

extension MediaPlaylist {
    /// Media sequence numbers of the first segments of a playlist that begins inside of a stitched break; nil unless the first
    /// tag of a break is one that ends it.
    package var restOfStitchedBreak: Range<UInt64>? {
        guard let first = cues().first(where: { $0.tag.kind != .section }), first.tag.kind == .in,
            first.segmentIndex > 0
        else { return nil }
        return mediaSequence(at: 0)..<mediaSequence(at: first.segmentIndex)
    }
}
