import AdServing
import Breaks
import Destinations
import EventLoop
import LoadProfile
import Players
import Rulebook
import Time
import Transport

@testable import Audience
@testable import Swarm
@testable import Viewer

/// What one player sends to the scripted channel from its join on.
struct WireTrace: Sendable {
    struct Line: Sendable, Equatable {
        /// From the join, on the fake clock.
        var milliseconds: Int64
        var method: String
        var kind: RequestKind
        var path: String
        /// Names and values, what is a session's own replaced by a name in braces.
        var query: [String]
        /// How it ended, where that was no success.
        var ending: String

        /// Path and query.
        var shape: String { query.isEmpty ? path : "\(path)?\(query.joined(separator: "&"))" }

        var text: String {
            let offset = String(milliseconds)
            let kind = self.kind.name
            return String(repeating: " ", count: max(7 - offset.count, 0)) + offset
                + "  \(method)\(method.count == 3 ? " " : "")  "
                + kind + String(repeating: " ", count: max(14 - kind.count, 0)) + "  " + shape
                + (ending.isEmpty ? "" : "  -> \(ending)")
        }
    }

    /// The programme of the script, and the breaks in it, are over by then.
    static let lastMilliseconds: Int64 = 112_000

    var persona: Persona
    var script: WireChannel.Script
    var lines: [Line] = []

    /// The file that pins it.
    var text: String {
        "# \(persona.name), \(script.rawValue) channel: ms from the join, method, kind, URL, how it ended if not with 200\n"
            + lines.map { $0.text + "\n" }.joined()
    }

    static func path(of url: String) -> (path: String, query: [String]) {
        let rest = url.hasPrefix(WireChannel.host) ? String(url.dropFirst(WireChannel.host.count)) : url
        let parts = rest.split(separator: "?", maxSplits: 1).map(String.init)
        return (parts.first ?? "", parts.count < 2 ? [] : parts[1].split(separator: "&").map(String.init))
    }

    // MARK: Recording

    /// Each player alone before the channel, with the same number and seed, so that the same chance meets all.
    static func recorded(_ all: [KnownPersona] = KnownPersona.all, _ script: WireChannel.Script) -> [WireTrace] {
        all.map { record($0.persona, script) }
    }

    private static func record(_ persona: Persona, _ script: WireChannel.Script) -> WireTrace {
        let plan = LoadPlan.forTests {
            $0.duration = .milliseconds(lastMilliseconds)
            $0.audience.personas = [PersonaShare(persona, share: 1)]
            $0.breaks.source = .none
            $0.breaks.playsInterstitials = true
            $0.playback.segments = .all
            $0.playback.pollsMetadata = false
            // Longer than any persona waits: without a deadline of its own a request ends with its answer.
            ($0.connection.firstByteTimeout, $0.connection.totalTimeout) = (.seconds(600), .seconds(600))
        }
        let (clock, target) = (VirtualClock(), WireTarget(WireChannel(script: script)))
        let crowd = self.crowd(plan, clock, target)
        defer { crowd.transport.shutDown {} }
        var trace = WireTrace(persona: persona, script: script)
        clock.run(until: VirtualClock.start.later(by: .milliseconds(lastMilliseconds)) &+ 1)
        let primaryID = crowd.viewers[0].machine.facts.primaryID
        trace.lines = target.sent.map { sent in
            let url = path(of: sent.request.url.replacing(primaryID, with: "{primary_id}"))
            return Line(
                milliseconds: sent.milliseconds,
                method: sent.request.method == .get ? "GET" : "POST",
                kind: sent.role.kind,
                path: url.path,
                query: url.query,
                ending: sent.ending
            )
        }
        return trace
    }

    private static func crowd(_ plan: LoadPlan, _ clock: VirtualClock, _ target: WireTarget) -> Crowd {
        let timebase = Timebase(start: clock.now, wallStart: ScriptedCrowd.wallStart)
        let endpoints = TargetEndpoints(
            contentURL: "\(WireChannel.host)/live/main/multivariant.m3u8",
            adServers: [WireChannel.host],
            session: plan.session,
            identifiesViewers: false
        )
        let setup = CrowdSetup(
            loadPlan: plan,
            viewerPlan: ViewerPlan(plan, endpoints: endpoints, timebase: timebase),
            endpoints: endpoints,
            authorisedHosts: AuthorisedHosts(),
            joins: [.init(number: 0, at: clock.now)],
            firstReplacement: 1,
            replacementStride: 1
        )
        return VirtualTransport.crowd(setup, clock: clock, target, VirtualNetwork(latency: .zero))
    }
}

/// The scripted channel, which keeps what it was asked for.
private final class WireTarget: VirtualTarget {
    /// One request as it left.
    struct Sent {
        var milliseconds: Int64
        var request: PreparedRequest
        var role: ViewerRole
        /// What comes instead of a success; empty for a success.
        var ending: String
    }

    private let channel: WireChannel
    private(set) var sent: [Sent] = []

    init(_ channel: WireChannel) { self.channel = channel }

    func answer(_ request: VirtualRequest, at now: WallTime) -> any VirtualAnswer {
        let milliseconds = (now.microseconds - ScriptedCrowd.wallStart.microseconds) / 1_000
        let url = request.request.url
        let answer = channel.answer(to: WireTrace.path(of: url).path, at: milliseconds)
        let timeout = request.timeout / 1_000_000
        let ending =
            answer.milliseconds > timeout
            ? "no answer in \(timeout) ms" : answer.status == 200 ? "" : String(answer.status)
        sent.append(Sent(milliseconds: milliseconds, request: request.request, role: request.role, ending: ending))
        let releasedAt = now + .milliseconds(answer.milliseconds)
        return ScriptedAnswer(status: answer.status, body: answer.body, url: url, releasedAt: releasedAt)
    }
}
