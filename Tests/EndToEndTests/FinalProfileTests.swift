import Foundation
import RunResult
import TestSupport
import Testing

/// The profile of a final, with fewer viewers and in less time.
@Suite(.fewAtOnce) struct FinalProfileTests {
    /// What the origin counted.
    private struct Truth: Decodable {
        struct Told: Decodable {
            var requests: Int
            var requestsWithout: Int
            var numbers: String
            var values: [String: Int]
            var viewersOfOtherValues: Int
            var changed: Int

            /// Viewers who said a value.
            func viewers(where isMeant: (String) -> Bool = { _ in true }) -> Int {
                values.reduce(0) { $0 + (isMeant($1.key) ? $1.value : 0) }
            }
        }

        struct Cookies: Decodable {
            var set: Int
            var returned: Int
            var foreign: Int
        }

        struct Break: Decodable {
            var lengths: [String: Int]
        }

        var told: [String: Told]
        var cookies: Cookies
        var breaks: [String: Break]
    }

    private static let viewers = 240
    private static let limit = Duration.seconds(180)

    private static let shorter = [
        "--viewers", "\(viewers)", "--duration", "60s", "--set", "target.embedded.segmentDuration=2s", "--set",
        "audience.curve={shape: kick-off, before: 50%, join: 6s, rise: 4s, by: region, offsets: {east: 1s, west: 2s}}",
        "--set", "breaks.source={trigger: {http: '127.0.0.1:0', lead: 3s}}", "--set",
        "generator={maximumLateness: 10s, maximumLoopDelay: 30s, maximumCoreWait: 30s}", "--set",
        "thresholds=[breaks.count >= 1, breaks.on_time >= 0%]", "--set",
        "allowFindings=[\(StarvedMachine.findings.sorted().joined(separator: ", "))]",
    ]

    @Test func eachViewerIsWhatThePlanSaysAndAllHaveTheBreakThatIsCalledFor() async throws {
        let rehearsal = try Rehearsal(shipped: "final")
        let file = rehearsal.folder.url.appending(path: "truth.json")
        let run = try rehearsal.start(
            Self.shorter + ["--intervals", rehearsal.intervalsFile, "--origin-truth", file.path, "--no-report"]
        )
        try await run.wait(for: "everybody's playlist", within: Self.limit) { _ in
            try rehearsal.intervalLines.contains { $0.requests >= UInt64(Self.viewers * 8) }
        }
        let address = try #require(
            run.errors.split { $0.isWhitespace || $0 == "," }.first {
                $0.hasSuffix("/breaks") || $0.hasSuffix("/breaks.")
            }
        )
        let curl = try InstalledProgram("curl").path
        let call = #"{"in_ms": 8000, "duration_ms": 6000, "id": "goal"}"#
        let url = address.hasSuffix(".") ? String(address.dropLast()) : String(address)
        let taken = try await ChildProcess.run(curl, ["-sS", "-d", call, url], limit: Self.limit)
        #expect(taken.output.contains(#""id":"goal""#), "\(taken.output)\(taken.errors)")
        let outcome = try rehearsal.outcome(of: try await run.ended(within: Self.limit))
        #expect(outcome.end.status == 0, "\(outcome.end.output)\(outcome.end.errors)")
        #expect(outcome.findings == [])
        #expect(outcome.document.reconciliation?.agrees == true)
        #expect(outcome.document.breaks.each.map(\.due) == [UInt64(Self.viewers)])

        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let truth = try decoder.decode(Truth.self, from: Data(contentsOf: file))
        #expect(
            truth.told.keys.sorted() == [
                "header user-agent", "header x-forwarded-for", "header x-region", "header x-token", "pod cust_params",
                "registration cohort", "registration npa", "registration ppid",
            ]
        )
        for (name, told) in truth.told {
            #expect(told.numbers == "0-\(Self.viewers - 1)", "\(name)")
            #expect(told.requestsWithout == 0 && told.changed == 0, "\(name)")
            #expect(told.viewers() + told.viewersOfOtherValues == Self.viewers, "\(name)")
        }
        // The shares of the profile, as a draw of so few may miss them.
        let region = try #require(truth.told["header x-region"])
        for (name, share) in [("north", 0.4), ("east", 0.3), ("south", 0.2), ("west", 0.1)] {
            #expect(abs(Double(region.values[name] ?? 0) / Double(Self.viewers) - share) < 0.12, "\(region.values)")
        }
        let cohorts = try #require(truth.told["registration cohort"])
        #expect((10...12).contains(cohorts.values.count), "\(cohorts.values)")
        #expect(cohorts.viewers { $0.hasPrefix("north-") } == region.values["north"])
        for secret in ["header x-token", "header user-agent"] {
            #expect(truth.told[secret]?.values == [:], "values of names that may be secrets' are not shown")
        }
        #expect(truth.cookies.foreign == 0)
        #expect(truth.cookies.set >= Self.viewers && truth.cookies.returned > truth.cookies.set)
        // Some ask twice, to see that they get the same.
        let called = try #require(truth.breaks.count == 1 ? truth.breaks.values.first : nil)
        #expect(called.lengths.keys.sorted() == ["6000"] && called.lengths["6000", default: 0] >= Self.viewers)
    }
}
