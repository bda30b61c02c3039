import Foundation
import Profile
import Results
import Swarm
import TestSupport
import Testing
import Transport
import Values

@testable import Rehearsal

/// The bill of each profile that is shipped is what a virtual run of it comes to.
struct ShippedBillTests {
    /// By listing the folders, so that a profile that is added is billed as well.
    private static let profiles: [String] = ["Profiles", "Profiles/targets", "Profiles/cookbook"].flatMap { folder in
        let names = (try? FileManager.default.contentsOfDirectory(atPath: PackageFolder.file(folder).path)) ?? []
        return names.filter { $0.hasSuffix(".yaml") }.sorted().map { "\(folder)/\($0)" }
    }

    /// A second past a whole minute, so that no break of the wall clock begins in the instant in which a run ends.
    private static let start = WallTime(microseconds: 1_795_291_201_000_000)
    /// Of every profile: few enough viewers that all are counted, and time enough for a break of any of them.
    private static let overrides = ["audience.viewers=3", "duration=155s"]

    @Test func allAreFound() { #expect(Self.profiles.count >= 18) }

    @Test(arguments: profiles) func theBillIsTheTotalsOfAVirtualRun(profile: String) async throws {
        let file = PackageFolder.file(profile)
        var plan = try ProfileReader().read(
            contentsOf: file.path,
            overrides: try Self.overrides.map { try Override(parsing: $0) }
        )
        // A bill leaves out what planned faults change, and breaks that are called for.
        if case .embedded(var embedded) = plan.target {
            embedded.faultPlanPath = nil
            plan.target = .embedded(embedded)
        }
        let bill = try await BilledTarget(plan, profileFolder: file.deletingLastPathComponent())
            .bill(startingAt: Self.start)
        let (answerTime, folder) = (BilledTarget.answerTime(of: plan), try TemporaryFolder())
        let clock = RunClock.virtual(from: Self.start, over: VirtualNetwork(latency: answerTime))
        let run = try await RunSession.silent(plan, at: file, clock, in: folder).finish().document

        #expect(run.requests.values.allSatisfy { $0.errors == 0 })
        #expect(bill.requests.mapValues(\.count) == run.requests.mapValues { Int($0.count) }.filter { $0.value > 0 })
        // A bill compresses what a run does not send as it compresses it: some bytes of a hundred thousand may differ.
        for (kind, line) in bill.requests {
            let bytes = Double(line.bodyBytes ?? line.estimatedBodyBytes ?? 0)
            let sent = Double(run.requests[kind]?.bodyBytes ?? 0)
            #expect(abs(bytes - sent) <= sent / 2_000, "\(kind)")
        }
        #expect(bill.total.count == bill.requests.values.reduce(0) { $0 + $1.count })
        #expect(bill.viewers.counted == bill.viewers.joined - bill.viewers.replaced)
        let counts = [
            "joined": bill.viewers.joined, "churned": bill.viewers.replaced, "registration_renewed": bill.renewals,
            "pings_withheld": bill.withheld.pings, "beacons_withheld": bill.withheld.beacons,
            "ad_segments_withheld": bill.withheld.adSegments,
        ]
        for (name, count) in counts { #expect(run.viewers[name].map { Int($0) } == count, "\(name)") }
        #expect(bill.breaks.due == Int(run.breaks.due))
        #expect(bill.breaks.count == run.breaks.each.count { $0.due > 0 })
        #expect((bill.breaks.due > 0) == !plan.breaks.areNone)
    }
}
