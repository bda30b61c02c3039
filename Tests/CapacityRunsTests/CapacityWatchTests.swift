import CapacityResult
import CapacityRuns
import Console
import Recording
import Rulebook
import RunJournal
import RunResult
import Synchronization
import Testing
import Time

@Suite struct CapacityWatchTests {
    private static let start: Int64 = 1_795_291_200_000_000

    /// What was told, and what was asked of the run.
    private final class Listener: Sendable {
        let told = Mutex<[JudgedBreak.Outcome]>([])
        let requests = RunRequests()

        var outcomes: [JudgedBreak.Outcome] { told.withLock { $0 } }

        var endedBy: String? {
            guard case .stopped(let reason) = requests.end else { return nil }
            return reason
        }
    }

    private static var settings: CollectorSettings {
        let host = CapacityDocument.new().search.host
        let run = RunDescription(
            profileName: "searched",
            profileDigest: "sha256:00ff",
            seed: 1,
            target: "embedded",
            startedAtMicroseconds: start,
            endedAtMicroseconds: start,
            loops: 1,
            transports: ["http/1.1"],
            tlsVerified: nil,
            host: host,
            asked: []
        )
        return CollectorSettings(
            run: run,
            thresholds: [],
            loopCores: 1,
            descriptorLimit: 20_000,
            windowMilliseconds: 5_000,
            warmUpMilliseconds: 0
        )
    }

    /// Ten viewers at each break, of whom so many have their pods in time.
    ///
    /// - Returns: The watch at the end of the run, and how many breaks there had been when it asked for that.
    private func watch(onTime: [Int], isEscalation: Bool, listener: Listener) -> (watch: CapacityWatch, breaks: Int?) {
        let timetable = RunTimetable(sizes: onTime.map { _ in 10 }, spacing: .seconds(8), joinsPerSecond: 10)
        let watch = CapacityWatch(
            rule: HoldRule(ofProfile: []),
            timetable: timetable,
            timing: BreakJudge.Timing(
                leadMicroseconds: 1_000_000,
                graceMicroseconds: 1_000_000,
                patienceMicroseconds: 4_000_000
            ),
            endsAfterTwoMissed: isEscalation,
            requests: listener.requests
        ) { judged in
            listener.told.withLock { $0.append(judged.outcome) }
        }
        let collector = RunCollector(Self.settings)
        let recorder = LoopRecorder()
        recorder.count(.joined, by: 10)
        var endedAt: Int?
        for second in 0..<(timetable.duration.millisecondsHeld / 1_000) {
            let now = Duration.seconds(second)
            let begun = timetable.breaks.count { $0 <= now }
            if let index = timetable.breaks.firstIndex(of: now) {
                let at = Self.start + second * 1_000_000
                let slot = recorder.breakSlot(for: "break \(index)", start: at, durationMilliseconds: 5_000)
                for viewer in 0..<10 {
                    recorder.viewerDue(slot)
                    if viewer < onTime[index] {
                        recorder.viewerOnTime(slot, inHandAfterStart: 0)
                    } else {
                        recorder.viewerFailed(slot, .podManifestFailed)
                    }
                }
            }
            var interval = RunInterval(
                number: Int(second),
                startMicroseconds: second * 1_000_000,
                endMicroseconds: (second + 1) * 1_000_000,
                wallMicroseconds: Self.start + (second + 1) * 1_000_000,
                health: HealthSample(wallMicroseconds: Self.start + (second + 1) * 1_000_000)
            )
            var part = recorder.takeInterval()
            interval.add(part, index: 0)
            if let set = part.takeClearedSet() { recorder.giveBack(set) }
            watch.telling(interval, of: collector)(true)
            if endedAt == nil, listener.requests.end != nil { endedAt = begun }
        }
        return (watch, endedAt)
    }

    @Test func anEscalationEndsAfterTwoMissedBreaksInARow() {
        let listener = Listener()
        let ended = watch(onTime: [10, 4, 10, 4, 3, 10], isEscalation: true, listener: listener)
        #expect(ended.breaks == 5)
        #expect(listener.endedBy == CapacityRunResult.twoMissed)
        #expect(listener.outcomes == [.held, .missed, .held, .missed, .missed, .held])
        #expect(ended.watch.breaks.map(\.outcome) == listener.outcomes)
        #expect(ended.watch.breaks.map(\.planned) == [10, 10, 10, 10, 10, 10])
        // The next run may go on.
        listener.requests.goOn()
        #expect(listener.requests.end == nil)
    }

    @Test func anotherRunGoesOnToItsEnd() {
        let listener = Listener()
        let ended = watch(onTime: [4, 3, 2], isEscalation: false, listener: listener)
        #expect(ended.breaks == nil)
        #expect(listener.outcomes == [.missed, .missed, .missed])
    }

    @Test func beforeTheRunThereAreNoBreaks() {
        let listener = Listener()
        let ended = watch(onTime: [], isEscalation: true, listener: listener)
        #expect(ended.watch.breaks.isEmpty)
        #expect(ended.watch.problems.isEmpty)
    }
}
