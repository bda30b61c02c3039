import TestSupport
import Testing

@testable import Origin

@Suite struct PodLayoutTests {
    @Test(
        arguments: [
            (pod: 30_000, ad: 10_000, segment: 2, ads: [10_000, 10_000, 10_000], last: 2_000),
            (24_500, 10_000, 2, [10_000, 10_000, 4_500], 500), (10_000, 15_000, 4, [10_000], 2_000),
            (15_000, 15_000, 8, [15_000], 7_000), (1, 10_000, 2, [1], 1), (10_001, 10_000, 2, [10_000, 1], 1),
        ]
    )
    func podIsFilledExactly(pod: Int64, ad: Int64, segment: Int, ads: [Int64], last: Int64) {
        let layout = PodLayout(podMicroseconds: pod * 1_000, adMicroseconds: ad * 1_000, segmentSeconds: segment)
        #expect(layout.ads.map(\.microseconds) == ads.map { $0 * 1_000 })
        #expect(layout.ads.last?.segments.last == last * 1_000)
    }

    @Test func anyPodAddsUpToItsDuration() {
        let seed: UInt64 = 11
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<1_000 {
            let pod = Int64.random(in: 1...3_600_000, using: &generator) * 1_000
            let ad = Int64.random(in: 1_000...60_000, using: &generator) * 1_000
            let segment = [1, 2, 4, 8].randomElement(using: &generator) ?? 1
            let layout = PodLayout(podMicroseconds: pod, adMicroseconds: ad, segmentSeconds: segment)
            let segments = layout.ads.flatMap(\.segments)
            #expect(segments.reduce(0, +) == pod, "seed \(seed)")
            #expect(layout.ads.reduce(0) { $0 + $1.microseconds } == pod, "seed \(seed)")
            let target = layout.targetDurationSeconds
            #expect(segments.allSatisfy { ($0 + 500_000) / 1_000_000 <= target }, "seed \(seed)")
            #expect(target <= segment, "seed \(seed)")
        }
    }

    @Test func emptyPodHasNoAds() {
        let layout = PodLayout(podMicroseconds: 0, adMicroseconds: 10, segmentSeconds: 2)
        #expect(layout.ads.isEmpty)
        #expect(layout.targetDurationSeconds == 1)
    }
}
