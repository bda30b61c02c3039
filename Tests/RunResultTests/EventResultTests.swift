import ExampleRuns
import Testing

@testable import Results
@testable import Rules

@Suite struct EventResultTests {
    private func document(_ counts: [ViewerCounter: UInt64], isOver: Bool = true) -> ResultDocument {
        let totals = RunTotals { for (counter, count) in counts { $0.count(counter, by: count) } }
        return ResultDocument(of: totals, isOver: isOver)
    }

    private static let balanced: [ViewerCounter: UInt64] = [
        .eventsScheduled: 100, .eventsStarted: 80, .eventsFinished: 60, .eventsCutShort: 20, .eventsCancelled: 1,
        .eventsFailed: 2, .eventsSkipped: 3, .eventsLeft: 14, .eventsRestricted: 7, .eventsChanged: 9,
    ]

    @Test func everyScheduledEventComesToOneEnd() {
        let document = document(Self.balanced)
        #expect((document.events?.scheduled, document.events?.unaccounted) == (100, 0))
        #expect((document.events?.ends.map(\.count), document.verdict.outcome) == ([60, 20, 1, 2, 3, 14], .passed))
    }

    @Test(arguments: [
        ViewerCounter.eventsScheduled, .eventsFinished, .eventsCutShort, .eventsCancelled, .eventsFailed,
        .eventsSkipped, .eventsLeft,
    ]) func anEventThatIsLostIsADefectOfPodswarm(counter: ViewerCounter) {
        let document = document(Self.balanced.merging([counter: 1], uniquingKeysWith: +))
        #expect(document.events?.unaccounted == (counter == .eventsScheduled ? 1 : -1))
        #expect((document.verdict.outcome, document.verdict.exitCode) == (.defect, 70))
        #expect(document.verdict.reasons.contains { $0.contains("do not add up") })
    }

    @Test(arguments: [ViewerCounter.eventsStarted, .eventsRestricted, .eventsChanged])
    func whatIsNoEndDoesNotCountAsOne(counter: ViewerCounter) {
        let counts = Self.balanced.merging([counter: 1], uniquingKeysWith: +)
        #expect(document(counts).verdict.outcome == .passed)
    }

    @Test func eventsThatStillGoOnAreNoDefect() {
        let document = document([.eventsScheduled: 5, .eventsFinished: 3], isOver: false)
        #expect((document.events?.unaccounted, document.verdict.outcome) == (2, .passed))
    }

    @Test func aRunWithoutEventsDoesNotTellOfThem() {
        let document = document([.joined: 5])
        #expect(document.events == nil && document.playback == nil && document.audience == nil)
    }

    @Test func playbackTellsOfStallsAndDirectives() {
        let document = document([
            .stalls: 3, .stalledMilliseconds: 4_500, .blockingReloads: 10, .deltaUpdates: 8, .deltaRefetches: 1,
        ])
        #expect((document.playback?.stalls, document.playback?.stalledMilliseconds) == (3, 4_500))
        #expect(document.playback?.lowLatency?.deltaUpdates == 8)
        #expect(document.playback?.lowLatency?.deltaMismatches == 0)
        #expect(self.document([.stalls: 3]).playback?.lowLatency == nil)
    }
}
