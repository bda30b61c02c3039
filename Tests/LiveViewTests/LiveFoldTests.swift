import Foundation
import JSON
import Recording
import Report
import Rulebook
import RunResult
import Testing

@testable import LiveView

@Suite struct LiveFoldTests {
    @Test func ratesAreOfTheTimeThatPassed() {
        var fold = LiveFold()
        let recorder = LoopRecorder()
        _ = fold.take(LiveExample.state(recorder), at: 1)
        for _ in 0..<30 { recorder.record(LiveExample.sample(.playlist, responseMicroseconds: 1_000)) }
        recorder.record(LiveExample.sample(.segment, .status(500), responseMicroseconds: 1_000))
        let update = fold.take(LiveExample.state(recorder), at: 3)
        #expect(update.point.requestsPerSecond == 15.5)
        #expect(update.point.errorsPerSecond == 0.5)
        #expect(update.point.spanSeconds == 2)
        #expect(update.requests == 31)
    }

    @Test func anIntervalKnowsNothingOfTheTimeBeforeIt() throws {
        var fold = LiveFold()
        let recorder = LoopRecorder()
        for _ in 0..<1_000 { recorder.record(LiveExample.sample(.playlist, responseMicroseconds: 900_000)) }
        _ = fold.take(LiveExample.state(recorder), at: 1)
        for _ in 0..<10 { recorder.record(LiveExample.sample(.playlist, responseMicroseconds: 1_000)) }
        let update = fold.take(LiveExample.state(recorder), at: 2)
        let latency = try #require(update.latencies.first { $0.kind == "playlist" })
        #expect(latency.interval?.count == 10)
        #expect(latency.interval?.p99Microseconds == 1_000)
        #expect(latency.interval?.maximumMicroseconds == 1_000)
        #expect(latency.total?.count == 1_010)
        #expect(try #require(latency.total).p50Microseconds >= 899_000)
        let silent = fold.take(LiveExample.state(recorder), at: 3)
        #expect(silent.latencies.first?.interval == nil)
        #expect(silent.point.playlistP99Microseconds == nil)
    }

    @Test func breaksComeNewestFirstAndAddUp() throws {
        var fold = LiveFold()
        let update = fold.take(LiveExample.filled(), at: 1)
        #expect(update.breaks.map(\.key) == ["second", "first"])
        for record in update.breaks {
            #expect(record.onTime + record.late + record.failed + record.unresolved == record.due)
        }
        #expect(update.breaks[1].reasons == ["pod_empty": 1, "pod_manifest_failed": 1])
        let burst = try #require(update.breaks[0].burst)
        #expect(burst.firstMilliseconds == 0 && burst.stepMilliseconds == 5)
        // Ten requests, 40 ms apart.
        #expect(burst.counts == (0...72).map { $0.isMultiple(of: 8) ? 1 : 0 })
        #expect(update.breaks[1].burst == nil)
        #expect(update.due == 20)
        #expect(update.onTime == 11)
    }

    @Test func whoIsToWatchStandsBesideWhoDoesWhereTheProfileHasACurve() throws {
        var fold = LiveFold()
        var state = LiveExample.state(LoopRecorder())
        #expect(fold.take(state, at: 1).point.plannedViewers == nil)
        state.audienceCurve = PlannedAudience(shape: "steps", stepMilliseconds: 1_000, viewers: [0, 10, 10, 40])
        #expect([2, 2.5, 3, 90].map { fold.take(state, at: $0).point.plannedViewers } == [10, 25, 40, 40])
        #expect(fold.history.points.compactMap(\.plannedViewers) == [10, 25, 40, 40])
        let json = try DocumentEncoding().encode(fold.history.points.last)
        #expect(String(decoding: json, as: UTF8.self).contains("\"planned_viewers\":40"))
    }

    @Test func onlyADozenBreaksAreShown() {
        let recorder = LoopRecorder()
        for number in 0..<50 {
            let slot = recorder.breakSlot(
                for: "b\(number)",
                start: LiveExample.start + Int64(number),
                durationMilliseconds: 1_000
            )
            recorder.viewerDue(slot)
        }
        var fold = LiveFold()
        let breaks = fold.take(LiveExample.state(recorder), at: 1).breaks
        #expect(breaks.map(\.key) == (38...49).reversed().map { "b\($0)" })
    }

    @Test func findingsCarryTheirFirstEvidence() throws {
        var fold = LiveFold()
        let findings = fold.take(LiveExample.filled(), at: 1).findings
        #expect(findings.map(\.code) == ["break_identifier_split", "empty_pod"])
        let empty = try #require(findings.last)
        #expect(empty.severity == "broken")
        #expect(empty.observed == "<none>")
        #expect(empty.firstSeenMicroseconds == LiveExample.start + 60_000)
    }

    @Test func anUpdateIsSmall() throws {
        var fold = LiveFold()
        let update = fold.take(LiveExample.filled(), at: 1)
        #expect(try DocumentEncoding().encode(update).count < 8_000)
        #expect(try DocumentDecoding().decode(LiveUpdate.self, from: DocumentEncoding().encode(update)) == update)
    }

    @Test(arguments: [1, 2, 3, 599, 600, 601, 1_199, 1_201, 5_000])
    func historyKeepsTheWholeRunWithinItsLimit(seconds: Int) throws {
        var history = LiveHistory()
        for second in 1...seconds { history.append(Self.point(second)) }
        #expect(history.points.count <= 600)
        #expect(history.points.count >= min(seconds, 300))
        #expect(history.points.reduce(0) { $0 + $1.spanSeconds } == Double(seconds))
        let requests = history.points.reduce(0) { $0 + $1.requestsPerSecond * $1.spanSeconds }
        #expect(abs(requests - Double(seconds * (seconds + 1) / 2)) < 1e-3 * Double(seconds))
        #expect(history.points.last?.atSeconds == Double(seconds))
        #expect(history.points.compactMap(\.podP99Microseconds).max() == Int64(seconds))
        #expect(history.points.map(\.atSeconds) == history.points.map(\.atSeconds).sorted())
    }

    private static func point(_ second: Int) -> LivePoint {
        LivePoint(
            atSeconds: Double(second),
            spanSeconds: 1,
            requestsPerSecond: Double(second),
            errorsPerSecond: 0,
            viewers: 1,
            playlistP99Microseconds: nil,
            podP99Microseconds: Int64(second),
            latenessMaximumMicroseconds: 0,
            loopDelayMaximumMicroseconds: 0,
            cpuCores: 0,
            residentBytes: 0
        )
    }
}
