import HLS
import Values

/// Live media playlist of 2.1 KB with eighteen dated segments of four seconds.
enum LivePlaylist {
    static let targetSeconds = 4
    static let segments = 18

    /// `gone` segments have left it; its length never changes.
    static func text(after gone: Int = 0) -> String {
        let first = 448_520 + gone
        var lines = [
            "#EXTM3U", "#EXT-X-VERSION:6", "#EXT-X-TARGETDURATION:\(targetSeconds)", "#EXT-X-MEDIA-SEQUENCE:\(first)",
            "#EXT-X-INDEPENDENT-SEGMENTS", "#EXT-X-MAP:URI=\"main/init-1080p-v1.mp4\"",
        ]
        for sequence in first..<first + segments {
            lines.append("#EXT-X-PROGRAM-DATE-TIME:\(time(of: sequence).iso8601)")
            lines.append("#EXTINF:4.00000,")
            lines.append("main/video-1080p-6000k/segment-\(sequence).m4s")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func time(of sequence: Int) -> WallTime {
        WallTime(microseconds: (1_793_000_000 + Int64(sequence * targetSeconds)) * 1_000_000)
    }
}
