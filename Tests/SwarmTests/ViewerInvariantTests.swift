import AdServing
import HLS
import LoadProfile
import Rulebook
import Testing

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
        self.viewer = ScriptedViewer(plan, number: Int(seed))
        self.announced = (1..<12).map {
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
            .every(interval: .seconds(7), offset: .seconds(3)), .list([.seconds(5), .seconds(9), .seconds(40)]),
            .dateRange(classAttribute: nil), .guideMinute(repeats: true), .guideMinute(repeats: false),
        ]
        chosen.breaks.source = sources[Int(random.next() % 5)]
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
        self.viewer.send(.join)
        for step in 0..<400 where !self.viewer.isGone {
            if self.random.happens(0.55), !self.viewer.open.isEmpty {
                try self.answerOne()
            } else if self.random.happens(0.002) {
                self.viewer.send(.leave)
            } else {
                self.viewer.advance(seconds: self.random.unit() * (self.random.happens(0.1) ? 6 : 0.6))
            }
            self.check(step)
        }
        if self.viewer.machine.phase != .leaving, !self.viewer.isGone {
            self.viewer.send(.leave)
        }
        self.checkDeparture()
    }

    /// After leaving nothing is asked for, and the last answer ends it.
    private mutating func checkDeparture() {
        #expect(self.viewer.timers.isEmpty, "seed \(self.seed)")
        while !self.viewer.open.isEmpty {
            let before = self.viewer.open.count
            #expect(!self.viewer.isGone, "seed \(self.seed)")
            _ = self.viewer.take(at: 0)
            self.viewer.send(.pingAnswered)
            #expect(self.viewer.open.count == before - 1, "seed \(self.seed): a request after leaving")
        }
        #expect(self.viewer.isGone, "seed \(self.seed)")
        #expect(self.viewer.machine.requestsInFlight == 0, "seed \(self.seed)")
        let notes = self.viewer.notes.count
        self.viewer.send(.timer(.reload))
        #expect(self.viewer.open.isEmpty && self.viewer.notes.count == notes, "seed \(self.seed): not gone for good")
        self.check(-1)
    }

    private mutating func check(_ step: Int) {
        for broken in self.brokenRules() {
            Issue.record("seed \(self.seed), step \(step): \(broken)")
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
        guard viewer.notes.count != self.notesChecked else { return broken }
        self.notesChecked = viewer.notes.count
        let outcomes = viewer.outcomes
        self.resolved = outcomes.count { $0 != .breakDue }
        if self.resolved > Set(viewer.scheduled.map(\.0.start)).count { broken.append("a break ended twice") }
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
            case .breakOnTime, .breakLate, .breakFailed, .breakSkipped(.noStreamID):
                guard isDue else { return false }
                isDue = false
            default:
                guard !isDue else { return false }
            }
        }
        return !isDue
    }

    private mutating func answerOne() throws {
        let request = self.viewer.take(at: Int(self.random.next() % UInt64(self.viewer.open.count)))
        guard !self.viewer.isSuperseded(request) else {
            self.superseded += 1
            self.viewer.answer(.unread, to: request)
            return
        }
        self.viewer.send(try self.answer(to: request))
    }

    private mutating func answer(to request: ScriptedViewer.Request) throws -> ViewerEvent {
        let fails = self.random.happens(0.15)
        switch request.role {
        case .registration:
            return fails
                ? .registrationFailed(status: [400, 429, 503, nil].randomElement(using: &self.random) ?? nil)
                : .registered(try .forTests)
        case .multivariant:
            return fails
                ? .playlistFailed(plannedAt: request.plannedAt)
                : .multivariant(try .forTests(), url: "http://127.0.0.1:8080/live/main/multivariant.m3u8")
        case .playlist:
            guard !fails else { return .playlistFailed(plannedAt: request.plannedAt) }
            self.version += self.random.happens(0.7) ? 1 : 0
            let shared = try SharedPlaylist.forTests(version: self.version, announced: self.announced)
            return .playlist(shared, plannedAt: request.plannedAt)
        case .segment: return .segmentFinished
        case .podManifest, .podRepeat, .podPlaylist, .podSegment:
            let content = try self.content(of: request.role, fails: fails)
            return .breakAnswered(BreakAnswer(request.role, serial: request.serial, index: request.index, content))
        case .metadata: return .metadata(nil)
        case .verification: return .pingAnswered
        case .assetList, .assetManifest, .beacon, .blockingPlaylist, .part, .steering:
            return .requestFinished(request.role, index: 0, succeeded: !fails)
        }
    }

    private mutating func content(of role: ViewerRole, fails: Bool) throws -> BreakAnswer.Content {
        switch role {
        case .podManifest:
            guard !fails else { return .failed(BreakLoadFailure(.podManifestFailed)) }
            let url = "http://127.0.0.1:8080/pod.m3u8"
            return self.random.happens(0.5)
                ? .multivariant(SharedMultivariant(try .forTests(), url: url))
                : .media(LoadedPod(try self.pod(), url: url))
        case .podPlaylist:
            guard !fails else { return .failed(BreakLoadFailure(.podPlaylistFailed)) }
            return .media(LoadedPod(try self.pod(), url: "http://127.0.0.1:8080/v0/pod.m3u8"))
        case .podSegment: return fails ? .failed(BreakLoadFailure(.segmentFailed)) : .segment
        default: return .unread
        }
    }

    private mutating func pod() throws -> MediaPlaylist {
        try .pod((0..<Int(self.random.next() % 4)).map { _ in Int(self.random.next() % 4000) })
    }
}
