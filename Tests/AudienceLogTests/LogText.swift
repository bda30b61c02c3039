import Foundation
import TestSupport
import Values

@testable import Tools

enum LogText {
    static let start = WallTime(microseconds: 1_795_464_000_000_000)

    static func figures(_ text: String, _ change: (inout AudienceLogOptions) -> Void = { _ in }) throws
        -> AudienceFigures
    { try figures([Data(text.utf8)], change) }

    /// How a reading gets at a log's bytes.
    enum Way {
        case files
        case pipes
    }

    static func figures(
        _ files: [Data],
        through way: Way = .files,
        _ change: (inout AudienceLogOptions) -> Void = { _ in }
    ) throws -> AudienceFigures {
        let folder = try TemporaryFolder()
        var paths = try files.enumerated().map { try folder.write($1, to: "\($0).log") }
        var writers: [Process] = []
        defer { for writer in writers where writer.isRunning { writer.terminate() } }
        if way == .pipes {
            writers = try paths.map { path in
                guard mkfifo(path + ".pipe", 0o600) == 0 else { throw POSIXError(.EIO) }
                let script = #"exec cat "$0" > "$0.pipe""#
                return try Process.run(URL(fileURLWithPath: "/bin/sh"), arguments: ["-c", script, path])
            }
            paths = paths.map { $0 + ".pipe" }
        }
        var options = AudienceLogOptions()
        change(&options)
        return try AudienceLogReader(options).read(paths)
    }

    /// The request of a line as a reader finds it, in lines of text.
    static func told(_ line: Substring, by reader: inout LineReader) -> [String] {
        guard case .request(let request) = reader.read(Array(line.utf8)[...]) else { return ["no request"] }
        let time = WallTime(microseconds: request.milliseconds * 1000).iso8601
        let target = [request.path.text, request.query.text].filter { !$0.isEmpty }
        let others = [
            ("address", request.address), ("agent", request[.userAgent]), ("cookie", request[.cookie]),
            ("CMCD", request[.cmcd]),
        ]
        return [([time, request.isGet ? "get" : "other"] + target).joined(separator: " ")]
            + others.filter { !$1.isEmpty }.map { "  \($0) \($1.text)" }
    }

    /// Requests of each viewer every two seconds, the first of each so many milliseconds after that of the one before.
    static func polls(_ polls: Int, by viewers: Int, apart: Int, line: (_ viewer: Int, _ at: Int) -> String) -> String {
        (0..<viewers * polls).map { line($0 / polls, $0 / polls * apart + $0 % polls * 2000) }.joined()
    }

    /// A line of nginx's combined format, with milliseconds behind it where they are wanted.
    static func combined(
        _ milliseconds: Int,
        _ address: String,
        _ target: String,
        _ userAgent: String,
        milliseconds writesMilliseconds: Bool = true
    ) -> String {
        let instant = start.microseconds / 1000 + Int64(milliseconds)
        let iso = WallTime(microseconds: instant / 1000 * 1_000_000).iso8601
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let parts = iso.split { "-T.".contains($0) }.map(String.init)
        let stamp = "\(parts[2])/\(months[(Int(parts[1]) ?? 1) - 1])/\(parts[0]):\(parts[3]) +0000"
        let fraction = String(1000 + instant % 1000).dropFirst()
        let rest = writesMilliseconds ? " \(instant / 1000).\(fraction) 0.003" : ""
        return #"\#(address) - - [\#(stamp)] "GET \#(target) HTTP/1.1" 200 812 "-" "\#(userAgent)"\#(rest)"# + "\n"
    }
}
