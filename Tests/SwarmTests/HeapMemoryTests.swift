import HLS
import Swarm
import Testing
import Time
import Viewer

@Suite struct HeapMemoryTests {
    /// The seconds at which memory is given back, where intervals end up to 40 ms early or late.
    private func seconds(window: Int64, over length: Int64, isQuiet: (Int64) -> Bool) -> [Int64] {
        var memory = HeapMemory(windowMilliseconds: window)
        return (1...length).filter { second in
            let end = second * 1_000_000 + (second.isMultiple(of: 2) ? -40_000 : 40_000)
            return memory.isDue(endMicroseconds: end, isQuiet: isQuiet(second))
        }
    }

    @Test func itIsDueOnceAWindow() {
        #expect(seconds(window: 60_000, over: 300) { _ in true } == [60, 120, 180, 240, 300])
        #expect(seconds(window: 10_000, over: 35) { _ in true } == [10, 20, 30])
    }

    @Test func shortWindowsCountAsTenSeconds() {
        #expect(seconds(window: 1_000, over: 35) { _ in true } == [10, 20, 30])
        #expect(seconds(window: 0, over: 12) { _ in true } == [10])
    }

    @Test func itWaitsForAQuietMomentButNotForEver() {
        #expect(seconds(window: 60_000, over: 150) { !(55...85).contains($0) } == [86, 120])
        #expect(seconds(window: 10_000, over: 65) { _ in false } == [30, 60])
    }

    @Test func aWindowLongerThanAllTimeIsNeverDue() {
        #expect(seconds(window: .max, over: 100) { _ in true } == [])
    }

    @Test func aMomentIsQuietAwayFromBreaks() {
        let now = WallTime(microseconds: 1_800_000_000_000_000)
        var pulse = SwarmPulse()
        #expect(pulse.isQuiet(at: now, podRequests: 0))
        #expect(!pulse.isQuiet(at: now, podRequests: 1))
        for (offset, isQuiet) in [(5, true), (4, false), (0, false), (-3, false)] {
            pulse.nextBreakStart = now + .seconds(offset)
            #expect(pulse.isQuiet(at: now, podRequests: 0) == isQuiet, "a break in \(offset) s")
        }
        pulse.nextBreakStart = nil
        pulse.viewersByPhase[Int(ViewerMachine.Phase.inBreak.rawValue)] = 1
        #expect(!pulse.isQuiet(at: now, podRequests: 0))
    }

    @Test func givingBackNothingIsHarmless() {
        HeapMemory.giveBack()
        HeapMemory.giveBack()
    }
}
