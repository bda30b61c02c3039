import ExampleRuns
import Rules
import TestSupport
import Testing

@testable import Results

@Suite struct EdgeTests {
    private func record(_ count: Int, on edge: Edge?, _ recorder: LoopRecorder, _ sample: RequestSample = .ended()) {
        var sample = sample
        sample.edgeSlot = edge.map { recorder.edgeSlot(of: $0) } ?? EdgeSlot.none
        for _ in 0..<count { recorder.record(sample) }
    }

    private func sums(_ recorders: [LoopRecorder]) -> [Edge: [RequestKind: AnswerFigures]] {
        recorders.reduce(into: RunSums()) { $0.add($1.takeInterval()) }.edges
    }

    @Test func anEdgeIsAnAddressAndAPointOfPresence() {
        let recorder = LoopRecorder()
        let edges = [Edge(address: "a:1", pop: "FRA"), Edge(address: "a:1", pop: "AMS"), Edge(address: "b:1")]
        for (number, edge) in edges.enumerated() { record(number + 1, on: edge, recorder) }
        record(2, on: edges[0], recorder, .ended(.status(503), .podManifest, after: 9_000))
        record(3, on: edges[0], recorder, .ended(.failure(.reset)))
        record(4, on: nil, recorder, .ended(.failure(.connectRefused)))
        let sums = sums([recorder])
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
        let sums = sums([recorder])
        #expect((sums.count, sums[.others]?[.playlist]?.count) == (EdgeSlot.limit + 1, 37))
        #expect(sums[Edge(address: "0:1")]?[.playlist]?.count == 2)
    }

    @Test func theNamesOfOthersAreBounded() {
        let edge = Edge(address: "a", pop: String(repeating: "x", count: 10_000))
        #expect(edge.pop.count == 128)
    }
}
