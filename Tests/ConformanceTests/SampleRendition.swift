import HLS
import Testing

/// One media playlist of a live channel: segments of two seconds, a discontinuity before the last of each ten.
struct SampleRendition {
    static let zero: Int64 = 1_795_291_200_000

    var first = 20
    var count = 8
    var segmentMilliseconds: Int64 = 2_000
    var targetDuration = 2
    /// Moves the dates.
    var shiftMilliseconds: Int64 = 0
    var hasDates = true
    var discontinuityOffset = 0
    var header: [String] = []
    var ranges: [String] = [SampleRendition.range()]
    /// Lines before a segment, by its number.
    var before: [Int: String] = [:]
    var hasEnded = false

    /// A break of four seconds that begins with segment 24.
    static func range(_ more: String = "", id: String = "break-1", segment: Int = 24) -> String {
        let start = WallTime(microseconds: (zero + Int64(segment) * 2_000) * 1_000).iso8601
        return "#EXT-X-DATERANGE:ID=\"\(id)\",START-DATE=\"\(start)\",PLANNED-DURATION=4.0\(more)"
    }

    private static func discontinuities(before number: Int) -> Int { number / 10 }

    var text: String {
        var lines = ["#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:\(targetDuration)"]
        lines.append("#EXT-X-MEDIA-SEQUENCE:\(first)")
        lines.append("#EXT-X-DISCONTINUITY-SEQUENCE:\(Self.discontinuities(before: first) + discontinuityOffset)")
        lines += header + (hasDates ? ranges : [])
        for number in first..<(first + count) {
            if number % 10 == 9 { lines.append("#EXT-X-DISCONTINUITY") }
            if let line = before[number] { lines.append(line) }
            if hasDates {
                let date = Self.zero + Int64(number) * segmentMilliseconds + shiftMilliseconds
                lines.append("#EXT-X-PROGRAM-DATE-TIME:\(WallTime(microseconds: date * 1_000).iso8601)")
            }
            lines.append("#EXTINF:\(Double(segmentMilliseconds) / 1_000),")
            lines.append("\(number).m4s")
        }
        if hasEnded { lines.append("#EXT-X-ENDLIST") }
        return lines.joined(separator: "\n") + "\n"
    }

    func playlist() throws -> MediaPlaylist {
        let parsed = try Array(text.utf8).withUnsafeBytes { try Playlist.parse($0) }
        guard case .media(let playlist) = parsed else { throw NoMediaPlaylist() }
        return playlist
    }

    struct NoMediaPlaylist: Error {}
}
