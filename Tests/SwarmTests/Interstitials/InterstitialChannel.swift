import AdServing
import HLS
import LoadProfile
import Players
import Rulebook
import Testing
import Time

@testable import Audience
@testable import Swarm
@testable import Viewer

/// A viewer of a live channel with interstitials, on a fake clock: what the playlist says and what is answered is a script.
///
/// Segments of 2 s; the window begins 12 s behind the edge, so that a viewer plays 6 s behind it.
struct InterstitialChannel {
    /// A date range of the playlist while it is listed.
    struct Listed {
        var tag: String
        /// Seconds since the start of the run.
        var from: Double = -1000
        var until: Double = 100_000
    }

    enum Reply {
        case list([(uri: String, seconds: Double)])
        case full(AssetList)
        case media(seconds: Double)
        case failure(BreakLoadFailure)
        /// A playlist without an end.
        case live
        /// Never answered.
        case silence
    }

    var viewer: ScriptedViewer
    var ranges: [Listed]
    /// By a part of the URL; assets are VOD of 5 s where nothing is said of them.
    var replies: [(part: String, reply: Reply)] = []
    /// Of a reply, in seconds.
    var delays: [(part: String, seconds: Double)] = []
    /// All that was asked for interstitials: when, in seconds, and where.
    private(set) var asked: [(at: Double, role: ViewerRole, url: String)] = []
    private var pending: [(at: Double, answer: BreakAnswer)] = []
    /// Lengths of the assets that lists named, by URL.
    private var lengths: [String: Double] = [:]
    private let reader: InterstitialReader
    private var version = 0
    private var lastText = ""
    private var latest: SharedPlaylist?
    var hasEnded = false
    var windowSegments = 12

    init(
        _ ranges: [Listed],
        trigger: InterstitialFacts.Trigger = .buffered,
        preload: InterstitialFacts.Preload = .ignored,
        joining second: Double = 0,
        number: Int = 0,
        change: (inout LoadPlan) -> Void = { _ in },
        facts: (inout Persona) -> Void = { _ in },
        replies: (inout InterstitialChannel) -> Void = { _ in }
    ) throws {
        let plan = Self.plan(trigger: trigger, preload: preload, change: change, facts: facts)
        viewer = ScriptedViewer(plan, number: number)
        self.ranges = ranges
        reader = try #require(InterstitialReader(plan.breaks, runStart: WallTime(microseconds: 0)))
        replies(&self)
        viewer.advance(seconds: second)
        viewer.send(.join)
        viewer.take(.registration)
        viewer.send(.registrationFailed(status: 403))
        viewer.take(.multivariant)
        viewer.send(.multivariant(try .forTests(), url: "http://127.0.0.1:8080/live/main/multivariant.m3u8"))
        try answerAll()
    }

    static func plan(
        trigger: InterstitialFacts.Trigger,
        preload: InterstitialFacts.Preload = .ignored,
        change: (inout LoadPlan) -> Void,
        facts: (inout Persona) -> Void
    ) -> LoadPlan {
        .forTests { plan in
            plan.breaks.source = .none
            plan.breaks.playsInterstitials = true
            plan.playback.pollsMetadata = false
            var persona = Persona.ofProfile(plan.playback)
            persona.interstitials = InterstitialFacts(trigger: trigger, preload: preload)
            facts(&persona)
            plan.audience.personas = [PersonaShare(persona, share: 1)]
            change(&plan)
        }
    }

    // MARK: The script

    static func date(_ second: Double) -> String {
        (ScriptedViewer.wallStart + .microseconds(Int64((second * 1e6).rounded()))).iso8601
    }

    /// An interstitial with an asset list, named as its path.
    static func list(_ id: String, at second: Double, _ attributes: String = "") -> Listed {
        let more = attributes.isEmpty ? "" : "," + attributes
        return Listed(
            tag:
                "#EXT-X-DATERANGE:ID=\"\(id)\",CLASS=\"com.apple.hls.interstitial\",START-DATE=\"\(date(second))\","
                + "X-ASSET-LIST=\"http://127.0.0.1:8080/list/\(id)\"\(more)"
        )
    }

    static func asset(_ id: String, at second: Double, _ attributes: String = "") -> Listed {
        var listed = list(id, at: second, attributes)
        listed.tag = listed.tag.replacing("X-ASSET-LIST", with: "X-ASSET-URI").replacing(
            "/list/\(id)",
            with: "/\(id).m3u8"
        )
        return listed
    }

    static func preload(of id: String, from: Double, to: Double, uri: String? = nil) -> Listed {
        let target = uri ?? "http://127.0.0.1:8080/list/\(id)"
        return Listed(
            tag:
                "#EXT-X-DATERANGE:ID=\"preload-\(id)\",CLASS=\"com.apple.hls.preload\",START-DATE=\"\(date(from))\","
                + "END-DATE=\"\(date(to))\",X-URI=\"\(target)\",X-TARGET-ID=\"\(id)\","
                + "X-TARGET-CLASS=\"com.apple.hls.interstitial\""
        )
    }

    mutating func reply(_ part: String, _ reply: Reply, after seconds: Double = 0) {
        replies.append((part, reply))
        if seconds > 0 { delays.append((part, seconds)) }
    }

    var seconds: Double { viewer.seconds }

    /// How far behind the wall clock the viewer is, in seconds.
    var latency: Double { Double(viewer.machine.playback.latency ?? -1) / 1e9 }

    func asks(_ role: ViewerRole) -> [Double] { asked.filter { $0.role == role }.map(\.at) }

    func counted(_ counter: ViewerCounter) -> Int { viewer.counted(counter) }

    /// What the breaks came to, each with its key.
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

    /// Scheduled interstitials and what they came to; each comes to one thing.
    var books: (scheduled: Int, settled: Int) {
        let outcomes: [ViewerCounter] = [
            .eventsFinished, .eventsCutShort, .eventsCancelled, .eventsFailed, .eventsSkipped, .eventsLeft,
        ]
        return (counted(.eventsScheduled), outcomes.reduce(0) { $0 + counted($1) })
    }

    // MARK: Time

    mutating func run(seconds: Double) throws {
        let end = self.seconds + seconds
        while self.seconds < end - 1e-9 {
            viewer.advance(seconds: min(0.05, end - self.seconds))
            try answerAll()
        }
    }

    /// The viewer seeks now instead of at its own time.
    mutating func seekNow() {
        viewer.machine.breaks.screen.navigation.move(to: viewer.now)
        viewer.send(.timer(.breakFetch))
    }

    mutating func leave() {
        viewer.send(.leave)
    }

    private mutating func answerAll() throws {
        for _ in 0..<200 {
            if let request = viewer.open.first(where: { $0.role == .playlist }) {
                viewer.take(.playlist)
                viewer.send(.playlist(try playlist(), plannedAt: request.plannedAt))
            } else if viewer.take(.beacon) != nil {
                asked.append((seconds, .beacon, ""))
                viewer.send(.requestFinished(.beacon, index: 0, succeeded: true))
            } else if let index = viewer.open.firstIndex(where: { $0.serial != 0 && $0.role != .podManifest }) {
                try accept(viewer.take(at: index))
            } else if let due = pending.firstIndex(where: { $0.at <= seconds + 1e-9 }) {
                let answer = pending.remove(at: due).answer
                viewer.send(.breakAnswered(answer))
            } else {
                return
            }
        }
        Issue.record("the viewer asks without end")
    }

    private mutating func accept(_ request: ScriptedViewer.Request) throws {
        asked.append((seconds, request.role, request.url))
        let found = replies.last { request.url.contains($0.part) }?.reply
        let content: BreakAnswer.Content
        switch found {
        case .silence: return
        case .failure(let failure): content = .failed(failure)
        case .list(let assets):
            for asset in assets { lengths["http://127.0.0.1:8080/\(asset.uri)"] = asset.seconds }
            content = .list(
                AssetList(
                    assets: assets.map { .init(uri: "http://127.0.0.1:8080/\($0.uri)", duration: .seconds($0.seconds)) }
                )
            )
        case .full(let list): content = .list(list)
        case .live:
            let text = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:5,\na.m4s\n"
            content = .media(LoadedPod(try .parsed(text), url: request.url))
        case .media(let seconds): content = .media(try Self.vod(seconds, url: request.url))
        case nil where request.role == .assetList:
            content = .list(.init(assets: [.init(uri: "http://127.0.0.1:8080/ad.m3u8", duration: .seconds(5))]))
        case nil where request.role == .podSegment: content = .segment(nil)
        case nil:
            let name = String(request.url.prefix { $0 != "?" })
            content = .media(try Self.vod(lengths[name] ?? 5, url: request.url))
        }
        let delay = delays.last { request.url.contains($0.part) }?.seconds ?? 0
        let answer = BreakAnswer(request.role, serial: request.serial, index: request.index, content)
        pending.append((seconds + delay, answer))
    }

    static func vod(_ seconds: Double, url: String) throws -> LoadedPod {
        let text = "#EXTM3U\n#EXT-X-TARGETDURATION:60\n#EXTINF:\(seconds),\na.m4s\n#EXT-X-ENDLIST\n"
        return LoadedPod(try .parsed(text), url: url)
    }

    private mutating func playlist() throws -> SharedPlaylist {
        let end = Int((seconds / 2).rounded(.down))
        let first = end - windowSegments
        var text = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:\(1000 + first)\n"
        for listed in ranges where listed.from <= seconds && seconds < listed.until {
            text += listed.tag + "\n"
        }
        for number in first..<end {
            text += "#EXT-X-PROGRAM-DATE-TIME:\(Self.date(Double(number * 2)))\n#EXTINF:2,\n\(1000 + number).m4s\n"
        }
        if hasEnded { text += "#EXT-X-ENDLIST\n" }
        if text == lastText, let latest { return latest }
        lastText = text
        version += 1
        let url = "http://127.0.0.1:8080/live/main/v0/media.m3u8"
        let playlist = try MediaPlaylist.parsed(text)
        let shared = SharedPlaylist(
            version: version,
            playlist: playlist,
            announced: [],
            url: url,
            schedule: reader.schedule(in: playlist, url: url)
        )
        latest = shared
        return shared
    }
}
