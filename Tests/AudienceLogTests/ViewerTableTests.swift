import TestSupport
import Testing

@testable import AudienceLog

@Suite struct ViewerTableTests {
    @Test func viewersAreFoundAgainWhileItGrows() throws {
        let table = ViewerTable(mostPlaces: 1 << 16)
        var random = SeededGenerator(seed: 3)
        let hashes = (0..<30_000).map { _ in random.next() as UInt64 }
        for (index, hash) in hashes.enumerated() {
            let place = try #require(table.place(of: hash))
            table.entries[place].requests = UInt32(index)
        }
        for (index, hash) in hashes.enumerated() {
            let place = try #require(table.place(of: hash))
            #expect(table.entries[place].requests == UInt32(index))
        }
        #expect((table.count, table.weight) == (30_000, 1))
        #expect(table.place(of: 0) == table.place(of: 1))
    }

    @Test func whatIsTooMuchIsSampledByItsHash() throws {
        let table = ViewerTable(mostPlaces: 1 << 12)
        var random = SeededGenerator(seed: 4)
        let hashes = (0..<40_000).map { _ in random.next() as UInt64 }
        for hash in hashes { if let place = table.place(of: hash) { table.entries[place].requests += 1 } }
        #expect(table.weight == 16)
        #expect(table.entries.count <= 1 << 12)
        let estimate = table.count * table.weight
        #expect(abs(estimate - 40_000) < 4_000, "\(estimate)")
        // Whoever is left is found, and has been since it came first.
        let left = hashes.filter { $0 >> 60 == 0 }
        #expect(left.count == table.count)
        for hash in left {
            let place = try #require(table.place(of: hash))
            #expect(table.entries[place].requests == 1)
        }
    }

    @Test func staysJoinWhereTheyAreNear() {
        var pool = StayPool()
        var list: UInt32 = 0
        for first: Int32 in [0, 100, 200, 300] { list = pool.push(Stay(first: first, last: first + 10), before: list) }
        var stay = Stay(first: 150, last: 160)
        list = pool.join(list, into: &stay, gap: 40)
        // It reaches both neighbours, and then no further.
        #expect(stay == Stay(first: 100, last: 210))
        var left: [Int32] = []
        pool.forEach(list) { left.append($0.first) }
        #expect(left.sorted() == [0, 300])
        #expect(pool.used == 2)
        pool.release(all: list)
        #expect(pool.used == 0)
        list = pool.push(stay, before: 0)
        #expect(pool.count(list) == 1)
    }
}
