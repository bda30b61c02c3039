import Foundation
import TestSupport
import Testing

@testable import Origin

/// Cutting a clip keeps every sample and its time.
@Suite struct ClipCutTests {
    /// Packets of a file in the repository or elsewhere: kind of track, time and content.
    private static func packets(_ file: String) async throws -> [String] {
        let shown = "packet=codec_type,dts,data_hash"
        let result = try await InstalledProgram("ffprobe").run(
            ["-v", "error", "-show_packets", "-show_data_hash", "md5", "-show_entries", shown, "-of", "csv=p=0", file]
        )
        #expect(result.status == 0)
        return result.text.split(separator: "\n").map(String.init).sorted()
    }

    private static func written(_ clip: ClipFile, rounds: UInt64, to folder: TemporaryFolder) throws -> String {
        var bytes = clip.initialization
        for piece in 0..<UInt64(clip.fragments.count) * rounds { clip.append(piece: piece, to: &bytes) }
        return try folder.write(Data(bytes), to: "\(clip.name)-\(UUID().uuidString).mp4")
    }

    @Test(arguments: [1, 2, 4], [ClipTracks.all, .video, .audio])
    func everySampleStaysWithItsTime(pieces: Int, tracks: ClipTracks) async throws {
        let (library, folder) = (try ClipLibrary(), try TemporaryFolder())
        let profiles = tracks == .audio ? [ClipProfile.low] : ClipProfile.allCases
        for clip in profiles.flatMap({ [library.live($0), library.ad($0)] }) {
            let cut = try clip.cut(to: tracks, piecesPerSecond: pieces)
            #expect(cut.fragments.count == 8 * pieces)
            #expect(cut.piecesPerSecond == pieces)
            #expect(cut.fragments.allSatisfy { $0.decodeTimes.count == (tracks == .all ? 2 : 1) })
            let kept = try await Self.packets(try Self.written(clip, rounds: 1, to: folder))
                .filter { tracks == .all || $0.hasPrefix(tracks.rawValue) }
            #expect(try await Self.packets(try Self.written(cut, rounds: 1, to: folder)) == kept)
        }
    }

    @Test func uncutClipIsTheSame() throws {
        let clip = try ClipLibrary().live(.low)
        #expect(try clip.cut(to: .all, piecesPerSecond: 1).fragments.map(\.bytes) == clip.fragments.map(\.bytes))
    }

    @Test(arguments: [2, 4])
    func piecesHoldEqualTimes(pieces: Int) throws {
        let cut = try ClipLibrary().live(.high).cut(to: .video, piecesPerSecond: pieces)
        #expect(cut.fragments.map { $0.decodeTimes[0].start } == (0..<8 * pieces).map { UInt64($0 * 90_000 / pieces) })
    }

    @Test(arguments: [0, 5, 7, 48])
    func piecesThatPicturesDoNotFitAreRefused(pieces: Int) throws {
        let clip = try ClipLibrary().live(.low)
        #expect(throws: ClipError.self) { try clip.cut(to: .all, piecesPerSecond: pieces) }
    }

    @Test(arguments: [ClipTracks.all, .video, .audio])
    func playerDecodesPiecesOneAfterAnother(tracks: ClipTracks) async throws {
        let folder = try TemporaryFolder()
        let clip = try ClipLibrary().live(.low).cut(to: tracks, piecesPerSecond: 4)
        let file = try Self.written(clip, rounds: 2, to: folder)
        let decoded = try await InstalledProgram("ffmpeg").run(["-v", "error", "-i", file, "-f", "null", "-"])
        #expect(decoded.status == 0)
        #expect(decoded.complaints == "")
        let packets = try await Self.packets(file)
        #expect(packets.count { $0.hasPrefix("video,") } == (tracks == .audio ? 0 : 384))
        #expect(packets.count { $0.hasPrefix("audio,") } == (tracks == .video ? 0 : 750))
    }
}
