/// A break whose ads are segments of the primary playlist itself, as server-side stitching makes it.
package struct StitchedBreak: Hashable, Sendable {
    package enum Dialect: String, Hashable, Sendable, CaseIterable {
        /// EXT-X-CUE-OUT, EXT-X-CUE-OUT-CONT and EXT-X-CUE-IN, perhaps with EXT-OATCLS-SCTE35.
        case cueTags = "cue_tags"
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

    /// Equal for every viewer of the channel: the date range's ID, else the date of the OUT, else `msn-` and the media sequence
    /// number of the first segment.
    package var key: String
    package var dialect: Dialect
    /// Nil without EXT-X-PROGRAM-DATE-TIME; derived from the elapsed time if the OUT was not seen.
    package var startDate: WallTime?
    package var plannedDuration: Duration?
    /// The number of the first segment, which may be still to come.
    package var firstMediaSequence: UInt64
    /// In order, without segments that left the playlist before the break was seen.
    package private(set) var segments: [AdSegment]
    private var listedMicroseconds: Int64 = 0
    package var endDate: WallTime?
    package var isEnded: Bool
    /// The break was under way when it was first seen.
    package var isJoinedInTheMiddle: Bool
    /// The splice_info_section that came with it, as the playlist spells it.
    package var scte35: String?

    init(key: String, dialect: Dialect, startDate: WallTime?, firstMediaSequence: UInt64) {
        self.key = key
        self.dialect = dialect
        self.startDate = startDate
        self.firstMediaSequence = firstMediaSequence
        segments = []
        isEnded = false
        isJoinedInTheMiddle = false
    }

    package var mediaSequences: Range<UInt64> {
        let end = segments.last.map { $0.mediaSequence.addingClamped(1) } ?? firstMediaSequence
        return min(firstMediaSequence, end)..<end
    }

    package var listedDuration: Duration {
        .microseconds(listedMicroseconds)
    }

    /// Limit above any real break, because a break that never ends must not collect segments for ever.
    private static let keptSegments = 4_096

    mutating func append(_ segment: AdSegment) {
        guard segments.count < Self.keptSegments else {
            return
        }
        segments.append(segment)
        listedMicroseconds = listedMicroseconds.addingClamped(segment.durationMicroseconds)
    }
}

/// One of the tags that mark stitched breaks; no standard defines them.
///
/// Forms as AWS Elemental (MediaPackage, MediaLive, MediaTailor), Unified Origin, Wowza and Google DAI document them.
enum CueTag: Hashable {
    case out(duration: Duration?)
    /// The break continues; stands before each segment in it.
    case more(elapsed: Duration?, duration: Duration?)
    case `in`
    /// EXT-OATCLS-SCTE35: the section of the EXT-X-CUE-OUT beside it, in base64.
    case section(String)

    /// The tag in a line and the dialect it belongs to; nil for any other line.
    static func read(_ line: ArraySlice<UInt8>) -> (tag: CueTag, dialect: StitchedBreak.Dialect)? {
        // Few lines get further than this.
        guard line.starts(with: "#EXT-".utf8) else {
            return nil
        }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        let value = line[colon...].dropFirst()
        switch String(decoding: line[..<colon], as: UTF8.self) {
        case "#EXT-X-CUE-OUT": return (.out(duration: outDuration(value)), .cueTags)
        case "#EXT-X-CUE-OUT-CONT": return (continuation(value), .cueTags)
        case "#EXT-X-CUE-IN": return (.in, .cueTags)
        case "#EXT-OATCLS-SCTE35": return (.section(String(decoding: value, as: UTF8.self)), .cueTags)
        case "#EXT-X-SCTE35": return scte35(value).map { ($0, .scte35Tags) }
        case "#EXT-X-SPLICEPOINT-SCTE35": return splicePoint(value).map { ($0, .splicePoints) }
        default: return nil
        }
    }

    /// `30`, `30.5`, `DURATION=30`, `DURATION="30"`, perhaps among other attributes, or nothing.
    private static func outDuration(_ value: ArraySlice<UInt8>) -> Duration? {
        seconds(value) ?? attributes(value)["DURATION"].flatMap(seconds)
    }

    /// `10/30`, `10`, or `ElapsedTime=10,Duration=30` among other attributes.
    private static func continuation(_ value: ArraySlice<UInt8>) -> CueTag {
        let halves = value.split(separator: UInt8(ascii: "/"), maxSplits: 1, omittingEmptySubsequences: false)
        if let first = halves.first, let elapsed = seconds(first) {
            return .more(elapsed: elapsed, duration: halves.count == 2 ? seconds(halves[1]) : nil)
        }
        let named = attributes(value)
        return .more(
            elapsed: (named["ELAPSEDTIME"] ?? named["ELAPSED"]).flatMap(seconds),
            duration: named["DURATION"].flatMap(seconds)
        )
    }

    /// CUE-OUT=YES, CONT or NO, or CUE-IN=YES; other sections mark no break.
    private static func scte35(_ value: ArraySlice<UInt8>) -> CueTag? {
        let named = attributes(value)
        let duration = named["DURATION"].flatMap(seconds)
        switch (named["CUE-OUT"], named["CUE-IN"]) {
        case ("YES", _): return .out(duration: duration)
        case ("CONT", _): return .more(elapsed: named["ELAPSED"].flatMap(seconds), duration: duration)
        case ("NO", _), (_, "YES"): return .in
        default: return nil
        }
    }

    private static func splicePoint(_ value: ArraySlice<UInt8>) -> CueTag? {
        switch SpliceInformation(base64: String(decoding: value, as: UTF8.self))?.meaning {
        case .out(let duration): .out(duration: duration)
        case .in: .in
        case nil: nil
        }
    }

    /// Values by upper-case name, without quotation marks; invalid syntax ends the list.
    private static func attributes(_ value: ArraySlice<UInt8>) -> [String: String] {
        Array(value).withUnsafeBytes { bytes in
            var list = AttributeList(bytes, 0..<bytes.count)
            var values: [String: String] = [:]
            while let attribute = list.next() {
                values[list.string(attribute.name).uppercased()] = list.string(attribute.value)
            }
            return values
        }
    }

    private static func seconds(_ text: String) -> Duration? {
        seconds(Array(text.utf8)[...])
    }

    private static func seconds(_ text: ArraySlice<UInt8>) -> Duration? {
        Array(text).withUnsafeBytes { DecimalText.microseconds($0, 0..<$0.count) }.map { .microseconds($0) }
    }
}

extension MediaPlaylist {
    /// Media sequence numbers of the first segments of a playlist that begins inside of a stitched break.
    ///
    /// Nil unless the first tag of a break is one that ends it.
    package var restOfStitchedBreak: Range<UInt64>? {
        for tag in otherTags {
            guard let cue = CueTag.read(text[tag.line]) else { continue }
            guard case .in = cue.tag, tag.segmentIndex > 0 else { return nil }
            return mediaSequence(at: 0)..<mediaSequence(at: tag.segmentIndex)
        }
        return nil
    }
}
