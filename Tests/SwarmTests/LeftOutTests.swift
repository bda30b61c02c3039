import LoadProfile
import Recording
import Rulebook
import RunResult
import Testing

@testable import Audience
@testable import Swarm

/// What is counted of requests to hosts that are not authorised.
@Suite struct LeftOutTests {
    @Test func hostsAreNamedWithoutWhatTheirAddressesCarry() async throws {
        try await ScriptedCrowd.onLoop { loop in
            let scripted = try ScriptedCrowd(.forTests(), viewers: 1, loop: loop)
            scripted.join()
            scripted.fire(.metadata)
            scripted.transport.answer(.metadata, failure: .unauthorisedHost)
            scripted.fire(.reload)
            let location = "https://token@cdn.example.com:8443/a?sig=secret"
            scripted.transport.answer(.playlist, headers: ["location": location], failure: .unauthorisedHost)
            let totals = RunTotals(merging: [scripted.crowd.totals()])
            let rows = totals.leftOut.rows.sorted { $0.key < $1.key }
            #expect(totals.leftOut.requests == 2 && rows.allSatisfy { $0.value == 1 })
            #expect(Set(rows.map(\.key.host)) == ["127.0.0.1:8080", "cdn.example.com:8443"])
            let fields = Dictionary(uniqueKeysWithValues: rows.map { ($0.key.kind.name, $0.key.field) })
            #expect(fields == ["metadata": "connection.headerHosts", "playlist": "target.podServing.authorisedHosts"])
        }
    }
}
