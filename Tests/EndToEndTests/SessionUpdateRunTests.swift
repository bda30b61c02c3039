import Foundation
import RunResult
import TestSupport
import Testing

/// Viewers that tell the embedded origin something else in mid-session, and what it counts of it.
@Suite struct SessionUpdateRunTests {
    /// What the origin counted.
    private struct Truth: Decodable {
        struct Told: Decodable {
            var requests: Int
            var requestsWithout: Int
            var numbers: String
            var values: [String: Int]
            var changed: Int

            private enum CodingKeys: String, CodingKey {
                case requests
                case requestsWithout = "requests_without"
                case numbers
                case values
                case changed
            }
        }

        var told: [String: Told]
    }

    /// Sessions are renewed at nine tenths of ten seconds, so that some register with what they told in between.
    private static func profile(faults: Bool = false) -> String {
        var profile = faults ? FastProfile.faulty : .embedded
        profile.target += """
                sessionValidity: 10s
                aimBy: region
                adTagParameters: {region: "{region}", npa: "0", who: "{viewer}", cust_params: "r={region}&who={viewer}"}
                sessionUpdates: {share: 50%, every: 3s, adTagParameters: {region: "moved-{region}", consent: "yes"}}

            """
        profile.rest = "pods: {match: session}"
        return profile.yaml
    }

    private static let settings = [
        "--set", "audience.traits=[{name: region, values: [north, south]}]", "--set",
        "thresholds=[breaks.count >= 1, breaks.on_time >= 0%]",
    ]
    /// Of twenty, as the seed has it.
    private static let updating = "2-3,5,7-8,12,15-19"

    private static func run(_ rehearsal: Rehearsal) async throws -> (Rehearsal.Outcome, Truth) {
        let file = rehearsal.folder.url.appending(path: "truth.json")
        let outcome = try await rehearsal.inVirtualTime(settings + ["--origin-truth", file.path])
        return (outcome, try JSONDecoder().decode(Truth.self, from: Data(contentsOf: file)))
    }

    @Test func whatIsToldAnewIsCountedExactlyAndIsNoDefect() async throws {
        let (outcome, truth) = try await Self.run(Rehearsal(Self.profile()))
        #expect(outcome.end.status == 0, "\(outcome.end.output)\(outcome.end.errors)")
        #expect(outcome.findings == [])
        #expect(outcome.document.reconciliation?.agrees == true)
        let updates = try #require(outcome.document.requests["session_update"])
        #expect(updates.errors == 0 && updates.latencies["response"]?.count == updates.count)
        #expect(
            truth.told.keys.sorted() == [
                "registration cust_params", "registration region", "registration who", "update consent",
                "update cust_params", "update region", "update who",
            ]
        )
        for (name, told) in truth.told {
            let isUpdate = name.hasPrefix("update")
            #expect(told.numbers == (isUpdate ? Self.updating : "0-19"), "\(name)")
            #expect(!isUpdate || UInt64(told.requests) == updates.count, "\(name)")
            #expect(told.changed == 0 && told.requestsWithout == 0, "\(name)")
        }
        #expect(truth.told["registration region"]?.values.keys.sorted() == ["north", "south"])
        #expect(truth.told["update region"]?.values.keys.sorted() == ["moved-north", "moved-south"])
        #expect(truth.told["update consent"]?.values == ["yes": 11])
        #expect(outcome.document.viewers["registration_renewed"] ?? 0 > 0)
        // The address is that of one viewer's session, and stands among the slowest without it.
        let slowest = outcome.document.slowestAnswers?.filter { $0.kind == "session_update" } ?? []
        #expect(!slowest.isEmpty && slowest.allSatisfy { $0.url.hasSuffix("/session") }, "\(slowest)")
        try Self.expectNoSession(in: outcome)
    }

    /// What is shown of a run holds no id of a session, each of which ends as Ad Manager's do.
    private static func expectNoSession(in outcome: Rehearsal.Outcome) throws {
        let result = try String(contentsOf: outcome.resultFile, encoding: .utf8)
        let shown = outcome.end.output + outcome.end.errors + result
        #expect(!shown.contains(":TUL") && !shown.contains("%3ATUL"))
    }

    @Test(arguments: [404, 500]) func whatIsRefusedIsAnErrorAndEndsNoSession(status: Int) async throws {
        let faults = "[{fault: error_status, kinds: [session_update], status: \(status)}]"
        let (outcome, truth) = try await Self.run(Rehearsal(Self.profile(faults: true), faults: faults))
        #expect(outcome.end.status == 0, "\(outcome.end.output)\(outcome.end.errors)")
        #expect(outcome.document.reconciliation?.agrees == true)
        let updates = try #require(outcome.document.requests["session_update"])
        #expect(updates.count > 11 && updates.errors == updates.count)
        #expect(updates.outcomes == ["http_\(status)": updates.count])
        #expect(truth.told.allSatisfy { $1.changed == 0 && (!$0.hasPrefix("update") || $1.requests == 0) })
        #expect(outcome.document.viewers["registered"] == UInt64(FastProfile.viewers))
        #expect(outcome.document.viewers["registration_failed"] == 0)
        try Self.expectNoSession(in: outcome)
    }
}
