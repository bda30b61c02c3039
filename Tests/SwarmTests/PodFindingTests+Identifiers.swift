import Foundation
import Recording
import Rulebook
import RunResult
import Testing

@testable import Swarm
@testable import Viewer

// The names of one break beside those of others.
extension PodFindingTests {
    /// What is found where three viewers ask for these pods, in breaks of 10 s every 20 s.
    private func found(_ identifiers: [String], starts: [Int64]? = nil) -> [Finding] {
        let recorder = LoopRecorder()
        for (index, identifier) in identifiers.enumerated() {
            let start = (starts?[index] ?? Int64(index) * 20) * 1_000_000
            let slot = recorder.breakSlot(for: "break \(index)", start: start, durationMilliseconds: 10_000)
            guard !identifier.isEmpty else { continue }
            for viewer in 0..<3 {
                recorder.podRequested(slot, identifier: identifier, viewer: viewer, wallMicroseconds: start)
            }
        }
        return RunTotals(merging: [recorder.finish()]).findings
    }

    private func described(_ findings: [Finding]) -> [String] {
        findings.map { "\($0.code.code) in \($0.breakKey ?? "") by \($0.viewers.count)" }
    }

    @Test func breakIdentifierSplit() {
        let recorder = LoopRecorder()
        let slot = recorder.breakSlot(for: "k", start: 0, durationMilliseconds: 10_000)
        for viewer in 0..<2 {
            recorder.podRequested(slot, identifier: "pod/7", viewer: viewer, wallMicroseconds: 0)
        }
        #expect(RunTotals(merging: [recorder.finish()]).findings.isEmpty)
        recorder.podRequested(slot, identifier: "pod/8", viewer: 2, wallMicroseconds: 0)
        #expect(described(RunTotals(merging: [recorder.finish()]).findings) == ["break_identifier_split in k by 1"])
    }

    /// Of a start that packagers round apart, two names may be made; what some made of one start differs by something else.
    @Test(
        arguments: [
            (["a": [0], "b": [20]], []), (["a": [0], "b": [42]], []), (["a": [0, 10], "b": [20, 30]], []),
            (["a": [0, 0], "b": [0]], ["break_identifier_split in k by 1"]),
            (["a": [0, 20, 20], "b": [10]], ["break_identifier_split in k by 1"]),
            (["a": [0, 0], "b": [43]], ["break_identifier_split in k by 1"]),
            (["a": [0, 0], "b": [nil]], ["break_identifier_split in k by 1"]),
            (["a": [0, 0, 0], "b": [20, 20], "c": [5_000]], ["break_identifier_split in k by 1"]),
        ] as [([String: [Int64?]], [String])]
    )
    func namesOfARoundedStartAreNoSplit(starts: [String: [Int64?]], found: [String]) throws {
        var recorders: [LoopRecorder] = []
        var viewer = 0
        for (name, told) in starts.sorted(by: { $0.key < $1.key }) {
            let recorder = LoopRecorder()
            recorders.append(recorder)
            let slot = recorder.breakSlot(for: "k", start: 0, durationMilliseconds: 10_000)
            for start in told {
                recorder.podRequested(
                    slot,
                    identifier: name,
                    viewer: viewer,
                    breakStart: start.map { $0 * 1_000 },
                    wallMicroseconds: 0
                )
                viewer += 1
            }
        }
        let loops = recorders.map { $0.finish() }
        #expect(described(RunTotals(merging: loops).findings) == found)
        #expect(described(RunTotals(merging: loops.reversed()).findings) == found)
        for record in loops.flatMap(\.breaks) {
            #expect(try JSONDecoder().decode(BreakRecord.self, from: JSONEncoder().encode(record)) == record)
        }
    }

    @Test func breakIdentifierReused() {
        let name = "ad_break_id/mid-roll-5"
        #expect(described(found([name, "ad_break_id/x", name])) == ["break_identifier_reused in break 2 by 3"])
        #expect(described(found(["pod/4", "pod/4"])) == ["break_identifier_reused in break 1 by 3"])
        // Announced twice, a second apart: one break.
        #expect(found([name, name], starts: [0, 1]).isEmpty)
        // That they are interstitials is no name.
        #expect(found(["interstitial", "interstitial"]).isEmpty)
    }

    @Test func breakIdentifierSkipped() {
        #expect(found(["pod/4", "pod/5", "pod/6"]).isEmpty)
        #expect(described(found(["pod/4", "pod/5", "pod/7"])) == ["break_identifier_skipped in break 2 by 3"])
        // The count that goes on from there is as good as the one before.
        let stays = ["pod/4", "pod/5", "pod/7", "pod/8", "pod/9"]
        #expect(described(found(stays)) == ["break_identifier_skipped in break 2 by 3"])
        // One that stood alone is the one to blame.
        let alone = ["pod/4", "pod/5", "pod/900", "pod/7", "pod/8"]
        #expect(described(found(alone)) == ["break_identifier_skipped in break 2 by 3"])
        // A break that nobody asked for had its number.
        #expect(found(["pod/4", "pod/5", "", "pod/7"]).isEmpty)
        // Numbers that never counted breaks leave none out.
        #expect(found(["pod/1000", "pod/1020", "pod/1040"]).isEmpty)
    }

    @Test func breakIdentifierBackwards() {
        #expect(described(found(["pod/4", "pod/5", "pod/2"])) == ["break_identifier_backwards in break 2 by 3"])
        #expect(described(found(["pod/4", "pod/3"])) == ["break_identifier_backwards in break 1 by 3"])
        let anew = ["pod/4", "pod/5", "pod/1", "pod/2", "pod/3"]
        #expect(described(found(anew)) == ["break_identifier_backwards in break 2 by 3"])
        let alone = ["pod/40", "pod/41", "pod/3", "pod/43"]
        #expect(described(found(alone)) == ["break_identifier_backwards in break 2 by 3"])
    }
}
