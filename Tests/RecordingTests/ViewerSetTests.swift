import ExampleRuns
import Foundation
import Results
import TestSupport
import Testing
import Values

@Suite struct ViewerSetTests {
    @Test(arguments: 1...20 as ClosedRange<UInt64>) func behavesAsASetOfIntegers(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var bits = ViewerSet()
        var other = ViewerSet()
        var reference: Set<Int> = []
        for index in 0..<300 {
            let viewer = Int.random(in: 0..<2_000, using: &generator)
            if index % 2 == 0 {
                let wasIn = bits.contains(viewer)
                let isNew = bits.insert(viewer)
                #expect(isNew == !wasIn, "seed \(seed)")
            } else {
                other.insert(viewer)
            }
            reference.insert(viewer)
        }
        bits.formUnion(other)
        #expect(bits.count == reference.count, "seed \(seed)")
        #expect(bits.lowest == reference.min(), "seed \(seed)")
        #expect((0..<2_000).allSatisfy { bits.contains($0) == reference.contains($0) }, "seed \(seed)")
    }

    @Test(arguments: [-1, .min, ViewerSet.highestViewer, .max]) func numbersItCannotHoldAreCountedApart(viewer: Int) {
        var set = ViewerSet()
        let inserted = set.insert(viewer)
        #expect(!inserted && set.count == 0 && set.notHeld == 1)
        #expect(!set.contains(viewer))
    }

    @Test(arguments: [1, 2, 7, 64, 100, 4_096, 1_000_003])
    func aSetInStepsIsWrittenInAFewBytesAndReadAgain(step: Int) throws {
        var generator = SeededGenerator(seed: UInt64(step))
        for count in [0, 1, 2, 60] {
            var set = ViewerSet()
            for _ in 0..<count { set.insert(5 + step * Int.random(in: 0..<60, using: &generator)) }
            let read = try reread(set)
            #expect(read == set && read.lowest == set.lowest && read.notHeld == 0)
            #expect(try step < 64 || DocumentEncoding().encode(set).count < 100)
        }
    }

    @Test func equalityIgnoresHowStorageGrew() {
        var (small, grown, large) = (ViewerSet(), ViewerSet(), ViewerSet())
        small.insert(3)
        grown.insert(3)
        for viewer in [3, 900] { large.insert(viewer) }
        #expect(small == grown)
        #expect(small != large && large != small)
        for viewer in [62, 63, 64, 901] { large.insert(viewer) }
        #expect(large.ranges(atMost: 3) == ["3", "62-64", "900-901"] && large.ranges(atMost: 2) == ["3", "62-64"])
    }
}
