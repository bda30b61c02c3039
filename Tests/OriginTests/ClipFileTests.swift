import Testing

@testable import Origin

@Suite struct ClipFileTests {
    private static func tracks(_ fragment: ClipFile.Fragment) -> [UInt64] { fragment.decodeTimes.map(\.start) }

    @Test(arguments: ClipProfile.allCases)
    func shippedClipsLoopWithoutASeam(profile: ClipProfile) throws {
        let library = try ClipLibrary()
        for clip in [library.live(profile), library.ad(profile)] {
            #expect(clip.fragments.count == 8)
            let boxes = MovieBox.list(in: clip.initialization, 0..<clip.initialization.count)
            #expect(boxes.map(\.type) == ["ftyp", "moov"])
            for fragment in clip.fragments {
                #expect(fragment.decodeTimes.count == 2)
                #expect(fragment.decodeTimes.map(\.perLoop) == [720_000, 384_000])
            }
            // Video starts each fragment at its second; audio at the frame of 1,024 samples that covers it.
            #expect(clip.fragments.map { Self.tracks($0)[0] } == (0..<8).map { UInt64($0) * 90_000 })
            for (second, fragment) in clip.fragments.enumerated() {
                let audio = Self.tracks(fragment)[1]
                #expect(audio % 1_024 == 0)
                #expect(audio < UInt64(second) * 48_000 + 1_024 && audio + 1_024 > UInt64(second) * 48_000)
            }
        }
    }

    @Test func writtenFragmentsContinueTheTimelineForEver() throws {
        let clip = try ClipLibrary().live(.low)
        let start: UInt64 = 28_000_000 * 8 - 4
        var bytes: [UInt8] = []
        for second in start..<start + 12 { clip.append(second: second, to: &bytes) }
        let boxes = MovieBox.list(in: bytes, 0..<bytes.count)
        #expect(boxes.map(\.type) == Array(repeating: ["moof", "mdat"], count: 12).flatMap { $0 })
        let again = boxes.filter { $0.type == "moof" }.enumerated()
        for (index, moof) in again {
            let parts = MovieBox.list(in: bytes, moof.content)
            let header = try #require(parts.first { $0.type == "mfhd" })
            let sequence: UInt32 = try #require(MovieBox.integer(in: bytes, at: header.content.lowerBound + 4))
            #expect(sequence == UInt32(truncatingIfNeeded: start + UInt64(index) + 1))
            let track = try #require(parts.first { $0.type == "traf" })
            let time = try #require(MovieBox.list(in: bytes, track.content).first { $0.type == "tfdt" })
            let decodeTime: UInt64 = try #require(MovieBox.integer(in: bytes, at: time.content.lowerBound + 4))
            #expect(decodeTime == (start + UInt64(index)) * 90_000)
        }
    }

    @Test(arguments: [[], [0, 0, 0, 8], Array("not a movie at all, only text".utf8), [0, 0, 0, 8, 109, 100, 97, 116]])
    func foreignBytesAreRefused(bytes: [UInt8]) {
        #expect(throws: ClipError.self) { try ClipFile(parsing: bytes) }
    }

    @Test func cutClipIsRefusedWhereverItIsCut() throws {
        let clip = try ClipLibrary().live(.low)
        let file = clip.initialization + clip.fragments.flatMap(\.bytes)
        #expect(throws: Never.self) { try ClipFile(parsing: file) }
        for length in stride(from: 0, to: file.count - 1, by: 997) {
            #expect(throws: ClipError.self, "cut at \(length)") { try ClipFile(parsing: Array(file[..<length])) }
        }
    }
}
