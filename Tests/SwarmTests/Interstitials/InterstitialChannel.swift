import Rules
import Testing

@testable import Profile
@testable import Swarm
@testable import Viewer

/// A viewer of a live channel with interstitials: the playlist and the answers are a script.
///
/// Segments of 2 s; the window begins 12 s behind the edge, so that a viewer plays 6 s behind it.
final class InterstitialChannel {
    /// A date range of the playlist while it is listed.
    struct Listed {
        var tag: String
        /// Seconds since the start of the run.
        var from: Double = -1000
        var until: Double = 100_000
    }

    enum Reply {
        case list([(uri: String, seconds: Double)])
        case json(String)
        case media(seconds: Double)
        case failure(LoadFailure)
        /// A playlist without an end.
        case live
        /// Never answered.
        case silence
    }

    let viewer: ScriptedCrowd
    let ranges: [Listed]
    /// Replies by a part of the URL; assets without one are VOD of 5 s.
    var replies: [(part: String, reply: Reply)] = []
    /// Delays of replies by a part of the URL, in seconds.
    var delays: [(part: String, seconds: Double)] = []
    /// Lengths of the assets that lists named, by URL.
    private var lengths: [String: Double] = [:]
    var hasEnded = false
    var windowSegments = 12
    var dateJumps: [AnswerBody.DateJump] = []
    /// Whether only the first segment and those after discontinuities are dated.
    var isSparselyDated = false
    /// Seconds in which the playlist is answered with an error.
    var outage: Range<Double>?

    init(
        _ ranges: [Listed],
        trigger: InterstitialFacts.Trigger = .buffered,
        preload: InterstitialFacts.Preload = .ignored,
        joining second: Double = 0,
        number: Int = 0,
        change: (inout LoadPlan) -> Void = { _ in },
        facts: (inout Persona) -> Void = { _ in },
        replies: (InterstitialChannel) -> Void = { _ in }
    ) {
        let plan = LoadPlan.forTests { plan in
            plan.breaks.source = .none
            plan.breaks.playsInterstitials = true
            plan.playback.pollsMetadata = false
            var persona = Persona.ofProfile(plan.playback)
            persona.interstitials = InterstitialFacts(trigger: trigger, preload: preload)
            facts(&persona)
            plan.audience.personas = [PersonaShare(persona, share: 1)]
            change(&plan)
        }
        viewer = ScriptedCrowd(plan, number: number)
        self.ranges = ranges
        replies(self)
        viewer.advance(seconds: second)
        viewer.join()
        if viewer.count(.registration) > 0 { viewer.answer(.registration, status: 403) }
        viewer.answer(.multivariant)
        viewer.answerAll(reply)
    }

    func reply(_ part: String, _ reply: Reply, after seconds: Double = 0) {
        replies.append((part, reply))
        if seconds > 0 { delays.append((part, seconds)) }
    }

    var seconds: Double { viewer.seconds }

    var latency: Double { viewer.latency }

    /// Requests for what belongs to interstitials, in order.
    var asked: [ScriptedCrowd.Request] {
        viewer.transport.sent.filter { $0.serial != 0 && $0.role != .podManifest || $0.role == .beacon }
    }

    func asks(_ role: ViewerRole) -> [Double] { viewer.asked(role) }

    func counted(_ counter: ViewerCounter) -> Int { viewer.counted(counter) }

    /// Outcomes of the breaks, each with its key.
    var outcomes: [String] {
        viewer.eventNotes.compactMap { key, note in
            switch note {
            case .breakOnTime: "\(key) on time"
            case .breakLate: "\(key) late"
            case .breakFailed(let failure): "\(key) \(failure.rawValue)"
            case .breakSkipped(let reason): "\(key) skipped \(reason.rawValue)"
            default: nil
            }
        }
    }

    func run(seconds: Double) { viewer.watch(seconds: seconds, step: 0.05, reply) }

    /// The viewer seeks now instead of at its own time.
    func seekNow() {
        viewer.machine.screen.navigation.instant = viewer.now
        viewer.fireNow(.breakFetch)
    }

    /// Answer of now; nil while there is none.
    private func reply(_ request: ScriptedCrowd.Request) -> ScriptedCrowd.Reply? {
        switch request.role {
        case .playlist: return outage?.contains(seconds) == true ? .failing(.unavailable) : .init(body: playlist())
        case .beacon: return .init()
        case _ where request.serial == 0 || request.role == .podManifest: return nil
        default: break
        }
        let delay = delays.last { request.url.contains($0.part) }?.seconds ?? 0
        guard ScriptedCrowd.seconds(request.sentAt) + delay <= seconds + 1e-9 else { return nil }
        let name = String(request.url.prefix { $0 != "?" })
        switch replies.last(where: { request.url.contains($0.part) })?.reply {
        case .silence: return nil
        case .failure(let failure): return .failing(failure)
        case .json(let text): return .init(body: text)
        case .list(let assets):
            for asset in assets { lengths["http://127.0.0.1:8080/\(asset.uri)"] = asset.seconds }
            return .init(body: Self.assetList(assets))
        case .live: return .init(body: "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:5,\na.m4s\n")
        case .media(let seconds): return .init(body: AnswerBody.pod([seconds]))
        case nil where request.role == .assetList: return .init(body: Self.assetList([("ad.m3u8", 5)]))
        case nil where request.role == .podSegment: return .init()
        case nil: return .init(body: AnswerBody.pod([lengths[name] ?? 5]))
        }
    }

    static func assetList(_ assets: [(uri: String, seconds: Double)]) -> String {
        let texts = assets.map { #"{"URI":"http://127.0.0.1:8080/\#($0.uri)","DURATION":\#($0.seconds)}"# }
        return #"{"ASSETS":[\#(texts.joined(separator: ","))]}"#
    }

    private func playlist() -> String {
        let end = Int((seconds / 2).rounded(.down))
        let first = end - windowSegments
        let listed = ranges.filter { $0.from <= seconds && seconds < $0.until }.map { $0.tag + "\n" }
        let text = AnswerBody.media(
            1_000 + first,
            windowSegments,
            header: listed.joined(),
            date: Double(first * 2),
            jumps: dateJumps,
            isSparse: isSparselyDated
        )
        return text + (hasEnded ? "#EXT-X-ENDLIST\n" : "")
    }
}

extension InterstitialChannel.Listed {
    /// An interstitial with an asset list, named as its path.
    static func list(_ id: String, at second: Double, _ attributes: String = "") -> Self {
        let more = attributes.isEmpty ? "" : "," + attributes
        return range(id, "interstitial", second, "X-ASSET-LIST=\"http://127.0.0.1:8080/list/\(id)\"\(more)")
    }

    private static func range(_ id: String, _ kind: String, _ second: Double, _ more: String) -> Self {
        let date = AnswerBody.date(second)
        return Self(tag: "#EXT-X-DATERANGE:ID=\"\(id)\",CLASS=\"com.apple.hls.\(kind)\",START-DATE=\"\(date)\",\(more)")
    }

    static func asset(_ id: String, at second: Double, _ attributes: String = "") -> Self {
        var listed = list(id, at: second, attributes)
        listed.tag.replace("X-ASSET-LIST", with: "X-ASSET-URI")
        listed.tag.replace("/list/\(id)", with: "/\(id).m3u8")
        return listed
    }

    static func preload(of id: String, from: Double, to: Double, uri: String? = nil) -> Self {
        let target = uri ?? "http://127.0.0.1:8080/list/\(id)"
        let aim = "X-URI=\"\(target)\",X-TARGET-ID=\"\(id)\",X-TARGET-CLASS=\"com.apple.hls.interstitial\""
        return range("preload-\(id)", "preload", from, "END-DATE=\"\(AnswerBody.date(to))\",\(aim)")
    }
}
