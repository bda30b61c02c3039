import AdServing
import HLS
import LoadProfile
import Rulebook
import Testing

@testable import Audience
@testable import Swarm
@testable import Viewer

/// Whatever comes when: what must hold for every viewer after every event.
@Suite struct ViewerInvariantTests {
    private static let seeds = 1500

    @Test func everySequenceOfEventsKeepsTheBooks() throws {
        var resolved = 0
        var superseded = 0
        for seed in 0..<Self.seeds {
            var script = try RandomScript(seed: UInt64(seed))
            try script.run()
            resolved += script.resolved
            superseded += script.superseded
        }
        // The walk must have been to the places that it is about.
        #expect(resolved > Self.seeds)
        #expect(superseded > 0)
    }

    @Test func theSameEventsGiveTheSameActions() throws {
        for seed in 0..<20 {
            var first = try RandomScript(seed: UInt64(seed))
            var second = try RandomScript(seed: UInt64(seed))
            try first.run()
            try second.run()
            #expect(first.viewer.notes == second.viewer.notes, "seed \(seed)")
            #expect(first.viewer.open == second.viewer.open, "seed \(seed)")
        }
    }
}

/// One viewer under a random plan, whose requests are answered late, wrongly or in any order.
private struct RandomScript {
    let seed: UInt64
    var random: ViewerChance
    var viewer: ScriptedViewer
    private(set) var resolved = 0
    private(set) var superseded = 0
    private var version = 1
    private var notesChecked = -1
    private let announced: [ScheduledBreak]

    init(seed: UInt64) throws {
        var random = ViewerChance(seed: 0xC0FFEE, viewer: Int(seed))
        let plan = Self.plan(&random)
        self.seed = seed
        self.random = random
        viewer = ScriptedViewer(plan, number: Int(seed))
        announced = (1..<12).map {
            let start = ScriptedViewer.wallStart + .seconds(Int64($0 * 11))
            return ScheduledBreak(
                start: start,
                duration: .seconds(6),
                key: "b\($0)",
                ordinal: $0,
                dateRangeID: "b\($0)"
            )
        }
    }

    private static func plan(_ random: inout ViewerChance) -> LoadPlan {
        var chosen = LoadPlan.forTests()
        let sources: [BreakPlan.Source] = [
            .every(interval: .seconds(7), offset: .seconds(3)),
            .list([.init(.seconds(5)), .init(.seconds(9)), .init(.seconds(40))]),
            .dateRange(classAttribute: nil), .guideMinute(repeats: true), .guideMinute(repeats: false),
            .several([.list([.init(.seconds(6)), .init(.seconds(31))]), .dateRange(classAttribute: nil)]),
        ]
        chosen.breaks.source = sources[Int(random.next() % UInt64(sources.count))]
        chosen.breaks.trigger = random.happens(0.5) ? .rendezvous : .playhead
        chosen.breaks.lead = .milliseconds(Int64(random.next() % 4000))
        chosen.breaks.jitter = .milliseconds(Int64(random.next() % 1500))
        chosen.breaks.podDuration = .seconds(Int64(random.next() % 12))
        chosen.breaks.preconnect = .milliseconds(Int64(random.next() % 8000))
        chosen.playback.segments = [.none, .content, .ads, .all][Int(random.next() % 4)]
        chosen.playback.playoutLimit = random.happens(0.3) ? .seconds(2) : nil
        chosen.pods.repeatShare = random.happens(0.5) ? 0.5 : 0
        chosen.audience.pictureInPicture.share = random.happens(0.6) ? 1 : 0
        chosen.audience.pictureInPicture.every = .seconds(6)
        chosen.audience.pictureInPicture.stay = .seconds(4)
        chosen.audience.pictureInPicture.rule = random.happens(0.5) ? .lost : .deferred
        chosen.audience.churnPerMinute = random.happens(0.3) ? 1 : 0
        return chosen
    }

    mutating func run() throws {
        viewer.send(.join)
        for step in 0..<400 where !viewer.isGone {
            if random.happens(0.55), !viewer.open.isEmpty {
                try answerOne()
            } else if random.happens(0.002) {
                viewer.send(.leave)
            } else {
                viewer.advance(seconds: random.unit() * (random.happens(0.1) ? 6 : 0.6))
            }
            check(step)
        }
        if viewer.machine.phase != .leaving, !viewer.isGone {
            viewer.send(.leave)
        }
        checkDeparture()
    }

    /// After leaving nothing is asked for, and the last answer ends it.
    private mutating func checkDeparture() {
        #expect(viewer.timers.isEmpty, "seed \(seed)")
        while !viewer.open.isEmpty {
            let before = viewer.open.count
            #expect(!viewer.isGone, "seed \(seed)")
            _ = viewer.take(at: 0)
            viewer.send(.pingAnswered)
            #expect(viewer.open.count == before - 1, "seed \(seed): a request after leaving")
        }
        #expect(viewer.isGone, "seed \(seed)")
        #expect(viewer.machine.requestsInFlight == 0, "seed \(seed)")
        let notes = viewer.notes.count
        viewer.send(.timer(.reload))
        #expect(viewer.open.isEmpty && viewer.notes.count == notes, "seed \(seed): not gone for good")
        check(-1)
    }

    private mutating func check(_ step: Int) {
        for broken in brokenRules() {
            Issue.record("seed \(seed), step \(step): \(broken)")
        }
    }

    private mutating func brokenRules() -> [String] {
        let viewer = self.viewer
        var broken: [String] = []
        if viewer.machine.requestsInFlight != viewer.open.count { broken.append("requests in flight are miscounted") }
        if viewer.open.contains(where: { $0.plannedAt > viewer.now }) {
            broken.append("a request is ahead of its time")
        }
        if viewer.count(.playlist) + viewer.count(.multivariant) > 1 { broken.append("two polls are on their way") }
        if viewer.count(.segment) > 1 { broken.append("two content segments are on their way") }
        guard viewer.notes.count != notesChecked else { return broken }
        notesChecked = viewer.notes.count
        let outcomes = viewer.outcomes
        resolved = outcomes.count { $0 != .breakDue }
        if resolved > Set(viewer.scheduled.map(\.0.key)).count { broken.append("a break ended twice") }
        if !Self.isEachDueViewerResolved(outcomes) { broken.append("due viewers and outcomes differ: \(outcomes)") }
        let started = viewer.adEvents.count { $0 == .adBreakStarted }
        let ended = viewer.adEvents.count { $0 == .adBreakEnded }
        if !(0...1).contains(started - ended) { broken.append("\(started) ad breaks began and \(ended) ended") }
        return broken
    }

    /// Each note of a due viewer is followed at once by the one thing that its break came to, and only such notes are.
    private static func isEachDueViewerResolved(_ outcomes: [ViewerNote]) -> Bool {
        var isDue = false
        for note in outcomes {
            switch note {
            case .breakDue where isDue: return false
            case .breakDue: isDue = true
            case .breakOnTime, .breakLate, .breakFailed:
                guard isDue else { return false }
                isDue = false
            default:
                guard !isDue else { return false }
            }
        }
        return !isDue
    }

    private mutating func answerOne() throws {
        let request = viewer.take(at: Int(random.next() % UInt64(viewer.open.count)))
        guard !viewer.isSuperseded(request) else {
            superseded += 1
            viewer.answer(.unread, to: request)
            return
        }
        viewer.send(try answer(to: request))
    }

    private mutating func answer(to request: ScriptedViewer.Request) throws -> ViewerEvent {
        let fails = random.happens(0.15)
        switch request.role {
        case .registration:
            return fails
                ? .registrationFailed(status: [400, 429, 503, nil].randomElement(using: &random) ?? nil)
                : .registered(try .forTests)
        case .multivariant:
            return fails
                ? .playlistFailed(plannedAt: request.plannedAt)
                : .multivariant(try .forTests(), url: "http://127.0.0.1:8080/live/main/multivariant.m3u8")
        case .playlist:
            guard !fails else { return .playlistFailed(plannedAt: request.plannedAt) }
            version += random.happens(0.7) ? 1 : 0
            let shared = try SharedPlaylist.forTests(version: version, announced: announced)
            return .playlist(shared, plannedAt: request.plannedAt)
        case .segment: return .segmentFinished
        case .podManifest, .podRepeat, .podPlaylist, .podRepeatPlaylist, .podSegment:
            let content = try self.content(of: request.role, fails: fails)
            return .breakAnswered(BreakAnswer(request.role, serial: request.serial, index: request.index, content))
        case .metadata: return .metadata(nil)
        case .verification: return .pingAnswered
        case .assetList, .assetManifest, .beacon, .blockingPlaylist, .part, .steering, .sessionUpdate:
            return .requestFinished(request.role, index: 0, succeeded: !fails)
        }
    }

    private mutating func content(of role: ViewerRole, fails: Bool) throws -> BreakAnswer.Content {
        switch role {
        case .podManifest:
            guard !fails else { return .failed(BreakLoadFailure(.podManifestFailed)) }
            let url = "http://127.0.0.1:8080/pod.m3u8"
            return random.happens(0.5)
                ? .multivariant(SharedMultivariant(try .forTests(), url: url))
                : .media(LoadedPod(try pod(), url: url))
        case .podRepeat where !fails:
            return .multivariant(SharedMultivariant(try .forTests(), url: "http://127.0.0.1:8080/again.m3u8"))
        case .podPlaylist:
            guard !fails else { return .failed(BreakLoadFailure(.podPlaylistFailed)) }
            return .media(LoadedPod(try pod(), url: "http://127.0.0.1:8080/v0/pod.m3u8"))
        case .podSegment: return fails ? .failed(BreakLoadFailure(.segmentFailed)) : .segment(nil)
        default: return .unread
        }
    }

    private mutating func pod() throws -> MediaPlaylist {
        try .pod((0..<Int(random.next() % 4)).map { _ in Int(random.next() % 4000) })
    }
}
