import HLS
import Values

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

    /// Targets of EXT-X-MAP; nil for text.
    var initializations: [[UInt8]?] { clips.map { $0?.initialization } }

    func segment(_ number: UInt64, of rendition: Int) -> [UInt8] {
        guard let clip = clips[rendition] else { return subtitles(number) }
        var bytes: [UInt8] = []
        for second in timeline.seconds(of: number) { clip.append(second: second, to: &bytes) }
        return bytes
    }

    func part(_ name: PartName, of rendition: Int) -> [UInt8] {
        guard let clip = clips[rendition], timeline.partsPerSegment > 0 else { return [] }
        let pieces = UInt64(timeline.segmentSeconds * clip.piecesPerSecond)
        let perPart = pieces / UInt64(timeline.partsPerSegment)
        let first = name.segment &* pieces &+ UInt64(name.part) &* perPart
        var bytes: [UInt8] = []
        for piece in first..<first &+ perPart { clip.append(piece: piece, to: &bytes) }
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
    var isText: Bool {
        guard case .subtitles = self else { return false }
        return true
    }

    var isAudio: Bool {
        guard case .audio = self else { return false }
        return true
    }

    var segmentSuffix: String { isText ? ".vtt" : ".m4s" }
}
