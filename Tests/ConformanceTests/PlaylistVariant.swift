import HLS
import Rules
import Testing

/// The playlists of a case, changed in one of its ways, and what it says of them.
struct PlaylistVariant {
    struct Finding: Comparable {
        /// Counted from 1; nil where the finding concerns no single line.
        let line: Int?
        let code: String
        /// Part of what was expected or observed.
        var text = ""

        static func < (one: Finding, other: Finding) -> Bool {
            (one.line ?? 0, one.code) < (other.line ?? 0, other.code)
        }
    }

    private var playlists: [[String]]
    private var options: [Substring: String] = [:]
    private(set) var findings: [Finding] = []

    /// The playlists with the lines of one mark: `=` in the sound variant, `+` in the other one.
    init(of one: PlaylistCase, adding mark: Character) throws {
        playlists = one.base
        for option in one.options { set(option) }
        var hunk: [String] = []
        var version = playlists.count - 1
        for line in one.lines.filter({ !$0.isEmpty }) + ["@@"] {
            guard line.hasPrefix("@@") else {
                hunk.append(line)
                continue
            }
            try apply(hunk, toVersion: version, adding: mark, of: one)
            hunk = []
            version = Int(line.dropFirst(3)).map { $0 - 1 } ?? playlists.count - 1
        }
    }

    private mutating func apply(_ hunk: [String], toVersion version: Int, adding mark: Character, of one: PlaylistCase)
        throws
    {
        var (old, new): ([String], [String]) = ([], [])
        var found: [Finding] = []
        for line in hunk {
            let text = String(line.dropFirst())
            switch line.first {
            case "@": set(line)
            case "^": found.append(finding(text, line: new.count))
            case "!": found.append(finding(text, line: nil))
            case " ":
                old.append(text)
                new.append(text)
            case "-": old.append(text)
            case mark where text.hasPrefix("@"): set(text)
            case mark: new.append(text)
            default: break
            }
        }
        let playlist = playlists[version]
        let places = playlist.indices.filter { playlist[$0...].starts(with: old) }
        try #require(old.isEmpty || places.count == 1, "\(one.testDescription): \(places.count) places for \(old)")
        let place = old.isEmpty ? 0 : places[0]
        playlists[version].replaceSubrange(place..<place + old.count, with: new)
        findings += found.map { Finding(line: $0.line.map { $0 + place }, code: $0.code, text: $0.text) }
    }

    /// Reads the code behind `^` or `!`, and the part of the report behind a colon.
    private func finding(_ mark: String, line: Int?) -> Finding {
        let halves = mark.dropFirst().split(separator: ": ", maxSplits: 1).map(String.init)
        return Finding(line: line, code: halves[0], text: halves.count == 2 ? halves[1] : "")
    }

    private mutating func set(_ option: String) {
        let name = option.dropFirst().prefix { $0 != " " }
        options[name] = String(option.dropFirst(name.count + 2))
    }

    /// Findings of one playlist, from a version to the next, or of a rendition beside another one.
    func violations() throws -> [Violation] {
        let bodies = playlists.map(bytes)
        guard bodies.count > 1 else {
            let imported = options["importing"].map { variables in
                let pairs = variables.split(separator: ",").map { $0.split(separator: "=").map(String.init) }
                return Dictionary(uniqueKeysWithValues: pairs.map { ($0[0], $0[1]) })
            }
            return bodies[0].withUnsafeBytes {
                PlaylistChecks.violations(in: $0, url: options["url"] ?? "", importing: imported)
            }
        }
        let read = try bodies.map { body in try #require(try media(body)) }
        if let kind = options["beside"] {
            let kinds: [String: RenditionKind] = ["variant": .variant, "audio": .audio, "key-frames": .keyFrames]
            let addresses = options["addresses"].map { $0.split(separator: " ").map(String.init) }
            let channel = options["channel"].map { $0.split(separator: " ").map(String.init) } ?? []
            return RenditionChecks.violations(
                of: read[1],
                as: try #require(kinds[kind]),
                beside: read[0],
                addresses: addresses.map { RenditionAddresses(own: $0[1], reference: $0[0], channel: channel) },
                comparesEnded: kind == "key-frames"
            )
        }
        let elapsed = options["elapsed"].map { $0 == "unknown" ? nil : Double($0) } ?? 2
        return VersionChecks.transition(from: read[0], to: read[1], elapsed: elapsed.map { .seconds($0) }).violations
    }

    private func media(_ body: [UInt8]) throws -> MediaPlaylist? {
        guard case .media(let playlist) = try body.withUnsafeBytes({ try Playlist.parse($0) }) else { return nil }
        return playlist
    }

    /// The text, with the bytes that are written as `{0xHH}`.
    private func bytes(_ lines: [String]) -> [UInt8] {
        let pieces = lines.joined(separator: "\n").split(separator: "{0x", omittingEmptySubsequences: false)
        return Array(pieces[0].utf8)
            + pieces.dropFirst().flatMap { [UInt8($0.prefix(2), radix: 16) ?? 0] + Array($0.dropFirst(3).utf8) }
    }
}
