import AdServing
import LoadProfile
import Rulebook
import Testing

@testable import Audience
@testable import Swarm
@testable import Viewer

/// Whatever comes when: what must hold for every viewer after every event.
@Suite struct ViewerInvariantTests {
    private static let seeds = 50

    @Test(arguments: 0..<8)
    func everySequenceOfEventsKeepsTheBooks(part: Int) {
        var resolved = 0
        var superseded = 0
        for seed in part * Self.seeds..<(part + 1) * Self.seeds {
            var script = RandomScript(seed: UInt64(seed))
            script.run()
            resolved += script.resolved
            superseded += script.superseded
        }
        // The walk must have been to the places that it is about.
        #expect(resolved > Self.seeds)
        #expect(superseded > 0)
    }
}

/// One viewer under a random plan, whose requests are answered late, wrongly or in any order.
private struct RandomScript {
    let seed: UInt64
    var random: ViewerChance
    let viewer: ScriptedCrowd
    private(set) var resolved = 0
    private(set) var superseded = 0
    private var version = 1
    private var notesChecked = -1

    init(seed: UInt64) {
        var random = ViewerChance(seed: 0xC0FFEE, viewer: Int(seed))
        let plan = Self.plan(&random)
        self.seed = seed
        self.random = random
        viewer = ScriptedCrowd(plan, number: Int(seed))
        // Its place is not given to another viewer.
        viewer.slot().isDeparting = true
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

    mutating func run() {
        viewer.join()
        for step in 0..<400 where !viewer.isGone {
            if random.happens(0.55), !viewer.open.isEmpty {
                answerOne()
            } else if random.happens(0.002) {
                viewer.leave()
            } else {
                viewer.advance(seconds: random.unit() * (random.happens(0.1) ? 6 : 0.6))
            }
            check(step)
        }
        if viewer.machine.phase != .leaving, !viewer.isGone { viewer.leave() }
        checkDeparture()
    }

    /// After leaving nothing is asked for, and the last answer ends it.
    private mutating func checkDeparture() {
        #expect(viewer.timers.isEmpty, "seed \(seed)")
        while let request = viewer.open.first {
            let before = viewer.open.count
            #expect(!viewer.isGone, "seed \(seed)")
            viewer.answer(request, .init())
            #expect(viewer.open.count == before - 1, "seed \(seed): a request after leaving")
        }
        #expect(viewer.isGone, "seed \(seed)")
        #expect(viewer.machine.requestsInFlight == 0, "seed \(seed)")
        let notes = viewer.notes.count
        viewer.fireNow(.reload)
        #expect(viewer.open.isEmpty && viewer.notes.count == notes, "seed \(seed): not gone for good")
        check(-1)
    }

    private mutating func check(_ step: Int) {
        for broken in brokenRules() {
            Issue.record("seed \(seed), step \(step): \(broken)")
        }
    }

    private mutating func brokenRules() -> [String] {
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
        if resolved > Set(viewer.scheduled.map(\.scheduled.key)).count { broken.append("a break ended twice") }
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

    private mutating func answerOne() {
        let request = viewer.open[Int(random.next() % UInt64(viewer.open.count))]
        if request.serial != 0, viewer.machine.facts.subject(ofSerial: request.serial) == nil { superseded += 1 }
        viewer.answer(request, random.happens(0.15) ? failure() : reply(to: request))
    }

    private mutating func failure() -> ScriptedCrowd.Reply {
        let statuses = [400, 403, 404, 429, 500, 503]
        return [.init(status: statuses[Int(random.next() % 6)]), .init(failure: .reset), .init(body: "<html>")]
            .randomElement(using: &random) ?? .init()
    }

    private mutating func reply(to request: ScriptedCrowd.Request) -> ScriptedCrowd.Reply {
        switch request.role {
        case .playlist:
            version += random.happens(0.7) ? 1 : 0
            return .init(body: AnswerBody.media(100 + version, header: Self.announced))
        case .podManifest where random.happens(0.5), .podRepeat: return .init(body: AnswerBody.multivariant)
        case .podManifest, .podPlaylist:
            let seconds = (0..<Int(random.next() % 4)).map { _ in Double(random.next() % 4000) / 1000 }
            return .init(body: AnswerBody.pod(seconds))
        default: return .init(body: AnswerBody.ordinary(request, version: version))
        }
    }

    private static let announced = (1..<12).map { AnswerBody.breakTag(at: Double($0 * 11), lasting: 6) }.joined()
}
