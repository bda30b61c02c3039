import TestSupport
import Testing

@testable import Tools

@Suite struct ViewerTableTests {
    @Test func tooManyViewersAreSampledByTheirHashes() {
        let table = ViewerTable(most: 3200, gap: 40)
        var random = SeededGenerator(seed: 4)
        let hashes = (0..<40_000).map { _ in random.next() as UInt64 }
        for hash in hashes { table.update(hash) { $0.requests += 1 } }
        #expect(table.weight == 16)
        let left = table.entries
        #expect(abs(left.count * table.weight - 40_000) < 4_000, "\(left.count)")
        // A viewer that is left has been there since it came first.
        #expect(Set(left.keys) == Set(hashes.filter { $0 >> 60 == 0 }))
        #expect(left.allSatisfy { table[$0.key]?.requests == 1 })
    }

    @Test func staysJoinWhereTheyAreNear() {
        let table = ViewerTable(most: 4, gap: 40)
        func ended(_ viewer: UInt64, _ first: Int32, _ last: Int32) -> ViewerTable.Ended {
            ViewerTable.Ended(viewer: viewer, stay: Stay(first: first, last: last))
        }
        let stays = [
            ended(2, 300, 310), ended(1, 150, 160), ended(1, 300, 310), ended(1, 200, 210), ended(2, 0, 10),
            ended(1, 0, 10), ended(1, 100, 110),
        ]
        let joined = [ended(1, 0, 10), ended(1, 100, 210), ended(1, 300, 310), ended(2, 0, 10), ended(2, 300, 310)]
        #expect(table.joined(stays) == joined)
    }

    /// More stays than are held take viewers with them.
    @Test func tooManyStaysAreSampledAsWell() {
        let table = ViewerTable(most: 100, gap: 40)
        var random = SeededGenerator(seed: 5)
        let hashes = (0..<20).map { _ in random.next() as UInt64 }
        for hash in hashes { table.update(hash) { _ in } }
        for number in 0..<10_000 {
            let hash = hashes[number % hashes.count]
            table.update(hash) { _ in }
            guard table[hash] != nil else { continue }
            table.ended.append(
                .init(viewer: hash, stay: Stay(first: Int32(number * 100), last: Int32(number * 100 + 1)))
            )
            table.makeRoomForStays()
        }
        #expect(table.ended.count <= 100 && table.weight > 1)
        #expect(table.ended.allSatisfy { table[$0.viewer] != nil })
    }
}
