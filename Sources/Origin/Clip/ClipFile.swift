import Foundation

/// Defect of the shipped media.
struct ClipError: Error, CustomStringConvertible {
    let description: String
}

/// An eight-second fragmented MP4 clip that loops forever.
///
/// Both tracks are exactly `secondsPerLoop` long: rounds differ only in decode times (`tfdt`, ISO/IEC 14496-12 8.8.12) and
/// sequence numbers (`mfhd`, 8.8.5).
struct ClipFile: Sendable {
    /// A field in a fragment, and its increment per round.
    struct DecodeTime: Sendable {
        let offset: Int
        let start: UInt64
        let perLoop: UInt64
    }

    struct Fragment: Sendable {
        let bytes: [UInt8]
        let decodeTimes: [DecodeTime]
    }

    static let secondsPerLoop = 8
    /// CODECS of whole clips (RFC 6381).
    static let codecs = "avc1.4D401E,mp4a.40.2"
    /// Ticks per second of video and sound.
    private static let timescales: [UInt32: UInt64] = [1: 90_000, 2: 48_000]
    /// Beyond the headers of `moof` and `mfhd`, and its version.
    private static let sequenceOffset = 20

    let initialization: [UInt8]
    let fragments: [Fragment]
    /// 1 for a whole clip.
    let piecesPerSecond: Int
    private(set) var name = ""
}

extension ClipFile {
    /// For a clip of `make-media.sh` or `cut-media.py`; throws if it cannot loop exactly.
    init(parsing file: [UInt8], piecesPerSecond: Int = 1) throws(ClipError) {
        var (initialization, fragments): ([UInt8], [Fragment]) = ([], [])
        var header: MovieBox?
        for box in MovieBox.list(in: file, 0..<file.count) {
            switch box.type {
            case "ftyp", "moov": initialization += file[box.range]
            case "moof": header = box
            case "mdat":
                guard let moof = header, moof.range.upperBound == box.range.lowerBound else {
                    throw ClipError(description: "an mdat is not directly behind its moof")
                }
                let bytes = Array(file[moof.range.lowerBound..<box.range.upperBound])
                fragments.append(Fragment(bytes: bytes, decodeTimes: try Self.decodeTimes(bytes)))
                header = nil
            default: break
            }
        }
        guard fragments.count == Self.secondsPerLoop * piecesPerSecond else {
            throw ClipError(description: "\(fragments.count) fragments in \(Self.secondsPerLoop) seconds")
        }
        (self.initialization, self.fragments, self.piecesPerSecond) = (initialization, fragments, piecesPerSecond)
    }

    private static func decodeTimes(_ fragment: [UInt8]) throws(ClipError) -> [DecodeTime] {
        var times: [DecodeTime] = []
        for moof in MovieBox.list(in: fragment, 0..<fragment.count).prefix(1) {
            for traf in MovieBox.list(in: fragment, moof.content) where traf.type == "traf" {
                let boxes = MovieBox.list(in: fragment, traf.content)
                guard let header = boxes.first(where: { $0.type == "tfhd" }),
                    let track: UInt32 = MovieBox.integer(in: fragment, at: header.content.lowerBound + 4),
                    let timescale = timescales[track], let time = boxes.first(where: { $0.type == "tfdt" }),
                    fragment[time.content.lowerBound] == 1,
                    let start: UInt64 = MovieBox.integer(in: fragment, at: time.content.lowerBound + 4)
                else { throw ClipError(description: "a track is unknown, or its tfdt is not 64 bits wide") }
                let offset = time.content.lowerBound + 4
                times.append(DecodeTime(offset: offset, start: start, perLoop: timescale * UInt64(secondsPerLoop)))
            }
        }
        return times
    }

    /// Decode times and numbers are those of the timeline.
    func append(second: UInt64, to output: inout [UInt8]) {
        let pieces = UInt64(piecesPerSecond)
        for piece in second &* pieces..<(second &+ 1) &* pieces { append(piece: piece, to: &output) }
    }

    func append(piece: UInt64, to output: inout [UInt8]) {
        let (round, index) = piece.quotientAndRemainder(dividingBy: UInt64(fragments.count))
        let fragment = fragments[Int(index)]
        let base = output.count
        output += fragment.bytes
        Self.store(UInt32(truncatingIfNeeded: piece &+ 1), at: base + Self.sequenceOffset, in: &output)
        for time in fragment.decodeTimes {
            Self.store(time.start &+ round &* time.perLoop, at: base + time.offset, in: &output)
        }
    }

    /// Bytes of the longest and of all runs that start at a multiple of `seconds`.
    func weights(ofRuns seconds: Int) -> (largest: Int, total: Int) {
        var largest = 0
        let length = seconds * piecesPerSecond
        for start in stride(from: 0, to: fragments.count, by: length) {
            let run = fragments[start..<min(start + length, fragments.count)]
            largest = max(largest, run.reduce(0) { $0 + $1.bytes.count })
        }
        return (largest, fragments.reduce(0) { $0 + $1.bytes.count })
    }

    private static func store<Field: FixedWidthInteger>(_ value: Field, at offset: Int, in bytes: inout [UInt8]) {
        bytes.replaceSubrange(offset..<offset + Field.bitWidth / 8, with: value.bigEndianBytes)
    }
}

package enum ClipProfile: String, CaseIterable, Sendable {
    case high = "360p"
    case low = "180p"

    var width: Int { self == .high ? 640 : 320 }
    var height: Int { self == .high ? 360 : 180 }

    static let frameRate = 24
}

enum ClipTracks: String {
    case all, video, audio
}

extension ClipFile {
    /// With fragments of a part of a second, from `cut-media.py`.
    func cut(to tracks: ClipTracks, piecesPerSecond pieces: Int) throws -> ClipFile {
        guard tracks != .all || pieces != 1 else { return self }
        return try ClipFile(named: "\(name)-\(tracks)-\(pieces)", in: "Media/Cut", piecesPerSecond: pieces)
    }

    fileprivate init(named name: String, in folder: String = "Media", piecesPerSecond: Int = 1) throws {
        guard let file = Bundle.module.url(forResource: name, withExtension: "mp4", subdirectory: folder) else {
            throw ClipError(description: "\(name).mp4 is missing from the resources")
        }
        try self.init(parsing: Array(Data(contentsOf: file)), piecesPerSecond: piecesPerSecond)
        self.name = name
    }
}

struct ClipLibrary: Sendable {
    private var live: [ClipFile]
    private var ad: [ClipFile]

    init() throws {
        live = try ClipProfile.allCases.map { try ClipFile(named: "live-\($0.rawValue)") }
        ad = try ClipProfile.allCases.map { try ClipFile(named: "ad-\($0.rawValue)") }
    }

    var exchanged: ClipLibrary {
        var other = self
        (other.live, other.ad) = (ad, live)
        return other
    }

    func live(_ profile: ClipProfile) -> ClipFile { live[profile == .high ? 0 : 1] }

    func ad(_ profile: ClipProfile) -> ClipFile { ad[profile == .high ? 0 : 1] }
}

/// ISO/IEC 14496-12 4.2.
struct MovieBox {
    let type: String
    let range: Range<Int>
    let content: Range<Int>

    /// Ends before a box that does not fit.
    static func list(in bytes: [UInt8], _ range: Range<Int>) -> [MovieBox] {
        var boxes: [MovieBox] = []
        var at = range.lowerBound
        while let size: UInt32 = integer(in: bytes, at: at), size >= 8, Int(size) <= range.upperBound - at {
            let end = at + Int(size)
            let type = String(decoding: bytes[at + 4..<at + 8], as: UTF8.self)
            boxes.append(MovieBox(type: type, range: at..<end, content: at + 8..<end))
            at = end
        }
        return boxes
    }

    static func bytes(_ type: String, _ content: [UInt8]) -> [UInt8] {
        UInt32(clamping: content.count + 8).bigEndianBytes + Array(type.utf8) + content
    }

    /// Big-endian; nil beyond the end.
    static func integer<Field: FixedWidthInteger>(in bytes: [UInt8], at offset: Int) -> Field? {
        let width = Field.bitWidth / 8
        guard offset >= 0, offset <= bytes.count - width else { return nil }
        return bytes[offset..<offset + width].reduce(0) { $0 << 8 | Field(truncatingIfNeeded: $1) }
    }
}

extension FixedWidthInteger {
    var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}
