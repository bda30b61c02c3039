import Rules
import Testing

@testable import Transport

/// What an idle connection costs, and what a burst touches of it.
@Suite struct ConnectionLayoutTests {
    @Test func anEntryIsAWholeNumberOfCacheLines() {
        #expect(MemoryLayout<Connection>.stride % 64 == 0)
        #expect(MemoryLayout<Connection>.stride <= 256)
    }

    @Test func whatASendTouchesFillsTheFirstTwoLines() throws {
        let end = try #require(MemoryLayout<Connection>.offset(of: \.tls))
        #expect(end + MemoryLayout<TLSConnection?>.size <= 128)
    }
}
