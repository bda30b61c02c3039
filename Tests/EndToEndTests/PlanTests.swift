import Foundation
import Rulebook
import RunResult
import TestSupport
import Testing

/// What `podswarm plan` says is what a run then does.
@Suite(.fewAtOnce) struct PlanTests {
    private struct Bill: Decodable {
        struct Line: Decodable {
            var count: Int
            var bodyBytes: Int?
            var estimatedBodyBytes: Int?

            private enum CodingKeys: String, CodingKey {
                case count
                case bodyBytes = "body_bytes"
                case estimatedBodyBytes = "estimated_body_bytes"
            }
        }

        var schema: String
        var target: String
        var requests: [String: Line]
        var total: Line
        var withheld: [String: Int]
        var breaks: [String: Int]
        var assumptions: [String]
    }

    private static func bill(of profile: String, _ more: [String] = []) async throws -> (Bill, json: String) {
        let end = try await PodswarmExecutable.run(["plan", profile, "--json"] + more)
        guard end.status == 0 else { throw ChildProcess.Failure(end: end) }
        return (try JSONDecoder().decode(Bill.self, from: Data(end.output.utf8)), end.output)
    }

    /// Over sockets each poll is planned from the answer to the one before, and so a machine that is late polls less often.
    @Test func theBillIsWhatTheRunThenDid() async throws {
        // A break of the wall clock begins in the instant in which the run ends: it is in neither.
        var profile = FastProfile.embedded
        profile.duration = "15s"
        let rehearsal = try Rehearsal(profile.yaml)
        let audience = ["--viewers", "120", "--set", "playback.segments=ads"]
        let outcome = try await rehearsal.inVirtualTime(audience)
        let document = outcome.document
        let (bill, _) = try await Self.bill(of: rehearsal.profile, audience + ["--at", Rehearsal.virtualStart])
        for (name, request) in document.requests {
            #expect(bill.requests[name].map { UInt64($0.count) } ?? 0 == request.count, "\(name)")
        }
        #expect(bill.target == "embedded")
        #expect(bill.breaks["due"] == Int(document.breaks.due))
    }

    @Test(arguments: [
        "faulty", "faulty-low-latency", "final", "guide-sample", "interstitials", "kick-off", "low-latency",
        "prime-time", "quick", "scale",
        "soak", "targeted", "targets/eyevinn-proxy", "targets/media-tailor", "targets/url-templates",
    ])
    func everyProfileThatIsShippedHasABill(name: String) async throws {
        let path = PackageFolder.file("Profiles/\(name).yaml").path
        let (bill, _) = try await Self.bill(of: path, ["--viewers", "24", "--duration", "150s"])
        let counts = bill.requests.mapValues(\.count)
        let polls = counts["playlist", default: 0] + counts["blocking_playlist", default: 0]
        #expect(polls > 240, "\(counts)")
        #expect(counts["multivariant", default: 0] <= 48, "\(counts)")
        #expect((bill.breaks["due", default: 0] > 0) == (name != "scale"))
    }

    @Test func breaksThatAreCalledForAreInTheBillWhereTheyAreAssumed() async throws {
        let folder = try TemporaryFolder()
        let profile = try folder.write(FastProfile.embedded.yaml, to: "profile.yaml")
        let calls = ["--set", "breaks.source={trigger: {standardInput: true}}"]
        let (without, _) = try await Self.bill(of: profile, calls)
        #expect(without.breaks == ["count": 0, "due": 0])
        #expect(
            without.assumptions.contains { $0.contains("called for while the run goes are not in it (--breaks-at)") }
        )
        let (with, _) = try await Self.bill(of: profile, calls + ["--breaks-at", "3s,7s"])
        #expect(with.breaks == ["count": 2, "due": 2 * FastProfile.viewers])
        #expect(with.requests["pod_manifest"]?.count == 2 * FastProfile.viewers)
        #expect(!with.assumptions.contains { $0.contains("--breaks-at") })
    }

    @Test func theSchemaFitsTheBill() async throws {
        let folder = try TemporaryFolder()
        let profile = try folder.write(FastProfile.embedded.yaml, to: "profile.yaml")
        let (_, json) = try await Self.bill(of: profile)
        let document = Data(json.utf8)
        #expect(try await PrintedSchema.complaints(by: "--bill", about: document) == "")
        #expect(try await PrintedSchema.complaints(by: "--bill", about: document) { $0["total"] = nil } != "")
    }

    /// Of a target that is not asked, the bill says what it is taken for, and not what only the target knows.
    @Test func aTargetThatIsNotAskedIsTakenForSomething() async throws {
        let folder = try TemporaryFolder()
        let url = "http://192.0.2.1"
        var target = FastProfile.podServing(content: url + "/live.m3u8", adServer: url)
        target.target = target.target.replacing("impressions: allowed\n", with: "")
            .replacing("    networkCode", with: "    authorisedHosts: [192.0.2.1]\n    networkCode")
        let profile = try folder.write(target.yaml, to: "profile.yaml")
        let (bill, _) = try await Self.bill(of: profile, ["--set", "playback.segments=ads"])
        #expect(bill.target == "podServing")
        #expect(bill.total.bodyBytes == nil)
        #expect(bill.total.estimatedBodyBytes ?? 0 > 10_000)
        #expect(bill.assumptions.contains { $0.contains("what the reference origin would send") })
        #expect(bill.requests["verification"] == nil)
        #expect(bill.withheld["pings"] ?? 0 > 0)
        #expect(bill.withheld["ad_segments"] ?? 0 > 0)
        #expect(bill.requests["registration"]?.count == FastProfile.viewers)
        #expect(bill.assumptions.first?.contains("segments of 4 s") == true)
        let (shorter, _) = try await Self.bill(of: profile, ["--segment-duration", "1s"])
        let polls = (bill.requests["playlist"]?.count ?? 0, shorter.requests["playlist"]?.count ?? 0)
        #expect(polls.1 > polls.0 * 2, "\(polls)")
    }

    @Test func beaconsAreBilledWhereTheClientReports() async throws {
        let folder = try TemporaryFolder()
        func bill(_ reporting: String, _ impressions: String = "") async throws -> Bill {
            let yaml = """
                name: guided
                duration: 60s
                target:
                  mediaTailor: {server: 'http://192.0.2.1', asset: a/b/c.m3u8, authorisedHosts: [192.0.2.1]\(reporting)}
                audience: {viewers: 20, ramp: 1s, personas: [hlsjs]}
                breaks: {interstitials: true, podDuration: 10s}
                \(impressions)

                """
            return try await Self.bill(of: try folder.write(yaml, to: "profile.yaml")).0
        }
        let silent = try await bill("")
        #expect(silent.withheld["beacons"] ?? 0 == 0 && silent.requests["beacon"] == nil)
        let withheld = try await bill(", reporting: client")
        // The pre-roll's six, and what falls into the run of those of the break that each minute has.
        #expect(withheld.withheld["beacons"].map { $0 >= 20 * 6 } == true, "\(withheld)")
        #expect(withheld.requests["beacon"] == nil)
        let allowed = try await bill(", reporting: client", "impressions: allowed")
        #expect(allowed.requests["beacon"].map { $0.count >= 20 * 6 } == true, "\(allowed)")
        #expect(allowed.withheld["beacons"] ?? 0 == 0)
    }

    @Test func aCheckSaysWhatItAsksForAndWhatItHeldBack() async throws {
        // Metadata must list the ads before they are over.
        let settings = ["--segment-seconds", "1", "--ad-milliseconds", "4000", "--metadata-seconds", "1"]
        let breaks = ["--break-interval-milliseconds", "12000", "--break-milliseconds", "8000"]
        try await RunningOrigin.serving(settings + breaks) { origin in
            let content = origin.url + "/live/main/multivariant.m3u8"
            var profile = FastProfile.podServing(content: content, adServer: origin.url)
            profile.target = profile.target.replacing("impressions: allowed\n", with: "")
            let folder = try TemporaryFolder()
            let yaml = profile.yaml.replacing("{every: 5s}", with: "{every: 12s}")
                .replacing("podDuration: 2s", with: "podDuration: 8s").replacing("grace: 3s", with: "grace: 12s")
            let path = try folder.write(yaml, to: "profile.yaml")
            let end = try await PodswarmExecutable.run(["check", path, "--patience", "60s"])
            #expect(end.status == 0, "\(end.output)\(end.errors)")
            let bill = try #require(end.output.range(of: "Asks for about "))
            let first = try #require(end.output.range(of: "The viewer selects the channel."))
            #expect(bill.lowerBound < first.lowerBound)
            let held = /\nNot sent, because the profile does not say impressions: allowed: \d+ pings?\./
            #expect(end.output.contains(held), "\(end.output)")
        }
    }

    @Test func aRunSaysItsBillBeforeItAsks() async throws {
        try await RunningOrigin.serving(["--segment-seconds", "1"]) { origin in
            let content = origin.url + "/live/main/multivariant.m3u8"
            let profile = FastProfile.podServing(content: content, adServer: origin.url)
            let outcome = try await Rehearsal(profile.yaml).run(["--duration", "2s"])
            let told = outcome.end.errors
            let bill = try #require(told.range(of: "Bill of fast"))
            let first = told.range(of: "waiting for the last answers")
            #expect(first.map { bill.lowerBound < $0.lowerBound } ?? false, "\(told)")
            #expect(told.contains("peak in 100 ms"))
        }
        let own = try await Rehearsal(FastProfile.embedded.yaml).inVirtualTime(["--duration", "1s"])
        #expect(!own.end.errors.contains("Bill of"))
    }
}
