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
    /// When the playhead went into a break.
    var starts: [Int64] = []

    func lines(_ kinds: RequestKind...) -> [Line] { lines.filter { kinds.contains($0.kind) } }

    func lines(to path: String) -> [Line] { lines.filter { $0.path == path } }

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

    static func recorded(_ known: KnownPersona, _ script: WireChannel.Script) async throws -> WireTrace {
        try await recorded([known], script)[0]
    }

    /// Each player alone before the channel, with the same number and seed, so that the same chance meets all.
    static func recorded(_ all: [KnownPersona], _ script: WireChannel.Script) async throws -> [WireTrace] {
        let box = Recorded()
        try await ScriptedCrowd.onLoop { loop in
            for known in all { box.traces.append(try record(known.persona, script, loop: loop)) }
        }
        return box.traces
    }

    /// Filled on one loop, and read when that is over.
    private final class Recorded: @unchecked Sendable {
        var traces: [WireTrace] = []
    }

    private static func record(_ persona: Persona, _ script: WireChannel.Script, loop: EventLoop) throws -> WireTrace {
        let plan = LoadPlan.forTests {
            $0.duration = .milliseconds(lastMilliseconds)
            $0.audience.personas = [PersonaShare(persona, share: 1)]
            $0.breaks.source = .none
            $0.breaks.playsInterstitials = true
            $0.playback.segments = .all
            $0.playback.pollsMetadata = false
        }
        // Nothing may fire by itself: the run begins in an hour.
        let origin = MonotonicClock.now().later(by: .seconds(3_600))
        let transport = try WireTransport(loop: loop, channel: WireChannel(script: script), origin: origin)
        let crowd = try self.crowd(plan, origin: origin, loop: loop, transport: transport)
        var trace = WireTrace(persona: persona, script: script)
        try play(crowd, transport, origin: origin, into: &trace)
        let primaryID = crowd.viewers[0].machine.facts.primaryID
        trace.lines = transport.sent.map { sent in
            let url = path(of: sent.request.url.replacing(primaryID, with: "{primary_id}"))
            return Line(
                milliseconds: sent.at.nanoseconds(since: origin) / 1_000_000,
                method: sent.request.method == .get ? "GET" : "POST",
                kind: sent.role.kind,
                path: url.path,
                query: url.query,
                ending: sent.ending
            )
        }
        return trace
    }

    private static func crowd(_ plan: LoadPlan, origin: Instant, loop: EventLoop, transport: WireTransport) throws
        -> Crowd
    {
        let timebase = Timebase(start: origin, wallStart: ScriptedViewer.wallStart)
        let endpoints = TargetEndpoints(
            contentURL: "\(WireChannel.host)/live/main/multivariant.m3u8",
            adServers: [WireChannel.host],
            session: plan.session,
            identifiesViewers: false
        )
        return Crowd(
            CrowdSetup(
                loadPlan: plan,
                viewerPlan: ViewerPlan(plan, endpoints: endpoints, timebase: timebase),
                endpoints: endpoints,
                authorisedHosts: AuthorisedHosts(),
                joins: [.init(number: 0, at: origin)],
                firstReplacement: 1,
                replacementStride: 1,
                observer: nil
            ),
            clock: loop,
            transport: transport
        )
    }

    /// Lets the clock go from one answer or timer to the next until the end.
    private static func play(
        _ crowd: Crowd,
        _ transport: WireTransport,
        origin: Instant,
        into trace: inout WireTrace
    ) throws {
        let end = origin.later(by: .milliseconds(lastMilliseconds))
        let viewer = crowd.viewers[0]
        crowd.timerFired(token: CrowdToken(index: 0, detail: CrowdToken.join).rawValue, deadline: origin)
        for _ in 0..<20_000 {
            let timer = ViewerTimer.allCases.filter { viewer.deadlines[Int($0.rawValue)] != .zero }.min {
                (viewer.deadlines[Int($0.rawValue)], $0.rawValue) < (viewer.deadlines[Int($1.rawValue)], $1.rawValue)
            }
            let deadline = timer.map { viewer.deadlines[Int($0.rawValue)] } ?? .distantFuture
            let answered = transport.nextAt ?? .distantFuture
            guard min(deadline, answered) <= end else { return }
            let wasInBreak = viewer.machine.breaks.hasPlayhead
            if answered <= deadline {
                transport.now = max(transport.now, answered)
                transport.finishNext()
            } else if let timer {
                transport.now = max(transport.now, deadline)
                crowd.timerFired(token: CrowdToken(index: 0, detail: timer.rawValue).rawValue, deadline: deadline)
            }
            if !wasInBreak, viewer.machine.breaks.hasPlayhead {
                trace.starts.append(transport.now.nanoseconds(since: origin) / 1_000_000)
            }
        }
        throw Endless()
    }

    struct Endless: Error {}
}
