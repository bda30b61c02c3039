import Foundation
import Rulebook
import TestSupport
import Testing

@testable import Recording

@Suite struct EdgeTests {
    private func record(
        _ count: Int,
        on edge: Edge?,
        kind: RequestKind = .playlist,
        outcome: Outcome = .status(200),
        microseconds: Int64 = 1_000,
        _ recorder: LoopRecorder
    ) {
        let slot = edge.map { recorder.edgeSlot(of: $0) } ?? EdgeSlot.none
        for _ in 0..<count {
            recorder.record(
                RequestSample(
                    kind: kind,
                    outcome: outcome,
                    plannedAt: 1,
                    sentAt: 1,
                    doneAt: 1 + microseconds * 1_000,
                    edgeSlot: slot
                )
            )
        }
    }

    private func sums(_ recorders: [LoopRecorder]) -> EdgeSums {
        recorders.reduce(into: Accumulation()) { $0.add($1.finish()) }.edges
    }

    @Test func anEdgeIsAnAddressAndAPointOfPresence() {
        let recorder = LoopRecorder()
        let edges = [Edge(address: "a:1", pop: "FRA"), Edge(address: "a:1", pop: "AMS"), Edge(address: "b:1")]
        for (number, edge) in edges.enumerated() { record(number + 1, on: edge, recorder) }
        record(2, on: edges[0], kind: .podManifest, outcome: .status(503), microseconds: 9_000, recorder)
        record(3, on: edges[0], outcome: .failure(.reset), recorder)
        record(4, on: nil, outcome: .failure(.connectRefused), recorder)
        let sums = sums([recorder]).edges
        #expect(Set(sums.keys) == Set(edges + [.none]))
        #expect(sums[edges[0]]?[.playlist]?.count == 4 && sums[edges[0]]?[.playlist]?.errors == 3)
        // A reset has no time.
        #expect(sums[edges[0]]?[.playlist]?.response.count == 1)
        #expect(sums[edges[0]]?[.podManifest]?.errors == 2)
        #expect(sums[edges[0]]?[.podManifest]?.response.maximumMicroseconds == 9_000)
        #expect(sums[edges[1]]?[.playlist]?.count == 2)
        #expect(sums[.none]?[.playlist]?.count == 4)
    }

    @Test func pastTheLimitEdgesAreCountedTogether() {
        let recorder = LoopRecorder()
        for number in 0..<100 { record(1, on: Edge(address: "\(number):1"), recorder) }
        record(1, on: Edge(address: "99:1"), recorder)
        record(1, on: Edge(address: "0:1"), recorder)
        let sums = sums([recorder]).edges
        #expect(sums.count == EdgeSlot.limit + 1)
        #expect(sums[.others]?[.playlist]?.count == 37)
        #expect(sums[Edge(address: "0:1")]?[.playlist]?.count == 2)
    }

    @Test func theNamesOfOthersAreBounded() {
        let edge = Edge(address: "a", pop: String(repeating: "x", count: 10_000))
        #expect(edge.pop.count == 128)
    }

    /// The same edge has another number on each loop.
    @Test func loopsAndIntervalsAddUpWhateverTheirOrder() throws {
        var generator = SeededGenerator(seed: 5)
        let edges = (0..<8).map { Edge(address: "\($0):1", pop: $0 % 2 == 0 ? "FRA" : "") }
        let (whole, cut) = ((0..<3).map { _ in LoopRecorder() }, (0..<3).map { _ in LoopRecorder() })
        var intervals: [RunInterval] = []
        for number in 0..<5 {
            for _ in 0..<50 {
                let loop = Int.random(in: 0..<3, using: &generator)
                let edge = edges[Int.random(in: 0..<8, using: &generator)]
                let microseconds = Int64.random(in: 0..<100_000, using: &generator)
                for recorder in [whole[loop], cut[loop]] { record(1, on: edge, microseconds: microseconds, recorder) }
            }
            var interval = RunInterval(
                number: number,
                startMicroseconds: 0,
                endMicroseconds: 1,
                wallMicroseconds: 0,
                health: HealthSample(wallMicroseconds: 0)
            )
            for (index, recorder) in cut.enumerated() {
                var part = recorder.takeInterval()
                interval.add(part, index: index)
                if let set = part.takeClearedSet() { recorder.giveBack(set) }
            }
            let written = try JSONEncoder().encode(interval)
            #expect(try JSONDecoder().decode(RunInterval.self, from: written) == interval)
            intervals.append(interval)
        }
        let forth = intervals.reduce(into: Accumulation()) { $0.add($1) }
        let back = intervals.reversed().reduce(into: Accumulation()) { $0.add($1) }
        #expect(forth.edges == back.edges)
        #expect(forth.edges == sums(whole))
        #expect(sums(whole.reversed()) == sums(whole))
    }

    @Test(arguments: [
        #"[{"edge":{"address":"a","pop":""},"kinds":{"nothing":{"n":1}}}]"#,
        #"[{"edge":{"address":"a","pop":""},"kinds":{"playlist":{"n":1,"e":2}}}]"#,
        #"[{"edge":{"address":"a","pop":""},"kinds":{"playlist":{"n":-1}}}]"#,
        #"[{"edge":{"address":"a","pop":""},"kinds":{"playlist":{"n":1,"r":{"d":3}}}}]"#,
    ])
    func damagedSumsAreRefused(text: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(EdgeSums.self, from: Data(text.utf8)) }
    }
}
