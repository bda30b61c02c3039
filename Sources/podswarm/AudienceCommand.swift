import AdServing
import ArgumentParser
import Rehearsal
import Tools
import Values

/// `podswarm audience`: derives an audience from the access logs of a channel.
struct AudienceCommand: ParsableCommand {
    static let configuration = CommandConfiguration("audience")

    @Argument(help: "A log, or - for standard input; may be repeated.")
    var log: [String]

    @Option("file", "Where the audience goes; standard output if left out.")
    var output: String?

    @Flag(help: "Write JSON with all figures instead of YAML for a profile.")
    var json = false

    @Option(help: "How the logs are written; recognised by the first lines of each if left out.")
    var format: LogFormat?

    @Option(
        "role=name",
        "A field of a log of your own, such as url=message.target; may be repeated. Roles: "
            + FieldRole.allCases.map(\.rawValue).joined(separator: ", ") + "."
    )
    var field: [String] = []

    @Option("instant", "Leave out what was asked before.")
    var from: String?

    @Option("instant", "Leave out what was asked from then on.")
    var to: String?

    @Option("duration", "Silence after which a viewer has left: ten target durations of 6 s. (default: 60s)")
    var gap: String?

    @Option("path", "Playlists and segments of the channel, such as /live/sports/*; may be repeated. All if left out.")
    var channel: [String] = []

    @Option("path", "What else ads are asked by, such as /decision/*/list; may be repeated.")
    var adPath: [String] = []

    @Option("name", "A parameter that is one viewer's session; may be repeated.")
    var session: [String] = []

    @Option(
        "path",
        "Pieces of a path of which the last with a * is one viewer's session, such as /s/*; may be repeated."
    )
    var sessionPath: [String] = []

    @Option(
        "name",
        "A cookie that is one viewer's session; may be repeated. Cookies with \"session\" in their names if left out."
    )
    var sessionCookie: [String] = []

    @Option(
        "name",
        "A parameter that does not identify a session, such as a stream_id of the channel; may be repeated."
    )
    var notSession: [String] = []

    @Option(help: "What plays in browsers, which cannot be told apart by their User-Agent: hlsjs, shaka or vhs.")
    var browserPlayer = BrowserPlayer.hlsjs

    func run() throws {
        let figures = try figures(of: log)
        let place = output ?? OutputPlace.standardOutput
        let text = AudienceText(figures)
        if json {
            try OutputPlace.write(OutputPlace.rendered(place) { try figures.json() }, to: place)
        } else {
            try OutputPlace.write(text.yaml(), to: place)
        }
        guard place != OutputPlace.standardOutput else { return }
        StandardStream.output.write("\(text.summary(width: StandardStream.output.width))\n\(place)\n")
    }

    /// Errors name the option or the file; notes go to standard error; `-` is standard input.
    private func figures(of logs: [String]) throws(CommandFailure) -> AudienceFigures {
        guard logs.count(where: { $0 == "-" }) <= 1 else {
            throw CommandFailure("- stands more than once: standard input can be read once")
        }
        let options = try options()
        let figures = try CommandFailure.telling { try AudienceLogReader(options).read(logs) }
        let read = figures.read
        if !read.meaninglessPlaces.isEmpty {
            let places = read.meaninglessPlaces.joined(separator: ", ")
            RunOutput.tell("\(read.meaningless) of \(read.lines) lines mean nothing; the first: \(places)")
        }
        return figures
    }

    private func options() throws(CommandFailure) -> AudienceLogOptions {
        var options = AudienceLogOptions()
        options.format = format
        for text in field { options.fields.append(try Self.field(text)) }
        options.from = try from.map { text throws(CommandFailure) in try WallTime(text, option: "--from") }
        options.to = try to.map { text throws(CommandFailure) in try WallTime(text, option: "--to") }
        if let from = options.from, let to = options.to, to <= from { throw CommandFailure("--to is not after --from") }
        if let gap {
            guard let duration = Duration(text: gap), duration >= .seconds(1), duration <= AudienceLogOptions.longestGap
            else { throw CommandFailure("--gap \(gap): a duration such as 30s or 2m, from 1s to 1h") }
            options.gap = duration
        }
        options.channelPaths = try Self.paths(channel, of: "--channel")
        options.adPaths = try Self.paths(adPath, of: "--ad-path")
        options.sessionPaths = try Self.paths(sessionPath, of: "--session-path")
        if let path = sessionPath.first(where: { !$0.contains("*") }) {
            throw CommandFailure("--session-path \(path): a * stands for the session, as in /s/*")
        }
        options.sessionParameters = session
        options.sessionCookies = sessionCookie
        options.notSessions = notSession
        options.browserPlayer = browserPlayer.rawValue
        return options
    }

    private static func field(_ text: String) throws(CommandFailure) -> (role: FieldRole, name: String) {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2, let role = FieldRole(rawValue: parts[0]) else {
            throw CommandFailure("--field \(text): a role and a name, such as url=message.target")
        }
        return (role, parts[1])
    }

    private static func paths(_ texts: [String], of option: String) throws(CommandFailure) -> [PathPattern] {
        try texts.map { text throws(CommandFailure) in
            if let path = PathPattern(text) { return path }
            throw CommandFailure("\(option) \(text): pieces of a path, such as /live/*/audio")
        }
    }
}

extension LogFormat: ExpressibleByArgument {}

/// A User-Agent tells the browser, not the player in it.
enum BrowserPlayer: String, CaseIterable, ExpressibleByArgument {
    case hlsjs
    case shaka
    case vhs
}
