import Foundation
import TestSupport

/// An origin's channel behind nginx, which writes down what each player asks for, and when.
///
/// Every player has a port of its own, all see the same channel at the same time, and the clock is one that none of them has.
struct ObservedChannel: Sendable {
    enum Trouble: String, CaseIterable, Sendable {
        /// Live playlists stay as the first player got them.
        case frozen
        /// Everything is answered with 503.
        case failing
        /// Connections are closed without an answer.
        case silent
    }

    private let folder: TemporaryFolder
    private let ports: [WatchingPlayer: LoopbackPort]

    /// Serves a channel of one variant to a body, so that no player chooses, and stops all that was started.
    static func serving<Result: Sendable>(
        _ arguments: [String] = [],
        plan: String? = nil,
        _ body: (ObservedChannel) async throws -> Result
    ) async throws -> Result {
        let folder = try TemporaryFolder()
        var options = ["--set", "target.embedded.variants=1", "--set", "breaks=none"] + arguments
        if let plan { options += ["--set", "target.embedded.channel=\(try folder.write(plan, to: "channel.yaml"))"] }
        let script = PackageFolder.file("Tests/Browser/play_hls.py").path
        _ = try await ExternalTool.python.run([script, "--prepare", folder.path]).succeeded()
        return try await RunningOrigin.serving(options) { origin in
            let channel = try ObservedChannel(folder)
            let ports = WatchingPlayer.allCases.compactMap { channel.ports[$0] }
            let server = try Nginx.start(channel.settings(before: origin.url), in: folder, at: ports)
            return try await server.stopped { try await body(channel) }
        }
    }

    private init(_ folder: TemporaryFolder) throws {
        self.folder = folder
        ports = try Dictionary(uniqueKeysWithValues: WatchingPlayer.allCases.map { ($0, try LoopbackPort()) })
    }

    private func settings(before origin: String) -> String {
        let listeners = ports.values.map { "listen 127.0.0.1:\($0.number);" }.joined(separator: " ")
        return """
            log_format timed '$msec $request_time $server_port $status $request_uri';
            access_log \(folder.path)/access.log timed;
            types { text/html html; text/javascript js; }
            keepalive_timeout 300s; keepalive_requests 100000;
            proxy_cache_path \(folder.path)/cache keys_zone=frozen:1m;
            proxy_http_version 1.1;
            upstream origin { server \(origin.replacing("http://", with: "")); keepalive 16; }
            server {
                \(listeners)
                location = /control { return 204; }
                location /player/ { alias \(folder.path)/; }
                location / {
                    if (-f \(folder.path)/failing) { return 503; }
                    if (-f \(folder.path)/silent) { return 444; }
                    set $live 1;
                    if (-f \(folder.path)/frozen) { set $live ''; }
                    if ($uri !~ /media.m3u8$) { set $live 1; }
                    proxy_cache frozen; proxy_cache_key $uri; proxy_cache_valid 200 10m;
                    proxy_ignore_headers Cache-Control Expires;
                    proxy_cache_bypass $live; proxy_no_cache $live;
                    proxy_set_header Connection ""; proxy_set_header Host $http_host;
                    proxy_pass http://origin;
                }
            }
            """
    }

    // MARK: Players

    /// Starts players, and stops them when the body is done.
    func watched<Result: Sendable>(
        by players: [WatchingPlayer],
        _ body: ([WatchingPlayer: ChildProcess]) async throws -> Result
    ) async throws -> Result {
        var running: [WatchingPlayer: ChildProcess] = [:]
        do {
            for player in players {
                guard let port = ports[player] else { continue }
                running[player] = try player.start("http://127.0.0.1:\(port.number)", in: folder)
            }
            let result = try await body(running)
            for child in running.values { await child.stop() }
            return result
        } catch {
            for child in running.values { await child.stop() }
            throw error
        }
    }

    /// Lays a trouble on the channel, or takes all away.
    func suffer(_ trouble: Trouble?) throws {
        for other in Trouble.allCases where other != trouble {
            try? FileManager.default.removeItem(at: folder.file(other.rawValue))
        }
        if let trouble { try folder.write("", to: trouble.rawValue) }
    }

    // MARK: What was asked for

    private var log: [ObservedRequest] {
        let text = (try? String(contentsOf: folder.file("access.log"), encoding: .utf8)) ?? ""
        // The last line may be half written.
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().compactMap(ObservedRequest.init)
    }

    func requests(of player: WatchingPlayer) -> ObservedRequests {
        let port = ports[player]?.number
        return ObservedRequests(log.filter { $0.port == port && $0.kind != .other }).fromTheStart
    }

    /// Stretches of time in which a timer of the player's page was late: the machine was busy with others, and what was late
    /// then says nothing of a player.
    func starvedStretches(by lateness: Duration) -> [ClosedRange<Double>] {
        let milliseconds = Int(lateness / .milliseconds(1))
        return log.filter { $0.path == "/control" && ($0.parameter("late").flatMap { Int($0) } ?? 0) > milliseconds }
            .map { $0.began - 1.1...$0.began + 0.1 }
    }

    /// Waits between polls of a player that began in a stretch of time, but for those on which the machine was too busy.
    func waits(of player: WatchingPlayer, in stretch: Range<Double>, passingOver first: Int = 0) -> [Double] {
        let polls = requests(of: player).polls.map(\.began).filter(stretch.contains)
        let starved = starvedStretches(by: .milliseconds(20))
        return zip(polls, polls.dropFirst()).dropFirst(first).compactMap { before, after in
            starved.contains { $0.overlaps(before...after) } ? nil : after - before
        }
    }
}

extension Double {
    /// Seconds of the epoch.
    static var now: Double { Date().timeIntervalSince1970 }
}

extension [Double] {
    /// The middle one; of none, nothing.
    var median: Double? { isEmpty ? nil : sorted()[count / 2] }
}
