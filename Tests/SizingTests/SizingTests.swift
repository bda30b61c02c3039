import Testing

@testable import Tools

@Suite struct SizingTests {
    /// Of descriptors 100 and 2 for each viewer, of cores 0.5 and a thousandth for each viewer.
    private static let needs: [Sizing.Resource: Sizing.Need] = [
        .descriptors: Sizing.Need(fixed: 100, perViewer: 2),
        .cores: Sizing.Need(fixed: 0.5, perViewer: 0.001),
    ]

    @Test func whatAShardNeedsIsItsOwnPartAndThatOfItsViewers() throws {
        let sizing = Sizing(10, needs: Self.needs, available: [.descriptors: 110], shards: 4)
        #expect(sizing.viewersOfShard == 3)
        let descriptors = try #require(sizing.lines.first { $0.name == .descriptors })
        #expect(descriptors.perShard == 106)
        #expect(descriptors.allShards == 420)
        #expect(descriptors.load == 106.0 / 110)
        // Five viewers fit one machine.
        #expect(descriptors.fewestShards == 2)
        #expect(sizing.fits)
        #expect(sizing.limit?.name == .descriptors)
        #expect(sizing.lines.first { $0.name == .cores }?.load == nil)
    }

    @Test func asFewShardsAsTheScarcestResourceAllows() {
        let available: [Sizing.Resource: Double] = [.descriptors: 1_100, .cores: 0.7]
        let sizing = Sizing(1_000_000, needs: Self.needs, available: available)
        // 500 viewers by descriptors, 200 by cores.
        #expect(sizing.lines.map(\.fewestShards) == [2_000, 5_000])
        #expect(sizing.shards == 5_000)
        #expect(sizing.viewersOfShard == 200)
        #expect(sizing.fits)
        #expect(sizing.limit?.name == .cores)
        #expect(!Sizing(1_000_000, needs: Self.needs, available: available, shards: 4_999).fits)
    }

    @Test func whatNoNumberOfShardsMendsIsNamed() {
        let sizing = Sizing(10, needs: Self.needs, available: [.descriptors: 1_000, .cores: 0.4])
        #expect(sizing.shards == 1)
        #expect(!sizing.fits)
        #expect(sizing.lines.filter { $0.fewestShards == nil }.map(\.name) == [.cores])
    }

    @Test(arguments: [(0.0, 0), (99, 0), (100, 0), (102, 1), (103.9, 1), (104, 2)])
    func aCapacityHoldsSoManyViewers(capacity: Double, viewers: Int) {
        #expect(Sizing.Need(fixed: 100, perViewer: 2).viewers(within: capacity) == viewers)
        #expect(Sizing.Need(fixed: 0, perViewer: 0).viewers(within: capacity) == .max)
    }
}
