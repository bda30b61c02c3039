import Foundation
import Values

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
        let sequenceOffset: Int
        let decodeTimes: [DecodeTime]
    }

    static let secondsPerLoop = 8

    let initialization: [UInt8]
    let fragments: [Fragment]
    /// CODECS of the tracks (RFC 6381).
    let codecs: String
    /// 1 for a whole clip.
    let piecesPerSecond: Int
}

extension ClipFile {
    /// For a clip of `make-media.sh`; throws if it cannot loop exactly.
    init(parsing file: [UInt8]) throws(ClipError) {
        var initialization: [UInt8] = []
        var fragments: [Fragment] = []
        var timescales: [UInt32: UInt32] = [:]
        var pending: MovieBox?
        for box in MovieBox.list(in: file, 0..<file.count) {
            switch box.type {
            case "ftyp": initialization += file[box.range]
            case "moov":
                initialization += file[box.range]
                timescales = Self.timescales(file, box)
            case "moof": pending = box
            case "mdat":
                guard let moof = pending else { throw ClipError(description: "mdat before any moof") }
                fragments.append(try Self.fragment(file, moof: moof, mdat: box, timescales: timescales))
                pending = nil
            default: break
            }
        }
        guard fragments.count == Self.secondsPerLoop else {
            throw ClipError(description: "\(fragments.count) fragments, not \(Self.secondsPerLoop)")
        }
        (self.initialization, self.fragments) = (initialization, fragments)
        codecs = try Self.codecs(initialization)
        piecesPerSecond = 1
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
        Self.store(UInt32(truncatingIfNeeded: piece &+ 1), at: base + fragment.sequenceOffset, in: &output)
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

    /// Ticks per second, from `tkhd` and `mdhd`.
    private static func timescales(_ file: [UInt8], _ moov: MovieBox) -> [UInt32: UInt32] {
        var scales: [UInt32: UInt32] = [:]
        for track in MovieBox.list(in: file, moov.content) where track.type == "trak" {
            var identifier: UInt32?
            for box in MovieBox.list(in: file, track.content) {
                if box.type == "tkhd" { identifier = MovieBox.integer(in: file, at: box.content.lowerBound + 12) }
                guard box.type == "mdia", let identifier else { continue }
                for header in MovieBox.list(in: file, box.content) where header.type == "mdhd" {
                    scales[identifier] = MovieBox.integer(in: file, at: header.content.lowerBound + 12)
                }
            }
        }
        return scales
    }

    private static func fragment(
        _ file: [UInt8],
        moof: MovieBox,
        mdat: MovieBox,
        timescales: [UInt32: UInt32]
    ) throws(ClipError) -> Fragment {
        guard moof.range.upperBound == mdat.range.lowerBound else {
            throw ClipError(description: "a moof is not directly before its mdat")
        }
        let base = moof.range.lowerBound
        var sequenceOffset: Int?
        var times: [DecodeTime] = []
        for box in MovieBox.list(in: file, moof.content) {
            if box.type == "mfhd" { sequenceOffset = box.content.lowerBound + 4 - base }
            guard box.type == "traf" else { continue }
            var scale: UInt32?
            for part in MovieBox.list(in: file, box.content) {
                if part.type == "tfhd", let track: UInt32 = MovieBox.integer(in: file, at: part.content.lowerBound + 4)
                {
                    scale = timescales[track]
                }
                guard part.type == "tfdt" else { continue }
                guard let scale, file[part.content.lowerBound] == 1,
                    let start: UInt64 = MovieBox.integer(in: file, at: part.content.lowerBound + 4)
                else { throw ClipError(description: "a tfdt is not 64 bits wide or its track has no timescale") }
                times.append(
                    DecodeTime(
                        offset: part.content.lowerBound + 4 - base,
                        start: start,
                        perLoop: UInt64(scale) * UInt64(secondsPerLoop)
                    )
                )
            }
        }
        guard let sequenceOffset, times.count == timescales.count else {
            throw ClipError(description: "a fragment lacks its sequence number or the decode time of a track")
        }
        return Fragment(
            bytes: Array(file[base..<mdat.range.upperBound]),
            sequenceOffset: sequenceOffset,
            decodeTimes: times
        )
    }

    /// From `avcC` (RFC 6381 3.3); audio is always AAC-LC.
    private static func codecs(_ initialization: [UInt8]) throws(ClipError) -> String {
        let name = Array("avcC".utf8)
        let last = initialization.count - 8
        guard last > 0, let at = (0..<last).first(where: { initialization[$0..<$0 + 4].elementsEqual(name) }) else {
            throw ClipError(description: "no avcC box")
        }
        return "avc1.\(Digest.hexadecimal(Array(initialization[at + 5..<at + 8])).uppercased()),mp4a.40.2"
    }
}

package enum ClipProfile: String, CaseIterable, Sendable {
    case high = "360p"
    case low = "180p"

    var width: Int { self == .high ? 640 : 320 }
    var height: Int { self == .high ? 360 : 180 }

    static let frameRate = 24
}

struct ClipLibrary: Sendable {
    private let live: [ClipFile]
    private let ad: [ClipFile]

    var exchanged: ClipLibrary { ClipLibrary(live: ad, ad: live) }

    func live(_ profile: ClipProfile) -> ClipFile { live[profile == .high ? 0 : 1] }

    func ad(_ profile: ClipProfile) -> ClipFile { ad[profile == .high ? 0 : 1] }

    private static func read(_ name: String) throws -> ClipFile {
        guard let file = Bundle.module.url(forResource: name, withExtension: "mp4", subdirectory: "Media") else {
            throw ClipError(description: "\(name).mp4 is missing from the resources")
        }
        return try ClipFile(parsing: Array(Data(contentsOf: file)))
    }
}

extension ClipLibrary {
    init() throws {
        live = try ClipProfile.allCases.map { try Self.read("live-\($0.rawValue)") }
        ad = try ClipProfile.allCases.map { try Self.read("ad-\($0.rawValue)") }
    }
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
