import HLS
import Rules
import Testing

/// One version of a live playlist of two-second segments, as text that can be changed.
///
/// The segment of number n begins 2 n seconds after 20:00:00.
struct LiveVersion {
    var first = 100
    var count = 8
    var targetDuration = 2
    var discontinuitySequence: Int?
    /// Lines before a segment, by its number.
    var tags: [Int: [String]] = [:]
    var uris: [Int: String] = [:]
    var durations: [Int: String] = [:]
    var header: [String] = []
    var end: [String] = []
    /// Seconds by which each date is moved.
    var shift = 0.0
    var hasDates = true
    /// The header's number where it is not `first`.
    var mediaSequence: Int?

    static let epoch = WallTime(microseconds: 1_795_291_200_000_000)

    static func date(_ seconds: Double) -> WallTime { epoch + .milliseconds(Int64(seconds * 1_000)) }

    func later(_ updates: Int, _ change: (inout LiveVersion) -> Void = { _ in }) -> LiveVersion {
        var version = self
        version.first += updates
        if version.mediaSequence != nil { version.mediaSequence? += updates }
        change(&version)
        return version
    }

    func changed(_ change: (inout LiveVersion) -> Void) -> LiveVersion { later(0, change) }

    var text: String {
        var lines = [
            "#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:\(targetDuration)",
            "#EXT-X-MEDIA-SEQUENCE:\(mediaSequence ?? first)",
        ]
        if let discontinuitySequence { lines.append("#EXT-X-DISCONTINUITY-SEQUENCE:\(discontinuitySequence)") }
        lines += header
        for number in first..<(first + count) {
            lines += tags[number] ?? []
            let date = Self.date(Double(number * 2) + shift)
            if hasDates { lines.append("#EXT-X-PROGRAM-DATE-TIME:\(date.iso8601)") }
            lines.append("#EXTINF:\(durations[number] ?? "2.000"),")
            lines.append(uris[number] ?? "segment-\(number).m4s")
        }
        return (lines + end).joined(separator: "\n") + "\n"
    }

    var playlist: MediaPlaylist {
        get throws {
            let parsed = try Array(text.utf8).withUnsafeBytes { try Playlist.parse($0) }
            guard case .media(let media) = parsed else { throw NotMedia() }
            return media
        }
    }

    struct NotMedia: Error {}

    /// A date range's tag; dates in seconds after the epoch.
    static func range(_ id: String, _ start: Double, _ more: String = ",PLANNED-DURATION=20,SCTE35-OUT=0xFC") -> String
    { "#EXT-X-DATERANGE:ID=\"\(id)\",START-DATE=\"\(date(start).iso8601)\"\(more)" }
}

/// The findings of a watcher of versions that come a target duration apart.
func codes(watching versions: [LiveVersion], every seconds: Int = 2) throws -> [String] {
    var watch = PlaylistWatch()
    return try versions.enumerated().flatMap { index, version in
        let now = Duration.seconds(index * seconds)
        return try watch.loaded(version.playlist, askedAt: now, at: now).map(\.code.code)
    }
}
