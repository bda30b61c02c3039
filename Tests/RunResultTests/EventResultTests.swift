import ExampleRuns
import Testing

@testable import Recording
@testable import Rulebook
@testable import RunResult

@Suite struct EventResultTests {
    private func totals(_ counts: [ViewerCounter: UInt64]) -> RunTotals {
        let recorder = LoopRecorder()
        for (counter, count) in counts { recorder.count(counter, by: count) }
        return RunTotals(merging: [recorder.finish()])
    }

    private func document(_ counts: [ViewerCounter: UInt64], isOver: Bool = true) -> ResultDocument {
        ResultDocument(
            run: ExampleRun.description(),
            totals: totals(counts),
            health: HealthLog(loopCores: 1, descriptorLimit: 1_024),
            series: TimeSeries(),
            rules: [],
            isOver: isOver
        )
    }

    private static let balanced: [ViewerCounter: UInt64] = [
        .eventsScheduled: 100, .eventsStarted: 80, .eventsFinished: 60, .eventsCutShort: 20, .eventsCancelled: 1,
        .eventsFailed: 2, .eventsSkipped: 3, .eventsLeft: 14, .eventsRestricted: 7, .eventsChanged: 9,
    ]

    @Test func everyScheduledEventComesToOneEnd() {
        let document = document(Self.balanced)
        #expect(document.events?.scheduled == 100)
        #expect(document.events?.unaccounted == 0)
        #expect(document.events?.ends.map(\.count) == [60, 20, 1, 2, 3, 14])
        #expect(document.verdict.outcome == .passed)
    }

    @Test(arguments: [
        ViewerCounter.eventsScheduled, .eventsFinished, .eventsCutShort, .eventsCancelled, .eventsFailed,
        .eventsSkipped, .eventsLeft,
    ])
    func anEventThatIsLostIsADefectOfPodswarm(counter: ViewerCounter) {
        var counts = Self.balanced
        counts[counter, default: 0] += 1
        let document = document(counts)
        #expect(document.events?.unaccounted == (counter == .eventsScheduled ? 1 : -1))
        #expect(document.verdict.outcome == .defect)
        #expect(document.verdict.exitCode == 70)
        #expect(document.verdict.reasons.contains { $0.contains("do not add up") })
    }

    @Test(arguments: [ViewerCounter.eventsStarted, .eventsRestricted, .eventsChanged])
    func whatIsNoEndDoesNotCountAsOne(counter: ViewerCounter) {
        var counts = Self.balanced
        counts[counter, default: 0] += 1
        #expect(document(counts).verdict.outcome == .passed)
    }

    @Test func eventsThatStillGoOnAreNoDefect() {
        let document = document([.eventsScheduled: 5, .eventsFinished: 3], isOver: false)
        #expect(document.events?.unaccounted == 2)
        #expect(document.verdict.outcome == .passed)
    }

    @Test func aRunWithoutEventsDoesNotTellOfThem() {
        #expect(document([.joined: 5]).events == nil)
        #expect(document([.joined: 5]).playback == nil)
        #expect(document([.joined: 5]).audience == nil)
    }

    @Test func playbackTellsOfStallsAndDirectives() {
        let document = document([
            .stalls: 3, .stalledMilliseconds: 4_500, .blockingReloads: 10, .deltaUpdates: 8, .deltaRefetches: 1,
        ])
        #expect(document.playback?.stalls == 3)
        #expect(document.playback?.stalledMilliseconds == 4_500)
        #expect(document.playback?.lowLatency?.deltaUpdates == 8)
        #expect(document.playback?.lowLatency?.deltaMismatches == 0)
        #expect(self.document([.stalls: 3]).playback?.lowLatency == nil)
    }
}
