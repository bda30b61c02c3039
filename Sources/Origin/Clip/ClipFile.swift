import Values

/// Defect of the shipped media, never of a request.
struct ClipError: Error, CustomStringConvertible {
    let description: String
}

/// An eight-second fragmented MP4 clip, cut into fragments of equal length, that loops forever.
///
/// Audio and video of a clip are exactly `secondsPerLoop` long, so that a fragment of a later round differs from the stored one
/// only in its decode times (`tfdt`, ISO/IEC 14496-12 8.8.12) and its sequence number (`mfhd`, 8.8.5).
struct ClipFile: Sendable {
    /// Location of a field in a fragment and its increment per round.
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
    /// RFC 6381 strings of the tracks, as in CODECS.
    let codecs: String
    /// Fragments in a second; 1 for a whole clip.
    let piecesPerSecond: Int
}

extension ClipFile {
    /// Parses a clip made by `make-media.sh`; throws if its fragments cannot loop exactly.
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
        self.initialization = initialization
        self.fragments = fragments
        codecs = try Self.codecs(initialization)
        piecesPerSecond = 1
    }

    /// Appends the fragments of a second of the timeline, with their decode times and numbers on it.
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

    /// Bytes of the longest and of all runs of `seconds` that start at a multiple of `seconds`.
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

extension ClipFile {
    /// Ticks per second by track id, from `tkhd` and `mdhd`.
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

    /// The AVC string contains profile, constraints and level from `avcC` (RFC 6381 3.3); the audio is always AAC-LC.
    private static func codecs(_ initialization: [UInt8]) throws(ClipError) -> String {
        let name = Array("avcC".utf8)
        let last = initialization.count - 8
        guard last > 0, let at = (0..<last).first(where: { initialization[$0..<$0 + 4].elementsEqual(name) }) else {
            throw ClipError(description: "no avcC box")
        }
        return "avc1.\(Digest.hexadecimal(Array(initialization[at + 5..<at + 8])).uppercased()),mp4a.40.2"
    }
}
