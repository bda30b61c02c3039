import Foundation
import Origin
import Rehearsal
import Rules
import Swarm
import TestSupport
import Testing
import Values
import Viewer

@testable import Profile

struct BilledRunTests {
    /// 2026-11-21T20:00:00Z, a whole minute.
    private static let start = WallTime(microseconds: 1_795_291_200_000_000)

    private static func plan(_ change: (inout LoadPlan) -> Void = { _ in }) throws -> LoadPlan {
        var plan = try ProfileReader().read(contentsOf: PackageFolder.file("Profiles/quick.yaml").path)
        plan.audience.viewers = 40
        plan.pods.repeatShare = 0
        change(&plan)
        return plan
    }

    private static func bill(
        _ plan: LoadPlan,
        after later: Duration = .seconds(1),
        requestLimit: Int = 1_000_000
    ) async throws -> RunBill {
        let network = VirtualNetwork(latency: OriginLayout.answerTime)
        var run = BilledRun(plan)
        run.requestLimit = requestLimit
        return try await run.bill {
            try VirtualOrigin(plan, profileFolder: PackageFolder.file("Profiles"), from: start + later, over: network)
        }
    }

    @Test func everybodyRegistersAndAsksForThePodOfEachBreak() async throws {
        let bill = try await Self.bill(try Self.plan())
        let counts = bill.lines.mapValues(\.count)
        #expect(bill.viewers.joined == 40)
        #expect(bill.breaks.count == 3)
        #expect(bill.breaks.due == 120)
        #expect(counts[.registration] == 40)
        #expect(counts[.multivariant] == 40)
        #expect(counts[.podManifest] == 120)
        #expect(counts[.podPlaylist] == 120)
        // Two ads of five seconds, in segments of two: three and three for each.
        #expect((counts[.podSegment] ?? 0) >= 600)
        #expect((counts[.verification] ?? 0) >= 600)
        #expect(counts[.assetList] == nil)
        #expect(bill.total.count == counts.values.reduce(0, +))
    }

    @Test func aViewerPollsAboutOnceForEachSegment() async throws {
        let bill = try await Self.bill(try Self.plan())
        let polls = try #require(bill.lines[.playlist]).count
        // Segments of two seconds for a minute, less the ramp.
        #expect((40 * 28...40 * 32).contains(polls), "\(polls)")
        #expect(bill.lines[.playlist].map { ($0.bodyBytes ?? 0) / $0.count } ?? 0 > 100)
    }

    @Test func theBusySecondsAreThoseWithTheMostOfEach() async throws {
        let whole = try await Self.bill(try Self.plan())
        #expect(whole.busySeconds.count == 3)
        let most = { (measure: KeyPath<RunBill.Second, Double>) in
            whole.busySeconds.map { $0[keyPath: measure] }.max() ?? 0
        }
        // A busy second has no fewer requests than 100 ms, and no more than a run.
        #expect((Double(whole.total.peakPer100Milliseconds)..<Double(whole.total.count)).contains(most(\.requests)))
        #expect(most(\.bodyBytes) > 0 && most(\.bodyBytes) < Double(whole.total.bodyBytes ?? 0))
        #expect(most(\.joins) >= 1 && most(\.joins) <= 40)
        let part = try await Self.bill(try Self.plan(), requestLimit: whole.total.count / 2)
        #expect((15...25).contains(part.viewers.counted))
        let stoodFor = 40 / Double(part.viewers.counted)
        #expect(abs((part.busySeconds.map(\.joins).max() ?? 0).remainder(dividingBy: stoodFor)) < 1e-9)
    }

    @Test func thePeakIsWhereAllAskAtOnce() async throws {
        let bill = try await Self.bill(try Self.plan())
        let pods = try #require(bill.lines[.podManifest])
        #expect(pods.peakPer100Milliseconds == 40)
        // It starts a second after a whole minute.
        #expect([19_000, 39_000, 59_000].contains(pods.peakAtMilliseconds))
        #expect(bill.total.peakPer100Milliseconds >= 40)
    }

    @Test func theSamePlanAndStartGiveTheSameBill() async throws {
        let plan = try Self.plan {
            $0.audience.churnPerMinute = 0.2
            $0.pods.repeatShare = 0.3
        }
        let bill = try await Self.bill(plan)
        #expect(try await Self.bill(plan) == bill)
        #expect(bill.viewers.replaced > 0)
        #expect(bill.viewers.joined == 40 + bill.viewers.replaced)
        #expect(bill.lines[.registration]?.count == bill.viewers.joined)
    }

    /// Whom the curve lets go is not replaced, and who comes registers.
    @Test func anAudienceThatComesAndGoesIsCounted() async throws {
        let points = [(0, 0), (5, 1), (10, 1), (15, 0.5), (45, 1)].map { CurvePoint(at: .seconds($0.0), share: $0.1) }
        let still = try Self.plan {
            $0.audience.curve = CurvePlan(
                points: points,
                breakLeaves: BreakLeaves(share: 0.5, returns: 0.5, returnsWithin: .seconds(5), instants: [.seconds(20)])
            )
        }
        let bill = try await Self.bill(still)
        // Twenty come for the twenty who left; at 20 s about 24 watch, and half of them leave.
        #expect(bill.viewers.planned == 40 + 20 + 6)
        #expect(bill.viewers.joined == bill.viewers.planned && bill.viewers.replaced == 0)
        #expect(bill.lines[.registration]?.count == bill.viewers.joined)
        #expect(bill.breaks.due < 120)
        let course = try #require(bill.course)
        #expect(course.viewers.first == 1 && course.viewers.max() == 40)
        var churning = still
        churning.audience.churnPerMinute = 0.5
        let churned = try await Self.bill(churning).viewers
        #expect(churned.replaced > 0 && churned.joined == churned.planned + churned.replaced)
        let part = try await Self.bill(still, requestLimit: bill.total.count / 2)
        #expect(part.viewers.counted < 60 && part.viewers.joined == 66)
        #expect(try await Self.bill(try Self.plan()).course == nil)
    }

    @Test func aSessionThatEndsIsRegisteredAgain() async throws {
        let plan = try Self.plan {
            guard case .embedded(var embedded) = $0.target else { return }
            embedded.sessionValidity = .seconds(20)
            $0.target = .embedded(embedded)
        }
        let bill = try await Self.bill(plan)
        #expect(bill.renewals >= 80)
        #expect(bill.lines[.registration]?.count == 40 + bill.renewals)
    }

    @Test func whatIsWithheldIsCountedApart() async throws {
        let allowed = try await Self.bill(try Self.plan())
        let withheld = try await Self.bill(try Self.plan { $0.impressions = .withheld })
        #expect(withheld.lines[.verification] == nil)
        #expect(withheld.lines[.podSegment] == nil)
        let pings = try #require(allowed.lines[.verification]).count
        #expect(abs(withheld.withheld.pings - pings) * 50 <= pings, "\(withheld.withheld.pings) and \(pings)")
        #expect(withheld.withheld.adSegments > 0)
        #expect(allowed.withheld.pings == 0)
    }

    @Test(arguments: [(1, 1), (19, 2), (21, 1)]) func breaksFollowFromTheStart(seconds: Int, breaks: Int) async throws {
        let plan = try Self.plan { $0.duration = .seconds(30) }
        #expect(try await Self.bill(plan, after: .seconds(seconds)).breaks.count == breaks)
    }

    /// A few viewers stand for all where all would take too long, and the bill says how far off that may be.
    @Test func someViewersStandForTheOthersOfTheirPersonas() async throws {
        let plan = try Self.plan {
            $0.audience.viewers = 120
            $0.audience.personas = [
                PersonaShare(Persona.known("hlsjs"), share: 0.9),
                PersonaShare(Persona.known("eager"), share: 0.1),
            ]
        }
        let whole = try await Self.bill(plan)
        #expect(whole.viewers.counted == 120 && whole.lines.values.allSatisfy { $0.samplingError == nil })
        let part = try await Self.bill(plan, requestLimit: whole.total.count / 4)
        #expect((25..<100).contains(part.viewers.counted) && part.viewers.joined == 120)
        for (kind, line) in whole.lines {
            let guess = try #require(part.lines[kind])
            let bound = max(line.count / 50, guess.samplingError ?? 0)
            #expect(abs(guess.count - line.count) <= bound, "\(kind.name): \(guess) and \(line)")
        }
    }
}
