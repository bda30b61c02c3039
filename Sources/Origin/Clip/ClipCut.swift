enum ClipTracks: Hashable, Sendable {
    case all
    case video
    case audio

    /// `handler` as in ISO/IEC 14496-12 8.4.3.
    func contains(handler: String) -> Bool {
        switch self {
        case .all: true
        case .video: handler == "vide"
        case .audio: handler == "soun"
        }
    }
}

extension ClipFile {
    /// Each piece is a fragment with the samples that begin in its time.
    func cut(to tracks: ClipTracks, piecesPerSecond pieces: Int) throws(ClipError) -> ClipFile {
        guard tracks != .all || pieces != 1 else { return self }
        guard piecesPerSecond == 1, pieces > 0, ClipProfile.frameRate % pieces == 0 else {
            throw ClipError(description: "a second of \(ClipProfile.frameRate) frames has no \(pieces) equal pieces")
        }
        let header = try InitializationSection(parsing: initialization, keeping: tracks)
        var cut: [Fragment] = []
        for (second, fragment) in fragments.enumerated() {
            let parsed = try FragmentSamples(parsing: fragment).tracks.filter { header.tracks.contains($0.identifier) }
            for piece in 0..<pieces {
                let from = second * pieces + piece
                cut.append(FragmentSamples.write(parsed.map { $0.samples(ofPiece: from, piecesPerSecond: pieces) }))
            }
        }
        let kept = codecs.split(separator: ",").filter { name in
            tracks.contains(handler: name.hasPrefix("avc1") ? "vide" : "soun")
        }
        return ClipFile(
            initialization: header.bytes,
            fragments: cut,
            codecs: kept.joined(separator: ","),
            piecesPerSecond: pieces
        )
    }
}

private struct InitializationSection {
    let bytes: [UInt8]
    let tracks: Set<UInt32>

    init(parsing section: [UInt8], keeping wanted: ClipTracks) throws(ClipError) {
        var output: [UInt8] = []
        var kept: Set<UInt32> = []
        for box in MovieBox.list(in: section, 0..<section.count) {
            guard box.type == "moov" else {
                output += section[box.range]
                continue
            }
            var content: [UInt8] = []
            for part in MovieBox.list(in: section, box.content) {
                switch part.type {
                case "trak":
                    guard let track = Self.track(section, part) else {
                        throw ClipError(description: "a track without an identifier or a handler")
                    }
                    guard wanted.contains(handler: track.handler) else { continue }
                    kept.insert(track.identifier)
                    content += section[part.range]
                case "mvex":
                    var defaults: [UInt8] = []
                    for item in MovieBox.list(in: section, part.content) {
                        let track: UInt32? = MovieBox.integer(in: section, at: item.content.lowerBound + 4)
                        guard item.type != "trex" || track.map({ kept.contains($0) }) ?? false else { continue }
                        defaults += section[item.range]
                    }
                    content += MovieBox.bytes("mvex", defaults)
                default: content += section[part.range]
                }
            }
            output += MovieBox.bytes("moov", content)
        }
        guard !kept.isEmpty else { throw ClipError(description: "none of the wanted tracks") }
        bytes = output
        tracks = kept
    }

    private static func track(_ section: [UInt8], _ track: MovieBox) -> (identifier: UInt32, handler: String)? {
        var identifier: UInt32?
        for box in MovieBox.list(in: section, track.content) {
            if box.type == "tkhd" { identifier = MovieBox.integer(in: section, at: box.content.lowerBound + 12) }
            guard box.type == "mdia" else { continue }
            for part in MovieBox.list(in: section, box.content) where part.type == "hdlr" {
                let at = part.content.lowerBound + 8
                guard let identifier, at + 4 <= part.content.upperBound else { return nil }
                return (identifier, String(decoding: section[at..<at + 4], as: UTF8.self))
            }
        }
        return nil
    }
}

/// Reads only the form of `make-media.sh`: one run per track, sizes per sample, all else by default (ISO/IEC 14496-12 8.8.7 and
/// 8.8.8).
struct FragmentSamples {
    struct Track {
        let identifier: UInt32
        /// The `tfhd` box, with the defaults of all samples.
        let header: [UInt8]
        let sampleDuration: UInt64
        let perLoop: UInt64
        let start: UInt64
        /// Nil for the default flags.
        let firstFlags: UInt32?
        let samples: [ArraySlice<UInt8>]
    }

    let tracks: [Track]

    init(parsing fragment: ClipFile.Fragment) throws(ClipError) {
        let bytes = fragment.bytes
        guard let moof = MovieBox.list(in: bytes, 0..<bytes.count).first, moof.type == "moof" else {
            throw ClipError(description: "a fragment does not begin with a moof")
        }
        var tracks: [Track] = []
        for box in MovieBox.list(in: bytes, moof.content) where box.type == "traf" {
            guard fragment.decodeTimes.indices.contains(tracks.count) else {
                throw ClipError(description: "a track without a decode time")
            }
            tracks.append(try Self.track(bytes, box, fragment.decodeTimes[tracks.count]))
        }
        self.tracks = tracks
    }

    private static func track(
        _ bytes: [UInt8],
        _ traf: MovieBox,
        _ time: ClipFile.DecodeTime
    ) throws(ClipError) -> Track {
        let boxes = MovieBox.list(in: bytes, traf.content)
        // Default duration, size and flags are present; offsets count from the moof.
        guard let header = boxes.first(where: { $0.type == "tfhd" }),
            let headerFlags: UInt32 = MovieBox.integer(in: bytes, at: header.content.lowerBound),
            headerFlags == 0x02_0038,
            let identifier: UInt32 = MovieBox.integer(in: bytes, at: header.content.lowerBound + 4),
            let duration: UInt32 = MovieBox.integer(in: bytes, at: header.content.lowerBound + 8),
            boxes.count(where: { $0.type == "trun" }) == 1, let run = boxes.first(where: { $0.type == "trun" }),
            let flags: UInt32 = MovieBox.integer(in: bytes, at: run.content.lowerBound), flags & ~0x004 == 0x201,
            let count: UInt32 = MovieBox.integer(in: bytes, at: run.content.lowerBound + 4),
            let dataOffset: UInt32 = MovieBox.integer(in: bytes, at: run.content.lowerBound + 8)
        else { throw ClipError(description: "a track fragment is not written in the way that is read here") }
        var at = run.content.lowerBound + 12
        var firstFlags: UInt32?
        if flags & 0x004 != 0 {
            firstFlags = MovieBox.integer(in: bytes, at: at)
            at += 4
        }
        var samples: [ArraySlice<UInt8>] = []
        var data = Int(dataOffset)
        for _ in 0..<count {
            guard let size: UInt32 = MovieBox.integer(in: bytes, at: at), data + Int(size) <= bytes.count else {
                throw ClipError(description: "a sample lies outside of its fragment")
            }
            samples.append(bytes[data..<data + Int(size)])
            data += Int(size)
            at += 4
        }
        return Track(
            identifier: identifier,
            header: Array(bytes[header.range]),
            sampleDuration: UInt64(duration),
            perLoop: time.perLoop,
            start: time.start,
            firstFlags: firstFlags,
            samples: samples
        )
    }

    static func write(_ tracks: [Track]) -> ClipFile.Fragment {
        // Headers of moof, mdat and mfhd, then of each traf, tfdt and trun.
        var dataOffset = tracks.reduce(8 + 16 + 8) { size, track in
            let sizes = track.samples.count + (track.firstFlags == nil ? 0 : 1)
            return size + 8 + track.header.count + 20 + 20 + 4 * sizes
        }
        var content = MovieBox.bytes("mfhd", [0, 0, 0, 0, 0, 0, 0, 0])
        var times: [ClipFile.DecodeTime] = []
        for track in tracks {
            times.append(
                ClipFile.DecodeTime(
                    // Beyond the headers of moof, traf and tfdt, and its version.
                    offset: 8 + content.count + 8 + track.header.count + 12,
                    start: track.start,
                    perLoop: track.perLoop
                )
            )
            var run: [UInt8] = []
            run += UInt32(0x201 | (track.firstFlags == nil ? 0 : 0x004)).bigEndianBytes
            run += UInt32(track.samples.count).bigEndianBytes
            run += UInt32(dataOffset).bigEndianBytes
            if let flags = track.firstFlags { run += flags.bigEndianBytes }
            for sample in track.samples {
                run += UInt32(sample.count).bigEndianBytes
                dataOffset += sample.count
            }
            let time: [UInt8] = [1, 0, 0, 0] + track.start.bigEndianBytes
            content += MovieBox.bytes("traf", track.header + MovieBox.bytes("tfdt", time) + MovieBox.bytes("trun", run))
        }
        let data = tracks.flatMap { $0.samples.joined() }
        return ClipFile.Fragment(
            bytes: MovieBox.bytes("moof", content) + MovieBox.bytes("mdat", data),
            sequenceOffset: 20,
            decodeTimes: times
        )
    }
}

extension FragmentSamples.Track {
    /// `piece` counts from the clip's start; a second's first one also has earlier samples of its fragment.
    func samples(ofPiece piece: Int, piecesPerSecond pieces: Int) -> FragmentSamples.Track {
        let timescale = perLoop / UInt64(ClipFile.secondsPerLoop)
        let isFirst = piece % pieces == 0
        let isLast = piece % pieces == pieces - 1
        let from = isFirst ? 0 : UInt64(piece) * timescale / UInt64(pieces)
        let to = isLast ? UInt64.max : UInt64(piece + 1) * timescale / UInt64(pieces)
        let chosen = samples.indices.filter { place in
            let time = start + UInt64(place) * sampleDuration
            return time >= from && time < to
        }
        let first = chosen.first ?? 0
        return FragmentSamples.Track(
            identifier: identifier,
            header: header,
            sampleDuration: sampleDuration,
            perLoop: perLoop,
            start: start + UInt64(first) * sampleDuration,
            firstFlags: first == 0 ? firstFlags : nil,
            samples: chosen.map { samples[$0] }
        )
    }
}
