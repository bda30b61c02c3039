package import Results
import Rules
package import TestSupport

/// Random deeds of viewers, done to several recorders alike.
package enum LoopScript {
    private static let breakStarts: [Int64] = [2, 15, 40, 65].map { ExampleRun.start + $0 * 1_000_000 }

    package static func act(on recorders: [LoopRecorder], loop: Int, using generator: inout SeededGenerator) {
        switch Int.random(in: 0..<13, using: &generator) {
        case 0..<5: request(on: recorders, using: &generator)
        case 5: count(on: recorders, using: &generator)
        case 6, 7: resolve(on: recorders, using: &generator)
        case 8, 9: pod(on: recorders, viewer: loop * 500 + Int.random(in: 0..<500, using: &generator), &generator)
        case 10: warn(on: recorders, using: &generator)
        case 11: find(on: recorders, viewer: loop * 500 + Int.random(in: 0..<500, using: &generator), &generator)
        default:
            let age = Int64.random(in: -1_000_000...20_000_000, using: &generator)
            for recorder in recorders { recorder.liveEdge(ageMicroseconds: age) }
        }
    }

    private static func slot(_ recorder: LoopRecorder, _ index: Int) -> BreakSlot {
        recorder.breakSlot(for: "break \(index)", start: breakStarts[index], durationMilliseconds: 5_000)
    }

    private static func request(on recorders: [LoopRecorder], using generator: inout SeededGenerator) {
        // Few kinds, because every distribution in use is walked through at every interval.
        let kinds: [RequestKind] = [.playlist, .podManifest]
        let kind = kinds[Int.random(in: 0..<kinds.count, using: &generator)]
        var sample = ExampleRun.sample(kind, at: ExampleRun.second, using: &generator)
        if Int.random(in: 0..<6, using: &generator) == 0 { sample.outcome = .failure(.reset) }
        if Int.random(in: 0..<9, using: &generator) == 0 { sample.outcome = .status(503) }
        if Int.random(in: 0..<40, using: &generator) == 0 { sample.doneAt = sample.sentAt + 4_000_000_000_000 }
        if Bool.random(using: &generator) { sample.carrier = .exchange }
        let index = Bool.random(using: &generator) ? Int.random(in: 0..<breakStarts.count, using: &generator) : nil
        let repeated = UInt64.random(in: 0...1, using: &generator)
        let edge = Edge(address: "192.0.2.\(Int.random(in: 1...3, using: &generator)):443", pop: "FRA")
        let wall = ExampleRun.start + Int64.random(in: 0..<60_000_000, using: &generator)
        for recorder in recorders {
            sample.breakSlot = index.map { slot(recorder, $0) } ?? .outside
            sample.edgeSlot = recorder.edgeSlot(of: edge)
            recorder.recordSlow(sample, at: wall, url: "/\(wall)", served: ServedBy(address: edge.address))
            recorder.countRepeated(kind, by: repeated)
        }
    }

    private static func count(on recorders: [LoopRecorder], using generator: inout SeededGenerator) {
        let counter = ViewerCounter.allCases[Int.random(in: 0..<ViewerCounter.allCases.count, using: &generator)]
        for recorder in recorders { recorder.count(counter, by: 3) }
    }

    private static func resolve(on recorders: [LoopRecorder], using generator: inout SeededGenerator) {
        let index = Int.random(in: 0..<breakStarts.count, using: &generator)
        let choice = Int.random(in: 0..<4, using: &generator)
        let after = Int64.random(in: -40_000_000_000...40_000_000_000, using: &generator)
        let persona = UInt8.random(in: 0...3, using: &generator)
        for recorder in recorders {
            let slot = slot(recorder, index)
            recorder.viewerDue(slot, of: Cohort(persona: persona))
            switch choice {
            case 0: recorder.viewerLate(slot, lateness: abs(after), of: Cohort(persona: persona))
            case 1: recorder.viewerFailed(slot, .segmentFailed, of: Cohort(persona: persona))
            case 2: recorder.viewerSkipped(slot, .leftBefore)
            default: recorder.viewerOnTime(slot, inHandAfterStart: after, of: Cohort(persona: persona))
            }
            recorder.sums.viewers.countViewer(persona: persona)
            recorder.liveLatency(microseconds: abs(after) / 1_000)
            recorder.withKeptBreak(slot) { $0.discovery.count(at: breakStarts[index] + after / 100_000) }
        }
    }

    private static func pod(on recorders: [LoopRecorder], viewer: Int, _ generator: inout SeededGenerator) {
        let index = Int.random(in: 0..<breakStarts.count, using: &generator)
        let identifier = "pod/\(Int.random(in: 0..<4, using: &generator))"
        let fingerprint = UInt64.random(in: (.max - 2)...(.max), using: &generator)
        let wall = breakStarts[index] + Int64.random(in: -35_000_000...35_000_000, using: &generator)
        for recorder in recorders {
            let slot = slot(recorder, index)
            recorder.podRequested(slot, identifier: identifier, viewer: viewer, wallMicroseconds: wall)
            recorder.give(
                .pod(identifier),
                fingerprint,
                to: viewer,
                in: slot,
                url: "\(viewer) \(wall)",
                observed: "seen"
            )
        }
    }

    private static func find(on recorders: [LoopRecorder], viewer: Int, _ generator: inout SeededGenerator) {
        let index = Int.random(in: -1..<breakStarts.count, using: &generator)
        let wall = ExampleRun.start + Int64.random(in: 0..<1_000, using: &generator)
        for recorder in recorders {
            let slot = index < 0 ? .outside : slot(recorder, index)
            recorder.find(.podUnderfilled, viewer: viewer, in: slot, at: wall, url: "\(wall)")
        }
    }

    /// More texts and hosts than a result lists.
    private static func warn(on recorders: [LoopRecorder], using generator: inout SeededGenerator) {
        let number = Int.random(in: 0..<40, using: &generator)
        for recorder in recorders {
            recorder.sums.warnings.count(number % 2 == 0 ? .podManifest : .registration, "warning \(number)")
            recorder.sums.leftOut.count(LeftOutLedger.Key(.metadata, host: "\(number).example.com", field: "target"))
            recorder.connectFailed(at: "192.0.2.\(number):443")
        }
    }
}
