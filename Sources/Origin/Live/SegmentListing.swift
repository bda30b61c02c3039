import HLS

struct SegmentListing: Sendable {
    let playlist: LivePlaylist
    let version: PlaylistVersion

    private var timeline: ChannelTimeline { playlist.timeline }
    private var rendition: LiveRendition { version.rendition }

    /// Parts are listed this near to the end (bis-22 section 6.2.2).
    private static let partTargetDurations: UInt64 = 3

    func segment(_ number: UInt64) -> MediaPlaylistWriter.Segment {
        let added = added(number)
        var segment = MediaPlaylistWriter.Segment(
            uri: uri(number, part: nil, added),
            durationMicroseconds: Int64(timeline.segmentSeconds) * 1_000_000
        )
        segment.programDate = timeline.programDate(of: number)
        if !rendition.isText {
            segment.map = MediaPlaylistWriter.Map(
                uri: added?.map.map(playlist.withToken) ?? playlist.uri("init.mp4", of: rendition)
            )
        }
        segment.isDiscontinuity = added?.isDiscontinuity ?? false
        segment.otherTags = added?.otherTags ?? []
        if isNearEdge(number) { segment.parts = parts(of: number, count: timeline.partsPerSegment, added) }
        return segment
    }

    var trailingParts: [MediaPlaylistWriter.Part] {
        let number = version.edge.newest &+ 1
        return parts(of: number, count: version.edge.parts, added(number))
    }

    /// Another kind of media may begin with the incomplete segment.
    var trailingTags: [String] {
        let number = version.edge.newest &+ 1
        guard version.edge.parts > 0, let added = added(number) else { return [] }
        guard added.isDiscontinuity else { return added.otherTags }
        let map = added.map ?? playlist.uri("init.mp4", of: rendition)
        return added.otherTags + [
            "#EXT-X-DISCONTINUITY", "#EXT-X-PROGRAM-DATE-TIME:\(timeline.programDate(of: number).iso8601)",
            "#EXT-X-MAP:URI=\"\(map)\"",
        ]
    }

    /// `isGone`: one that never comes.
    func hint(isGone: Bool) -> MediaPlaylistWriter.Hint {
        let number = version.edge.newest &+ 1
        let part = version.edge.parts
        let uri =
            isGone
            ? playlist.uri(PartName(segment: number, part: part, isGone: true).file, of: rendition)
            : uri(number, part: part, added(number))
        return MediaPlaylistWriter.Hint(kind: .part, uri: uri)
    }

    private func added(_ number: UInt64) -> AddedSegment? {
        for addition in playlist.additions {
            if let segment = addition.segment(number, of: rendition, view: version.view) { return segment }
        }
        return nil
    }

    private func isNearEdge(_ number: UInt64) -> Bool {
        guard timeline.partsPerSegment > 0 else { return false }
        return version.edge.newest &- number < Self.partTargetDurations
    }

    private func parts(of number: UInt64, count: Int, _ added: AddedSegment?) -> [MediaPlaylistWriter.Part] {
        guard let duration = timeline.partMicroseconds, !rendition.isText else { return [] }
        return (0..<count).map { part in
            MediaPlaylistWriter.Part(
                uri: uri(number, part: part, added),
                durationMicroseconds: duration,
                // Frames refer to none before their second of the clip; sound never does.
                isIndependent: rendition.isAudio || Int64(part) * duration % 1_000_000 == 0
            )
        }
    }

    private func uri(_ number: UInt64, part: Int?, _ added: AddedSegment?) -> String {
        if !rendition.isText, let stem = added?.stem {
            return playlist.withToken(stem + (part.map { ".\($0)" } ?? "") + rendition.segmentSuffix)
        }
        let file = part.map { PartName(segment: number, part: $0).file } ?? "\(number)\(rendition.segmentSuffix)"
        return playlist.uri(file, of: rendition)
    }
}

enum LiveFile: Hashable, Sendable {
    case segment(UInt64)
    case part(PartName)

    var number: UInt64 {
        switch self {
        case .segment(let number): number
        case .part(let name): name.segment
        }
    }
}

struct PartName: Hashable, Sendable {
    let segment: UInt64
    let part: Int
    var isGone = false

    /// `gone` marks a part that never comes.
    var file: String { "\(segment).\(part)\(isGone ? ".gone" : "").m4s" }
}

extension PartName {
    init?(file: some StringProtocol) {
        var pieces = file.split(separator: ".", omittingEmptySubsequences: false)
        guard pieces.popLast() == "m4s" else { return nil }
        let isGone = pieces.last == "gone"
        if isGone { pieces.removeLast() }
        guard pieces.count == 2, let segment = UInt64(pieces[0]), let part = UInt16(pieces[1]) else { return nil }
        self.init(segment: segment, part: Int(part), isGone: isGone)
    }
}
