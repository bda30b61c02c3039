import AdServing
import HLS
import Origin
import Profile
import Rules
import Transport
import Values

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
        let primaryID = crowd.viewers[0].machine.primaryID
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
            visits: [.init(number: 0, joinsAt: 0)],
            firstReplacement: 1,
            replacementStride: 1
        )
        let transport = VirtualTransport(setup, clock, target, VirtualNetwork(latency: .zero))
        return Crowd(setup, clock: clock, transport: transport)
    }
}

/// The scripted channel, which keeps what it was asked for.
private final class WireTarget: VirtualTarget {
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

    func closed(_ connection: VirtualConnection) {}

    func answer(_ request: VirtualRequest, at now: WallTime) -> VirtualAnswer {
        let milliseconds = (now.microseconds - ScriptedCrowd.wallStart.microseconds) / 1_000
        let url = request.request.url
        let answer = channel.answer(to: WireTrace.path(of: url).path, at: milliseconds)
        let timeout = request.timeout / 1_000_000
        let ending =
            answer.milliseconds > timeout
            ? "no answer in \(timeout) ms" : answer.status == 200 ? "" : String(answer.status)
        sent.append(Sent(milliseconds: milliseconds, request: request.request, role: request.role, ending: ending))
        let releasedAt = now + .milliseconds(answer.milliseconds)
        return VirtualAnswer(status: answer.status, body: answer.body, url: url, releasedAt: releasedAt)
    }
}

/// What a live channel with two breaks answers at any moment of a fake clock: the same for every player.
///
/// Segments of 6 s, listed the moment they end, the last ten of them; one is listed late, so that a poll finds nothing
/// new, and one is shorter. A viewer joins two seconds after a segment has been listed and plays 18 s behind the edge.
struct WireChannel: Sendable {
    enum Script: String, CaseIterable, Sendable {
        /// Everything is answered.
        case clean
        /// The first asset list is answered with 503; the second break has one too, which takes 12 s.
        case failing
    }

    struct Answer {
        var status = 200
        var body = ""
        var milliseconds: Int64 = 40
    }

    static let host = "http://127.0.0.1:8080"
    /// Milliseconds on the clock at which the breaks are scheduled; a playhead is there some 20 s later.
    static let breaks: [Int64] = [22_000, 68_000]
    /// From when on the playlist lists them.
    static let listed: [Int64] = [10_000, 46_000]
    /// The dates between which the first asset list may be loaded ahead.
    static let preload: ClosedRange<Int64> = -6_000...4_000

    /// The segment that is listed late, within one and a half target durations of the one before, and when.
    static let late: (number: Int64, at: Int64) = (102, 18_500)
    /// The segment that lasts four seconds.
    static let short: Int64 = 107
    private static let window: Int64 = 10

    var script: Script

    func answer(to path: String, at milliseconds: Int64) -> Answer {
        if path.hasPrefix("/ssai/") { return Answer(body: Self.session) }
        switch path {
        case "/live/main/multivariant.m3u8": return Answer(body: Self.multivariant(of: "v0/media.m3u8"))
        case "/live/main/v0/media.m3u8": return Answer(body: playlist(at: milliseconds))
        case "/ads/first.json" where script == .failing: return Answer(status: 503)
        case "/ads/first.json": return Answer(body: Self.firstList)
        case "/ads/second.json" where script == .failing:
            return Answer(body: Self.list([Self.asset("spot", seconds: 10)]), milliseconds: 12_000)
        case "/ads/one.m3u8", "/ads/two.m3u8", "/ads/spot.m3u8":
            let name = String(path.dropFirst("/ads/".count).dropLast(".m3u8".count))
            return Answer(body: Self.multivariant(of: "\(name)/media.m3u8"))
        case "/ads/one/media.m3u8", "/ads/two/media.m3u8": return Answer(body: Self.vod([4, 4]))
        case "/ads/spot/media.m3u8": return Answer(body: Self.vod([5, 5]))
        default: return Answer(status: path.hasSuffix(".ts") || path.hasPrefix("/beacon/") ? 200 : 404)
        }
    }

    // MARK: The channel

    private static func begin(_ number: Int64) -> Int64 { (number - 100) * 6_000 - (number > short ? 4_000 : 2_000) }

    private static func listedAt(_ number: Int64) -> Int64 { number == late.number ? late.at : begin(number + 1) }

    private static func date(_ milliseconds: Int64) -> String { AnswerBody.date(Double(milliseconds) / 1_000) }

    private func playlist(at milliseconds: Int64) -> String {
        var last: Int64 = 99
        while Self.listedAt(last + 1) <= milliseconds { last += 1 }
        let first = last - Self.window + 1
        var lines = [
            "#EXTM3U", "#EXT-X-VERSION:6", "#EXT-X-TARGETDURATION:6", "#EXT-X-SERVER-CONTROL:HOLD-BACK=18",
            "#EXT-X-MEDIA-SEQUENCE:\(first)",
        ]
        if milliseconds >= Self.listed[0] { lines += [Self.preloadRange, Self.firstBreak] }
        if milliseconds >= Self.listed[1] { lines.append(secondBreak) }
        for number in first...last {
            let seconds = (Self.begin(number + 1) - Self.begin(number)) / 1_000
            let date = Self.date(Self.begin(number))
            lines += ["#EXT-X-PROGRAM-DATE-TIME:\(date)", "#EXTINF:\(seconds).000,", "\(number).ts"]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func multivariant(of url: String) -> String {
        "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=800000\n\(url)\n"
    }

    // MARK: The breaks

    private static func range(_ id: String, _ kind: String, at milliseconds: Int64, _ more: String) -> String {
        "#EXT-X-DATERANGE:ID=\"\(id)\",CLASS=\"com.apple.hls.\(kind)\",START-DATE=\"\(date(milliseconds))\",\(more)"
    }

    private static let preloadRange = range(
        "early",
        "preload",
        at: preload.lowerBound,
        "END-DATE=\"\(date(preload.upperBound))\",X-URI=\"\(host)/ads/first.json\",X-TARGET-ID=\"first\","
            + "X-TARGET-CLASS=\"com.apple.hls.interstitial\""
    )

    private static let firstBreak =
        range("first", "interstitial", at: breaks[0], "DURATION=16,X-ASSET-LIST=\"\(host)/ads/first.json\"")

    private var secondBreak: String {
        let content =
            script == .failing
            ? "X-ASSET-LIST=\"\(Self.host)/ads/second.json" : "X-ASSET-URI=\"\(Self.host)/ads/spot.m3u8"
        return Self.range("second", "interstitial", at: Self.breaks[1], "DURATION=10,\(content)\",X-RESUME-OFFSET=4")
    }

    // MARK: What is asked for besides

    private static let session =
        #"{"stream_id":"00000000-0000-4000-8000-000000000001:TUL","valid_for":"8h0m0s","polling_frequency":10}"#

    private static let firstList: String = {
        let tracking = ["impression", "complete"].map { #"{"type":"\#($0)","urls":["\#(host)/beacon/\#($0)"]}"# }
        let slot = #"{"type":"slot","start":0,"duration":8,"tracking":[\#(tracking.joined(separator: ","))]}"#
        let signaling = #","X-AD-CREATIVE-SIGNALING":{"version":2,"type":"slot","payload":[\#(slot)]}"#
        return list([asset("one", seconds: 8, more: signaling), asset("two", seconds: 8)])
    }()

    private static func list(_ assets: [String]) -> String { "{\"ASSETS\":[\(assets.joined(separator: ","))]}" }

    private static func asset(_ name: String, seconds: Int, more: String = "") -> String {
        "{\"URI\":\"\(host)/ads/\(name).m3u8\",\"DURATION\":\(seconds)\(more)}"
    }

    private static func vod(_ seconds: [Int]) -> String {
        var text = "#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:6\n#EXT-X-PLAYLIST-TYPE:VOD\n"
        for (index, length) in seconds.enumerated() { text += "#EXTINF:\(length).000,\n\(index + 1).ts\n" }
        return text + "#EXT-X-ENDLIST\n"
    }
}
