import HLS
import HTTPTypes
import NIOCore
import Testing

@testable import Origin

@Suite struct SteeringTests {
    @Test func priorityChangesWithTime() throws {
        let probe = try ServiceProbe(channel: "steering: {pathways: [a, b, c], ttl: 20s, switchEvery: 30s}")
        var orders: [[String]] = []
        for _ in 0..<4 {
            let answer = probe.get("/steering/main.json?_HLS_pathway=a&_HLS_throughput=1000000")
            let manifest = try TestJSON(Array(answer.body.readableBytesView))
            #expect(manifest["VERSION"]?.number == 1 && manifest["TTL"]?.number == 20)
            #expect(manifest["RELOAD-URI"]?.text == "/steering/main.json")
            orders.append(manifest["PATHWAY-PRIORITY"]?.elements.compactMap(\.text) ?? [])
            probe.now = probe.now + .seconds(30)
        }
        #expect(Set(orders).count == 3)
        #expect(orders[0] == orders[3])
        #expect(orders.allSatisfy { $0.sorted() == ["a", "b", "c"] })
        let truth = probe.service.truth(at: probe.now)
        #expect(truth.requests["steering"]?.received == 4)
        #expect(truth.steering.answered == 4)
        #expect(truth.steering.reported == ["a": 4])
    }

    @Test func aShareIsToldToComeBackAndMayThen() throws {
        let probe = try ServiceProbe(channel: "steering: {tooMany: 25%, retryAfter: 5s}")
        func refused() -> Set<UInt64> {
            Set(
                (UInt64(0)..<1_000).filter { viewer in
                    let answer = probe.get("/steering/main.json", viewer: viewer)
                    if answer.status == .tooManyRequests { #expect(answer.fields[.retryAfter] == "5") }
                    return answer.status != .ok
                }
            )
        }
        let first = refused()
        #expect((200...300).contains(first.count))
        #expect(refused() == first, "the same instant, the same answer")
        probe.now = probe.now + .seconds(5)
        #expect(first.intersection(refused()).count < first.count / 2)
        #expect(probe.service.truth(at: probe.now).steering.withoutPathway == 3_000)
    }
}
