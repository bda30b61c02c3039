import Foundation
import Profile
import Rehearsal
import Results
import Swarm
import TestSupport
import Testing
import Transport
import Values

/// A run in virtual time to which something happens in the instant in which one of its intervals ends.
struct VirtualRunTests {
    private static let profile = PackageFolder.file("Profiles/quick.yaml")

    private final class Act: IntervalSink {
        let interval: Int
        let act: @Sendable () -> Void

        init(after interval: Int, _ act: @escaping @Sendable () -> Void) { (self.interval, self.act) = (interval, act) }

        func telling(_ interval: RunInterval, of collector: RunCollector) -> @Sendable (_ isKept: Bool) -> Void {
            if interval.number == self.interval { act() }
            return { _ in }
        }
    }

    private let folder: TemporaryFolder
    private let clock = VirtualClock()

    init() throws { folder = try TemporaryFolder() }

    private func session(_ change: (inout LoadPlan) -> Void = { _ in }) throws -> RunSession {
        var plan = try ProfileReader().read(contentsOf: Self.profile.path)
        plan.audience.viewers = 4
        change(&plan)
        let start = WallTime(microseconds: 1_795_291_200_000_000)
        let network = VirtualNetwork(latency: OriginLayout.answerTime)
        return .silent(plan, at: Self.profile, .virtual(from: start, over: network, on: clock), in: folder)
    }

    @Test func aClockThatGoesBackIsADefectOfOurs() async throws {
        var session = try session()
        let now = clock.now
        session.sinks = [Act(after: 20) { [clock] in clock.advance(to: now) }]
        let finished = try await session.finish()
        #expect(finished.exit == .ownDefect && finished.exit.rawValue == 70)
        #expect(finished.document.verdict.exitCode == 70)
        let name = "the virtual clock was asked to go back by 21.0 seconds"
        #expect(finished.document.verdict.reasons.contains { $0.contains(name) }, "\(finished.document.verdict)")
        // It does not go back: the run ends at the next look at it, and what it saw is kept.
        #expect(clock.now > now.later(by: .seconds(21)))
        #expect(finished.document.viewers["joined"] == 4)
    }

    @Test func anInterruptBeforeAnythingWasSentLeavesNothing() async throws {
        // Nobody watches yet.
        var session = try session { plan in
            let points = [(0, 0), (30, 0), (31, 1)].map { CurvePoint(at: .seconds($0.0), share: $0.1) }
            plan.audience.curve = CurvePlan(points: points)
        }
        session.sinks = [Act(after: 0) { [requests = session.requests] in requests?.stop(.interrupted) }]
        let ready = session
        let failure = await #expect(throws: CommandFailure.self) { try await ready.finish() }
        #expect(failure?.exit == .interrupted)
        #expect(failure?.message == "interrupted before anything was sent: there is no result (exit 130)")
        #expect(!FileManager.default.fileExists(atPath: folder.file("results").path))
    }

    /// In an outage players give up, and are shut out of the breaks that follow.
    @Test(arguments: [false, true]) func figuresByTraitAndPersonaAddUp(withOutage: Bool) async throws {
        let names = ["device", "persona"]
        let faults = folder.file("faults.yaml")
        try "- {fault: reset, from: -8s, lasting: 18s}\n".write(to: faults, atomically: true, encoding: .utf8)
        let finished = try await session { plan in
            plan.audience.viewers = 40
            plan.audience.traits = [
                AudienceTrait("device", .values([.init("tv", share: 0.25), .init("phone", share: 0.75)]))
            ]
            plan.audience.personas = ["hlsjs", "media3"].compactMap { KnownPersona.named($0) }
                .map { PersonaShare($0.persona, share: 0.5) }
            plan.report.by = names
            guard withOutage, case .embedded(var origin) = plan.target else { return }
            origin.faultPlanPath = faults.path
            plan.target = .embedded(origin)
        }.finish()
        let document = finished.document
        let by = try #require(document.by)
        #expect(by.map(\.name) == names && by.allSatisfy { $0.values.count == 2 })
        #expect(document.breaks.count > 0 && (document.breaks.onTime < document.breaks.due) == withOutage)
        for group in by {
            let breaks = group.values.map(\.breaks)
            #expect(breaks.reduce(0) { $0 + $1.due } == document.breaks.due)
            #expect(breaks.reduce(0) { $0 + $1.onTime } == document.breaks.onTime)
            for (kind, all) in document.requests {
                let answers = group.values.compactMap { $0.requests?[kind] }
                #expect(answers.reduce(0) { $0 + $1.count } == all.count, "\(group.name) \(kind)")
                #expect(answers.reduce(0) { $0 + $1.errors } == all.errors, "\(group.name) \(kind)")
            }
        }
        for one in document.breaks.each {
            let groups = try #require(one.by)
            for values in groups.map(\.values) where one.due > 0 {
                #expect(values.reduce(0) { $0 + $1.breaks.due } == one.due)
                #expect(values.reduce(0) { $0 + $1.breaks.late } == one.late)
                #expect(values.reduce(0) { $0 + $1.breaks.failed } == one.failed.values.reduce(0, +))
                #expect(values.reduce(0) { $0 + ($1.breaks.answers?.count ?? 0) } == one.requests)
            }
        }
        #expect(try ResultDocument(json: document.json()) == document)
    }
}
