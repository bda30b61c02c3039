import Rules
import Testing

@testable import Results

@Suite struct PersonaTallyTests {
    private static let start: Int64 = 1_795_291_200_000_000
    private static let second: Int64 = 1_000_000_000

    @Test func eachPersonaHasItsOwnPunctuality() throws {
        let recorder = LoopRecorder()
        let slot = recorder.breakSlot(for: "a", start: Self.start, durationMilliseconds: 30_000)
        for viewer in 0..<10 {
            let persona: UInt8 = viewer < 4 ? 0 : 2
            recorder.viewerDue(slot, of: Cohort(persona: persona))
            switch viewer {
            case 0, 4, 5: recorder.viewerOnTime(slot, inHandAfterStart: -Self.second, of: Cohort(persona: persona))
            case 1: recorder.viewerLate(slot, lateness: Self.second, of: Cohort(persona: persona))
            case 6: recorder.viewerFailed(slot, .deadlineMissed, of: Cohort(persona: persona))
            case 7: recorder.viewerFailed(slot, .noSession, of: Cohort(persona: persona))
            default: break
            }
        }
        let record = try #require(RunTotals(merging: [recorder.whole()]).breaks.first)
        #expect((record.personas.each.map(\.due), record.personas.each.map(\.onTime)) == ([4, 0, 6], [1, 0, 2]))
        #expect((record.personas.each.map(\.late), record.personas.each.map(\.failed)) == ([1, 0, 0], [0, 0, 2]))
        #expect(record.personas.each.map(\.unresolved) == [2, 0, 2])
        #expect(record.personas.each.reduce(0) { $0 + $1.unresolved } == record.unresolved)
    }

    /// A pod in hand 2 s before a playhead that is 18 s behind the wall clock was there 16 s after the break's start.
    @Test func thePlayheadIsWhereInHandAndItsDistanceSay() throws {
        let recorder = LoopRecorder()
        let slot = recorder.breakSlot(for: "a", start: Self.start, durationMilliseconds: 30_000)
        recorder.viewerOnTime(
            slot,
            inHandAfterStart: -2 * Self.second,
            wallMicroseconds: Self.start + 16_000_000,
            of: Cohort(persona: 1)
        )
        recorder.viewerLate(
            slot,
            lateness: 3 * Self.second,
            wallMicroseconds: Self.start + 23_000_000,
            of: Cohort(persona: 1)
        )
        recorder.viewerOnTime(slot, inHandAfterStart: -2 * Self.second, of: Cohort(persona: 0))
        let totals = RunTotals(merging: [recorder.whole()])
        #expect(totals.liveLatency.count == 2, "one is at the live edge")
        #expect(totals.liveLatency.minimumMicroseconds == 18_000_000)
        #expect(totals.liveLatency.maximumMicroseconds == 20_000_000)
        let record = try #require(totals.breaks.first)
        #expect((record.personas[1].playheadFirst, record.personas[1].playheadLast) == (18_000_000, 20_000_000))
        #expect((record.personas[1].playheadMean, record.personas[0].playheadMean) == (19_000_000, 0))
        #expect(record.personas[5].playheadMean == nil)
    }

    @Test func personasPastTheLastPlaceShareIt() throws {
        let recorder = LoopRecorder()
        let slot = recorder.breakSlot(for: "a", start: Self.start, durationMilliseconds: 30_000)
        for persona in [14, 15, 16, 255] as [UInt8] {
            recorder.viewerDue(slot, of: Cohort(persona: persona))
            recorder.sums.viewers.countViewer(persona: persona)
        }
        let totals = RunTotals(merging: [recorder.whole()])
        let record = try #require(totals.breaks.first)
        #expect(record.personas.each.count == 16)
        #expect(record.personas[14].due == 1 && record.personas[15].due == 3)
        #expect(totals.viewers.byPersona == [UInt64](repeating: 0, count: 14) + [1, 3])
    }
}
