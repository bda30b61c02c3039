import AdServing
package import ArgumentParser
package import Tools
import Values

/// Options of `podswarm audience` for reading logs.
package struct AudienceReadingOptions: ParsableArguments {
    @Option(help: "How the logs are written; recognised by the first lines of each if left out.")
    package var format: LogFormat?

    @Option(
        help: .value(
            "role=name",
            "A field of a log of your own, such as url=message.target; may be repeated. Roles: "
                + FieldRole.allCases.map(\.name).joined(separator: ", ") + "."
        )
    )
    package var field: [String] = []

    @Option(help: .value("instant", "Leave out what was asked before."))
    package var from: String?

    @Option(help: .value("instant", "Leave out what was asked from then on."))
    package var to: String?

    @Option(
        help: .value(
            "duration",
            "Whoever asks for nothing for longer has left: ten target durations of 6 s. (default: 60s)"
        )
    )
    package var gap: String?

    @Option(
        help: .value(
            "path",
            "Playlists and segments of the channel, such as /live/sports/*; may be repeated. All if left out."
        )
    )
    package var channel: [String] = []

    @Option(help: .value("path", "What else ads are asked by, such as /decision/*/list; may be repeated."))
    package var adPath: [String] = []

    @Option(help: .value("name", "A parameter that is one viewer's session; may be repeated."))
    package var session: [String] = []

    @Option(
        help: .value(
            "path",
            "Pieces of a path of which the last with a * is one viewer's session, such as /s/*; may be repeated."
        )
    )
    package var sessionPath: [String] = []

    @Option(
        help: .value(
            "name",
            "A cookie that is one viewer's session; may be repeated. Those with \"session\" in their names if left out."
        )
    )
    package var sessionCookie: [String] = []

    @Option(
        help: .value(
            "name",
            "A parameter that is no session, whatever its name, such as a stream_id of the channel; may be repeated."
        )
    )
    package var notSession: [String] = []

    @Option(help: "What plays in browsers, which cannot be told apart by their User-Agent: hlsjs, shaka or vhs.")
    package var browserPlayer = BrowserPlayer.hlsjs

    package init() {}

    /// Reads logs; prints progress and a note about invalid lines on standard error.
    ///
    /// Errors name the option or the file. `-` stands for standard input.
    package func figures(of logs: [String]) throws(CommandFailure) -> AudienceFigures {
        guard logs.count(where: { $0 == "-" }) <= 1 else {
            throw CommandFailure(.badInput, "- stands more than once: standard input can be read once")
        }
        let options = try options()
        var progress = AudienceProgress()
        let figures: AudienceFigures
        do throws(AudienceLogError) {
            figures = try AudienceLogReader(options).read(logs) { progress.show($0) }
            progress.end()
        } catch {
            progress.end()
            throw CommandFailure(.badInput, error.message)
        }
        let read = figures.read
        if !read.meaninglessPlaces.isEmpty {
            let places = read.meaninglessPlaces.joined(separator: ", ")
            RunOutput.tell("\(read.meaningless) of \(read.lines) lines mean nothing; the first: \(places)")
        }
        return figures
    }

    /// Validated options; an error names the option.
    func options() throws(CommandFailure) -> AudienceLogOptions {
        var options = AudienceLogOptions()
        options.format = format
        for text in field { options.fields.append(try Self.field(text)) }
        options.from = try from.map { text throws(CommandFailure) in try Self.instant(text, of: "--from") }
        options.to = try to.map { text throws(CommandFailure) in try Self.instant(text, of: "--to") }
        if let from = options.from, let to = options.to, to <= from {
            throw CommandFailure(.badInput, "--to is not after --from")
        }
        if let gap {
            guard let duration = Duration(text: gap), duration >= .seconds(1), duration <= AudienceLogOptions.longestGap
            else {
                throw CommandFailure(.badInput, "--gap \(gap): a duration such as 30s or 2m, from 1s to 1h")
            }
            options.gap = duration
        }
        options.channelPaths = try Self.paths(channel, of: "--channel")
        options.adPaths = try Self.paths(adPath, of: "--ad-path")
        options.sessionPaths = try Self.paths(sessionPath, of: "--session-path")
        if let path = sessionPath.first(where: { !$0.contains("*") }) {
            throw CommandFailure(.badInput, "--session-path \(path): a * stands for the session, as in /s/*")
        }
        options.sessionParameters = session
        options.sessionCookies = sessionCookie
        options.notSessions = notSession
        options.browserPlayer = browserPlayer.rawValue
        return options
    }

    private static func field(_ text: String) throws(CommandFailure) -> (role: FieldRole, name: String) {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2, let role = FieldRole(name: parts[0]) else {
            throw CommandFailure(.badInput, "--field \(text): a role and a name, such as url=message.target")
        }
        return (role, parts[1])
    }

    private static func instant(_ text: String, of option: String) throws(CommandFailure) -> WallTime {
        guard let instant = WallTime(iso8601: text) else {
            throw CommandFailure(.badInput, "\(option) \(text): a date and time such as 2026-11-23T20:00:00Z")
        }
        return instant
    }

    private static func paths(_ texts: [String], of option: String) throws(CommandFailure) -> [PathPattern] {
        var paths: [PathPattern] = []
        for text in texts {
            guard let path = PathPattern(text) else {
                throw CommandFailure(.badInput, "\(option) \(text): pieces of a path, such as /live/*/audio")
            }
            paths.append(path)
        }
        return paths
    }
}

extension LogFormat: ExpressibleByArgument {}

/// Player assumed in a browser, because a User-Agent tells only the browser.
package enum BrowserPlayer: String, CaseIterable, ExpressibleByArgument {
    case hlsjs
    case shaka
    case vhs
}
