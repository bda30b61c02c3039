import Foundation
import Glibc
import TestSupport

/// A live channel and a pod as files in a folder, for servers that know nothing but files.
///
/// The media playlist is written anew each second under another name and moved to its place, as long as this value lives.
final class LiveFolder: Sendable {
    /// More than a client of HTTP/2 gives a stream room for at first: it has to say that there is more.
    static let adBytes = 1_200_000
    private static let segmentBytes = 100_000
    private static let window = 10

    /// The kind of request that asks for each of the files.
    static let kinds = [
        "multivariant.m3u8": "multivariant", "media.m3u8": "playlist", "segment.ts": "segment",
        "pod.m3u8": "pod_manifest", "ad.ts": "pod_segment",
    ]

    private let folder: TemporaryFolder
    private let writing: Task<Void, any Error>

    var path: String { folder.path }

    init() throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        try folder.write(Self.multivariant, to: "multivariant.m3u8")
        try folder.write(Self.pod, to: "pod.m3u8")
        try folder.write(Data(repeating: 0x47, count: Self.adBytes), to: "ad.ts")
        try folder.write(Data(repeating: 0x47, count: Self.segmentBytes), to: "segment.ts")
        try Self.write(to: folder)
        writing = Task {
            while true {
                let now = Date().timeIntervalSince1970
                try await Task.sleep(for: .seconds(now.rounded(.down) + 1 - now))
                try Self.write(to: folder)
            }
        }
    }

    deinit { writing.cancel() }

    private static func write(to folder: TemporaryFolder) throws {
        let next = Int(Date().timeIntervalSince1970)
        var lines = ["#EXTM3U", "#EXT-X-VERSION:6", "#EXT-X-INDEPENDENT-SEGMENTS", "#EXT-X-TARGETDURATION:1"]
        lines.append("#EXT-X-MEDIA-SEQUENCE:\(next - window)")
        for number in next - window..<next {
            let date = Date(timeIntervalSince1970: TimeInterval(number))
            lines.append("#EXT-X-PROGRAM-DATE-TIME:\(date.formatted(.iso8601))")
            lines += ["#EXTINF:1.000,", "segment.ts?\(number)"]
        }
        let new = try folder.write(lines.joined(separator: "\n") + "\n", to: "new")
        guard rename(new, folder.file("media.m3u8").path) == 0 else { throw POSIXError(.EIO) }
    }

    private static let multivariant = """
        #EXTM3U
        #EXT-X-VERSION:6
        #EXT-X-INDEPENDENT-SEGMENTS
        #EXT-X-STREAM-INF:BANDWIDTH=1400000,AVERAGE-BANDWIDTH=1200000,RESOLUTION=640x360,CODECS="avc1.4d401e,mp4a.40.2"
        media.m3u8

        """

    private static let pod = """
        #EXTM3U
        #EXT-X-VERSION:6
        #EXT-X-PLAYLIST-TYPE:VOD
        #EXT-X-TARGETDURATION:1
        #EXT-X-MEDIA-SEQUENCE:0
        #EXTINF:1.000,
        ad.ts
        #EXT-X-ENDLIST

        """
}
