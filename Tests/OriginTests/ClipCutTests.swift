import Foundation
import TestSupport
import Testing

@testable import Origin

/// Cutting a clip keeps every sample and its time.
@Suite struct ClipCutTests {
    private static func clips() throws -> [ClipFile] {
        let library = try ClipLibrary()
        return ClipProfile.allCases.flatMap { [library.live($0), library.ad($0)] }
    }

    /// The samples of a clip by track, with their decode times.
    private static func samples(_ clip: ClipFile) throws -> [UInt32: [(time: UInt64, bytes: [UInt8])]] {
        var found: [UInt32: [(UInt64, [UInt8])]] = [:]
        for fragment in clip.fragments {
            for track in try FragmentSamples(parsing: fragment).tracks {
                for (place, sample) in track.samples.enumerated() {
                    let time = track.start + UInt64(place) * track.sampleDuration
                    found[track.identifier, default: []].append((time, Array(sample)))
                }
            }
        }
        return found
    }

    @Test(arguments: [1, 2, 4, 8], [ClipTracks.all, .video, .audio])
    func everySampleStaysWithItsTime(pieces: Int, tracks: ClipTracks) throws {
        for clip in try Self.clips() {
            let cut = try clip.cut(to: tracks, piecesPerSecond: pieces)
            #expect(cut.fragments.count == 8 * pieces)
            #expect(cut.piecesPerSecond == pieces)
            let before = try Self.samples(clip)
            let after = try Self.samples(cut)
            #expect(after.count == (tracks == .all ? 2 : 1))
            for (track, samples) in after {
                let whole = try #require(before[track])
                #expect(samples.map(\.time) == whole.map(\.time))
                #expect(samples.map(\.bytes) == whole.map(\.bytes))
            }
        }
    }

    @Test(arguments: [2, 4])
    func piecesHoldEqualNumbersOfPictures(pieces: Int) throws {
        let cut = try ClipLibrary().live(.high).cut(to: .video, piecesPerSecond: pieces)
        for (piece, fragment) in cut.fragments.enumerated() {
            let track = try #require(FragmentSamples(parsing: fragment).tracks.first)
            #expect(track.samples.count == ClipProfile.frameRate / pieces)
            #expect(track.start == UInt64(piece * 90_000 / pieces))
            #expect((track.firstFlags != nil) == (piece % pieces == 0), "only a second begins with a whole picture")
        }
    }

    @Test func uncutClipIsTheSame() throws {
        let clip = try ClipLibrary().live(.low)
        #expect(try clip.cut(to: .all, piecesPerSecond: 1).fragments.map(\.bytes) == clip.fragments.map(\.bytes))
    }

    @Test(arguments: [(ClipTracks.video, "avc1.4D401E"), (.audio, "mp4a.40.2")])
    func cutTrackStandsAlone(tracks: ClipTracks, codecs: String) throws {
        let cut = try ClipLibrary().ad(.high).cut(to: tracks, piecesPerSecond: 1)
        #expect(cut.codecs == codecs)
        let boxes = MovieBox.list(in: cut.initialization, 0..<cut.initialization.count)
        #expect(boxes.map(\.type) == ["ftyp", "moov"])
        let movie = try #require(boxes.last)
        #expect(movie.range.upperBound == cut.initialization.count)
        let parts = MovieBox.list(in: cut.initialization, movie.content)
        #expect(parts.count { $0.type == "trak" } == 1)
        let extends = try #require(parts.first { $0.type == "mvex" })
        #expect(MovieBox.list(in: cut.initialization, extends.content).map(\.type) == ["trex"])
    }

    @Test(arguments: [0, 5, 7, 48])
    func piecesThatPicturesDoNotFitAreRefused(pieces: Int) throws {
        let clip = try ClipLibrary().live(.low)
        #expect(throws: ClipError.self) { try clip.cut(to: .all, piecesPerSecond: pieces) }
    }

    @Test(arguments: [ClipTracks.all, .video, .audio])
    func playerDecodesPiecesOneAfterAnother(tracks: ClipTracks) async throws {
        let cut = try ClipLibrary().live(.high).cut(to: tracks, piecesPerSecond: 4)
        var bytes = cut.initialization
        for piece in UInt64(0)..<64 { cut.append(piece: piece, to: &bytes) }
        let folder = try TemporaryFolder()
        let file = try folder.write(Data(bytes), to: "clip.mp4")
        let decoded = try await InstalledProgram("ffmpeg").run(["-v", "error", "-i", file, "-f", "null", "-"])
        #expect(decoded.status == 0)
        #expect(decoded.complaints == "")
        let counted = try await InstalledProgram("ffprobe").run(
            ["-v", "error", "-count_packets", "-show_entries", "stream=nb_read_packets", "-of", "csv=p=0", file]
        )
        let counts = counted.text.split(separator: "\n").map(String.init)
        switch tracks {
        case .all: #expect(counts == ["384", "750"])
        case .video: #expect(counts == ["384"])
        case .audio: #expect(counts == ["750"])
        }
    }
}
