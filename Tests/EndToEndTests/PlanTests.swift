import Foundation
import RunResult
import TestSupport
import Testing

/// `podswarm plan` says what a run then does.
@Suite(.fewAtOnce) struct PlanTests {
    private struct Bill: Decodable {
        struct Line: Decodable { var count: Int }

        var target: String
        var requests: [String: Line]
        var breaks: [String: Int]
    }

    private static func bill(of profile: String, _ more: [String]) async throws -> Bill {
        let end = try await PodswarmExecutable.run(["plan", profile, "--json"] + more)
        guard end.status == 0 else { throw ChildProcess.Failure(end: end) }
        return try JSONDecoder().decode(Bill.self, from: Data(end.output.utf8))
    }

    /// Over sockets each poll is planned from the answer to the one before, so a machine that is late polls less often.
    @Test func theBillIsWhatTheRunThenDid() async throws {
        // A break of the wall clock begins in the instant in which the run ends: it is in neither.
        var profile = FastProfile.embedded
        profile.duration = "15s"
        let rehearsal = try Rehearsal(profile.yaml)
        let audience = ["--viewers", "120", "--set", "playback.segments=ads"]
        let document = try await rehearsal.inVirtualTime(audience).document
        let bill = try await Self.bill(of: rehearsal.profile, audience + ["--at", Rehearsal.virtualStart])
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
        let bill = try await Self.bill(of: path, ["--viewers", "24", "--duration", "150s"])
        let counts = bill.requests.mapValues(\.count)
        let polls = counts["playlist", default: 0] + counts["blocking_playlist", default: 0]
        #expect(polls > 240, "\(counts)")
        #expect(counts["multivariant", default: 0] <= 48, "\(counts)")
        #expect((bill.breaks["due", default: 0] > 0) == (name != "scale"))
    }
}
