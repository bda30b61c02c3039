import Testing

@testable import Origin

@Suite struct PodDecisionTests {
    private static func order(_ identifier: String, salt: UInt8 = 0, seed: UInt64 = 1) -> [Int] {
        let decision = PodDecision(identifier: identifier, salt: salt, seed: seed)
        return (0..<PodDecision.creativeCount).map { decision.creative(at: $0) }
    }

    @Test func sameIdentifierGetsTheSameOrderForEver() {
        // Pinned: a change here changes the answers of every seed ever written into a result.
        #expect(Self.order("pod/7") == Self.order("pod/7"))
        #expect(PodDecision(identifier: "pod/7", salt: 0, seed: 1).token == "8d174c213fc2a200")
    }

    @Test func everyOrderUsesEachCreativeOnce() {
        for number in 1...200 { #expect(Self.order("pod/\(number)").sorted() == Array(0..<PodDecision.creativeCount)) }
    }

    @Test func identifiersAndSeedsDiffer() {
        let orders = Set((1...100).map { Self.order("pod/\($0)") })
        #expect(orders.count == 100)
        #expect(Self.order("pod/1", seed: 1) != Self.order("pod/1", seed: 2))
    }

    @Test func saltChangesEvenTheFirstCreative() {
        for number in 1...100 {
            let orders = (0..<UInt8(12)).map { Self.order("pod/\(number)", salt: $0)[0] }
            #expect(Set(orders).count == 12)
        }
    }

    @Test(arguments: [UInt8(0), 1, 255])
    func tokenNamesItsDecision(salt: UInt8) throws {
        let decision = PodDecision(identifier: "ad_break_id/a%20b", salt: salt, seed: 9)
        #expect(decision.token.utf8.count == 16)
        let read = try #require(PodDecision(token: decision.token, identifier: "ad_break_id/a%20b", seed: 9))
        #expect(read == decision)
        #expect(PodDecision(token: decision.token, identifier: "ad_break_id/other", seed: 9) == nil)
        #expect(PodDecision(token: decision.token, identifier: "ad_break_id/a%20b", seed: 10) == nil)
    }

    @Test(arguments: [
        "", "0", "zzzzzzzzzzzzzzzz", "0000000000000000", "\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}",
    ])
    func foreignTokenIsRefused(token: String) {
        #expect(PodDecision(token: token, identifier: "pod/1", seed: 1) == nil)
    }
}
