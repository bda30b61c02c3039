import HLS
import Values

/// A pure function of time, equal for equal settings: segment `n` begins at `zero + n * segmentSeconds`, and exists once it is
/// over.
struct ChannelTimeline: Sendable, Equatable {
    /// 2026-01-01T00:00:00Z keeps media sequences readable; whole clip rounds since the Unix epoch.
    static let zeroSeconds: Int64 = 1_767_225_600

    /// 1 to 10.
    let segmentSeconds: Int
    let windowSegments: Int
    var partMicroseconds: Int64?

    /// Nil before the first complete segment.
    func newestSegment(at now: WallTime) -> UInt64? {
        let elapsed = now.microseconds - Self.zeroSeconds * 1_000_000
        let complete = elapsed / (Int64(segmentSeconds) * 1_000_000)
        return elapsed > 0 && complete > 0 ? UInt64(complete - 1) : nil
    }

    func window(newest: UInt64) -> ClosedRange<UInt64> { newest - min(newest, UInt64(windowSegments - 1))...newest }

    func programDate(of segment: UInt64) -> WallTime {
        let seconds = Self.zeroSeconds &+ Int64(clamping: segment) &* Int64(segmentSeconds)
        return WallTime(microseconds: seconds &* 1_000_000)
    }

    /// Nil for another second than the first of a segment.
    func segment(beginningAt epochSeconds: Int64) -> UInt64? {
        let (segment, rest) = (epochSeconds &- Self.zeroSeconds).quotientAndRemainder(dividingBy: Int64(segmentSeconds))
        return rest == 0 && segment >= 0 ? UInt64(segment) : nil
    }

    func seconds(of segment: UInt64) -> Range<UInt64> {
        let first = segment &* UInt64(segmentSeconds)
        return first..<first &+ UInt64(segmentSeconds)
    }

    /// Complete, and available for twice the window after it leaves the playlist: bis-22 6.2.2 requires its own duration and
    /// the longest playlist that listed it.
    func isAvailable(_ segment: UInt64, part: Int? = nil, at edge: LiveEdge) -> Bool {
        guard segment <= edge.newest else { return edge.includes(segment: segment, part: part) }
        return edge.newest - segment < UInt64(windowSegments) * 3
    }
}

/// The newest complete segment, and parts of the next one.
struct LiveEdge: Hashable, Comparable, Sendable {
    let newest: UInt64
    var parts = 0

    static func < (left: LiveEdge, right: LiveEdge) -> Bool { (left.newest, left.parts) < (right.newest, right.parts) }

    func includes(segment: UInt64, part: Int?) -> Bool {
        if newest >= segment { return true }
        guard let part, segment == newest &+ 1 else { return false }
        return parts > part
    }
}

extension ChannelTimeline {
    /// 0 for a channel without parts.
    var partsPerSegment: Int {
        guard let partMicroseconds, partMicroseconds > 0 else { return 0 }
        return Int(Int64(segmentSeconds) * 1_000_000 / partMicroseconds)
    }

    func edge(at now: WallTime) -> LiveEdge? {
        guard let newest = newestSegment(at: now) else { return nil }
        guard let partMicroseconds, partMicroseconds > 0 else { return LiveEdge(newest: newest) }
        let progress = now.microseconds - programDate(of: newest + 1).microseconds
        return LiveEdge(newest: newest, parts: Int(progress / partMicroseconds))
    }

    func publication(of edge: LiveEdge) -> WallTime {
        programDate(of: edge.newest &+ 1) + .microseconds((partMicroseconds ?? 0) &* Int64(edge.parts))
    }

    func completion(ofSegment segment: UInt64, part: Int?) -> WallTime {
        guard let part, let partMicroseconds, part < partsPerSegment else { return programDate(of: segment &+ 1) }
        return programDate(of: segment) + .microseconds(partMicroseconds &* Int64(part + 1))
    }

    func listing(at edge: LiveEdge) -> ListedWindow {
        ListedWindow(timeline: self, segments: window(newest: edge.newest), edge: publication(of: edge))
    }

    func edge(after edge: LiveEdge) -> LiveEdge {
        edge.parts + 1 < partsPerSegment
            ? LiveEdge(newest: edge.newest, parts: edge.parts + 1) : LiveEdge(newest: edge.newest &+ 1)
    }
}

struct ListedWindow: Sendable, Equatable {
    let timeline: ChannelTimeline
    let segments: ClosedRange<UInt64>
    /// Instant of publication: end of the last listed segment or part.
    let edge: WallTime

    var start: WallTime { timeline.programDate(of: segments.lowerBound) }
}

struct AddedSegment: Sendable, Equatable {
    /// Absolute or relative, without `.m4s` or `.{part}.m4s` (from 0); nil keeps the channel's own media.
    var stem: String?
    /// For `stem`.
    var map: String?
    var isDiscontinuity = false
    /// Such as cue tags.
    var otherTags: [String] = []
}

struct LiveMedia: Sendable {
    private let renditions: [LiveRendition]
    private let timeline: ChannelTimeline
    /// Nil for text.
    private let clips: [ClipFile?]

    init(_ renditions: [LiveRendition], timeline: ChannelTimeline, _ library: ClipLibrary) throws {
        (self.renditions, self.timeline) = (renditions, timeline)
        let pieces = timeline.partMicroseconds.map { max(1, Int(1_000_000 / $0)) } ?? 1
        let isDemuxed = renditions.contains { $0.isAudio }
        var sounds = 0
        var clips: [ClipFile?] = []
        for rendition in renditions {
            switch rendition {
            case .variant(let profile):
                let clip = library.live(profile)
                clips.append(try clip.cut(to: isDemuxed ? .video : .all, piecesPerSecond: pieces))
            case .audio:
                // Languages alternate between the only two tones.
                let clip = sounds % 2 == 0 ? library.live(.low) : library.ad(.low)
                sounds += 1
                clips.append(try clip.cut(to: .audio, piecesPerSecond: pieces))
            case .subtitles: clips.append(nil)
            }
        }
        self.clips = clips
    }

    /// Text has segments only, and parts need a channel with parts.
    func bytes(of file: LiveFile, _ rendition: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        switch (file, clips[rendition]) {
        case (.initialization, let clip?): return clip.initialization
        case (.segment(let number), let clip?):
            for second in timeline.seconds(of: number) { clip.append(second: second, to: &bytes) }
        case (.segment(let number), nil): return subtitles(number)
        case (.part(let name), let clip?):
            let pieces = UInt64(timeline.segmentSeconds * clip.piecesPerSecond)
            let perPart = pieces / UInt64(max(1, timeline.partsPerSegment))
            let first = name.segment &* pieces &+ UInt64(name.part) &* perPart
            for piece in first..<first &+ perPart { clip.append(piece: piece, to: &bytes) }
        case (.initialization, nil), (.part, nil): break
        }
        return bytes
    }

    /// WebVTT (RFC 8216 section 3.5); each second's cue contains its date.
    private func subtitles(_ number: UInt64) -> [UInt8] {
        let seconds = timeline.seconds(of: number)
        let ticks = seconds.lowerBound &* 90_000 & 0x1_FFFF_FFFF
        var text = "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:\(ticks)\n"
        for (place, second) in seconds.enumerated() {
            let start = String(place).leftPadded(to: 2)
            let end = String(place + 1).leftPadded(to: 2)
            let date = WallTime(microseconds: (ChannelTimeline.zeroSeconds &+ Int64(clamping: second)) &* 1_000_000)
            text += "\n00:00:\(start).000 --> 00:00:\(end).000\n\(date.iso8601)\n"
        }
        return Array(text.utf8)
    }
}

/// Variants, and renditions with their own media.
enum LiveRendition: Hashable, Sendable {
    case variant(ClipProfile)
    case audio(language: String)
    case subtitles(language: String)

    /// Folder of playlist and media.
    var name: String {
        switch self {
        case .variant(let profile): profile.rawValue
        case .audio(let language): "audio-\(language)"
        case .subtitles(let language): "subtitles-\(language)"
        }
    }

    /// Without initialization section and parts.
    var isText: Bool { if case .subtitles = self { true } else { false } }

    var isAudio: Bool { if case .audio = self { true } else { false } }

    var segmentSuffix: String { isText ? ".vtt" : ".m4s" }
}
