import ArgumentParser
import HLS
import Viewer

struct ParseCommand: ParsableCommand {
    static let configuration = CommandConfiguration("parse")

    @OptionGroup var options: FigureOptions

    @Option(help: "Playlists in a round.")
    var repetitions = 100_000

    mutating func validate() throws { try require("--repetitions", repetitions, in: 1...Int.max) }

    func run() throws {
        // More versions than a reader keeps, so that each is new on its turn.
        let versions = (0..<64).map { Array(LivePlaylist.text(after: $0).utf8) }
        try options.measure("parse", ["repetitions": repetitions]) { round, document in
            document.add(round: round, cell: "text", .podswarm, try textFigures(versions))
            document.add(round: round, cell: "new", .podswarm, try figures(versions))
            document.add(round: round, cell: "equal", .podswarm, try figures(Array(versions.prefix(1))))
        }
    }

    private func figures(_ versions: [[UInt8]]) throws -> [Quantity: Double] {
        let reader = PlaylistReader(url: "http://127.0.0.1\(NginxServer.playlistPath)", viewers: 1)
        // Makes a single version known before the clock starts.
        var isGood = versions[0].withUnsafeBytes { reader.read($0, viewer: 0) }
        let start = ProcessClock.own
        for index in 1...repetitions {
            isGood = versions[index % versions.count].withUnsafeBytes { reader.read($0, viewer: 0) } && isGood
        }
        let nanoseconds = (ProcessClock.own - start) * 1000
        let wanted = versions.count == 1 ? 1 : repetitions + 1
        guard isGood, reader.parsed == wanted, reader.reloadNanoseconds > 0 else {
            throw BenchmarkError.unusable(
                program: "podswarm",
                reason: "\(reader.parsed) playlists were parsed and not \(wanted)"
            )
        }
        return perPlaylist(nanoseconds, versions)
    }

    private func textFigures(_ versions: [[UInt8]]) throws -> [Quantity: Double] {
        var segments = 0
        let start = ProcessClock.own
        for index in 1...repetitions {
            let playlist = try? versions[index % versions.count].withUnsafeBytes { body throws(PlaylistError) in
                try Playlist.parse(body)
            }
            guard case .media(let media)? = playlist else { continue }
            segments += media.segments.count
        }
        let nanoseconds = (ProcessClock.own - start) * 1000
        guard segments == repetitions * LivePlaylist.segments else {
            throw BenchmarkError.unusable(program: "podswarm", reason: "\(segments) segments were parsed")
        }
        return perPlaylist(nanoseconds, versions)
    }

    private func perPlaylist(_ nanoseconds: Double, _ versions: [[UInt8]]) -> [Quantity: Double] {
        let each = nanoseconds / Double(repetitions)
        return [.parseTime: each / 1000, .timePerKilobyte: each * 1000 / Double(versions[0].count)]
    }
}
