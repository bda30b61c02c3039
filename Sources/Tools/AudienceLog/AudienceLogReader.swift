package import AdServing
import Glibc
package import Values

package struct AudienceLogReader {
    private static let mostPlaces = 5
    /// Lines at the start of a file without a recognised format.
    private static let mostUnknownLines = 16

    private let options: AudienceLogOptions

    package init(_ options: AudienceLogOptions = AudienceLogOptions()) { self.options = options }

    /// Files and lines in any order; `-` is standard input; fails for a file that is not a log, and without an audience.
    package func read(_ paths: [String]) throws(AudienceLogError) -> AudienceFigures {
        for path in paths where path != LogLines.standardInput {
            if case .folder = PathKind(of: path) { throw .unreadable(name: path, reason: "it is a folder") }
            guard access(path, R_OK) == 0 else {
                throw .unreadable(name: path, reason: String(cString: strerror(errno)))
            }
        }
        let names = FieldNames(adding: options.fields)
        var requests = AudienceRequests(options)
        requests.read.files = paths.count
        var notes: [String] = []
        for path in paths {
            let log = try LogLines(path)
            var (reader, line) = (LineReader(options.format, names), 0)
            while let text = try log.next() {
                line += 1
                switch reader.read(text) {
                case .request(let request): try requests.add(request)
                case .head: break
                case .meaningless:
                    requests.read.meaningless += 1
                    // Never the contents of a line.
                    if requests.read.meaningless <= Self.mostPlaces {
                        requests.read.meaninglessPlaces.append("\(log.name):\(line)")
                    }
                }
                if reader.unknownLines >= Self.mostUnknownLines, reader.format == nil { break }
            }
            guard reader.format != nil || reader.unknownLines == 0 else { throw .unknownFormat(name: log.name) }
            if !log.isWhole { notes.append("\(log.name) ends in the midst of what is packed in it.") }
            requests.read.lines += line
            requests.read.bytes += log.bytesRead
        }
        requests.sort()
        var figures = try AudienceReckoning(requests, options).figures
        figures.notes += notes
        return figures
    }
}

package struct AudienceLogOptions: Sendable {
    package static let longestGap = Duration.seconds(3600)
    /// Milliseconds on both sides of the first request must fit in 32 bits.
    static let longestDays = 23

    /// Nil: recognised for each file.
    package var format: LogFormat?
    package var fields: [(role: FieldRole, name: String)] = []
    /// A viewer without requests for longer has left; ten target durations of six seconds.
    package var gap = Duration.seconds(60)
    package var from: WallTime?
    /// Exclusive.
    package var to: WallTime?
    package var adPaths: [PathPattern] = []
    /// Empty: all belong to one channel.
    package var channelPaths: [PathPattern] = []
    /// Additional names.
    package var sessionParameters: [String] = []
    /// The last piece with a wildcard is a viewer's session.
    package var sessionPaths: [PathPattern] = []
    /// Empty: all with `session` in their names.
    package var sessionCookies: [String] = []
    /// Parameters that hold no viewer's session, such as a `stream_id` that names the channel.
    package var notSessions: [String] = []
    /// Persona of players in pages.
    package var browserPlayer = "hlsjs"
    /// 16 bytes each.
    package var mostRequests = 32_000_000

    package init() {}
}

/// Reason why logs give no audience.
package enum AudienceLogError: Error, Equatable, CustomStringConvertible, Sendable {
    case unreadable(name: String, reason: String)
    case unknownFormat(name: String)
    case nobodyWatches(String)
    /// Requests are further apart than an event may last.
    case tooLong(days: Int)
    /// Their viewers are so few that a sample of them would show little.
    case tooManyRequests

    package var description: String {
        let choice = "--from and --to choose the event"
        return switch self {
        case .unreadable(let name, let reason): "\(name): \(reason)"
        case .unknownFormat(let name):
            "\(name): its first lines are not of a known log format; --format names one, --field its fields"
        case .nobodyWatches(let reason): reason
        case .tooLong(let days):
            "the requests are \(days) days apart; \(choice), of at most \(AudienceLogOptions.longestDays) days"
        case .tooManyRequests: "there are more requests than are held in memory, and of few viewers; \(choice)"
        }
    }
}
