import AdServing
import EventLoop
import HLS
import LoadProfile
import Origin
import OriginServing
import Players
import Recording
import Rulebook
import RunResult
import TestSupport
import Testing
import Transport

@testable import Swarm
@testable import Viewer

/// Interstitials and stitched breaks over sockets, on the origin that comes with podswarm.
@Suite(.timeLimit(.minutes(15))) struct InterstitialRunTests {
    private static let channel = """
        interstitials:
          - id: pre
            cue: [pre, once]
            assetDuration: 1s
            resumeOffset: 0s
            contentMayVary: false
            beacons: [list]
          - id: mid-{start}
            every: 6s
            assets: 2
            assetDuration: 1s
            announce: 4s
            contentMayVary: false
            beacons: [list]
            preload: {length: 2s, order: before}
          - id: uri-{start}
            every: 6s
            offset: 3s
            delivery: uri
            assetDuration: 1s
            announce: 3s
            playoutLimit: 500ms
        """

    @Test func everyEventIsSettledAndTheBooksOfBothSidesAgree() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Self.channel, to: "channel.yaml")
        var plan = LoadPlan.forRuns(viewers: 24)
        plan.breaks.source = .none
        plan.breaks.playsInterstitials = true
        plan.playback.segments = .ads
        let triggers: [InterstitialFacts.Trigger] = [.buffered, .playhead(.seconds(2)), .discovery]
        plan.audience.personas = triggers.map { trigger in
            var persona = Persona.ofProfile(plan.playback)
            persona.interstitials = InterstitialFacts(trigger: trigger, preload: .randomPoint)
            return PersonaShare(persona, share: 1)
        }
        let chosen = plan
        let (totals, truth) = try await withOrigin {
            $0.breakInterval = .zero
            $0.channelPlanPath = path
        } _: { origin, port in
            let milestones = Milestones()
            let run = try await chosen.started(port: port, path: origin.multivariantPath, observer: milestones)
            await milestones.reach { $0.adBreaksEnded >= 24 * 4 }
            await run.stop()
            let totals = RunTotals(merging: await run.totals())
            let truth = origin.groundTruth()
            await run.shutDown()
            return (totals, truth)
        }
        for kind in RequestKind.allCases {
            #expect(totals.requestCount(of: kind) == UInt64(truth.requests[kind.name]?.received ?? 0), "\(kind.name)")
            #expect(totals.errorCount(of: kind) == 0, "\(kind.name)")
        }
        let outcomes: [ViewerCounter] = [
            .eventsFinished, .eventsCutShort, .eventsCancelled, .eventsFailed, .eventsSkipped, .eventsLeft,
        ]
        let settled = outcomes.reduce(0) { $0 + totals.count(of: $1) }
        #expect(totals.count(of: .eventsScheduled) == settled)
        #expect(totals.count(of: .eventsFinished) > 24)
        #expect(totals.count(of: .eventsCutShort) > 0)
        #expect(totals.count(of: .eventsFailed) == 0)
        #expect(totals.count(of: .beaconsSent) == totals.requestCount(of: .beacon))
        #expect(totals.count(of: .beaconsSent) > 0)
        #expect(totals.count(of: .beaconsFailed) == 0)
        #expect(totals.findingsOfTheTarget.isEmpty, "\(totals.findings)")
        let resolved = totals.breaks.reduce(0) { $0 + $1.onTime + $1.late + $1.failed }
        #expect(resolved == totals.breaks.reduce(0) { $0 + $1.due })
        #expect(resolved >= 24 * 4)
    }

    /// One finding of another list, or of other stitched ads, and nothing else; without the fault nothing at all.
    @Test(
        arguments: [
            ("", []),
            ("[{fault: stitched_mismatch, share: 50%}]", ["stitched_mismatch"]),
            ("[{fault: asset_list_mismatch, share: 50%}]", ["asset_list_mismatch"]),
        ]
    )
    func adsThatDifferBetweenViewersAreFoundAndNothingElse(_ faults: String, _ expected: [String]) async throws {
        let channel =
            faults.contains("asset_list") ? Self.channel : "stitched: {every: 18s, duration: 2s, dialect: cue-out}"
        let folder = try TemporaryFolder()
        let path = try folder.write(channel, to: "channel.yaml")
        let faultPath = faults.isEmpty ? nil : try folder.write(faults, to: "faults.yaml")
        var plan = LoadPlan.forRuns(viewers: 16)
        plan.breaks.source = .none
        plan.breaks.playsInterstitials = true
        plan.breaks.recognisesStitched = true
        let chosen = plan
        let totals = try await withOrigin {
            $0.breakInterval = .zero
            $0.channelPlanPath = path
            $0.faultPlanPath = faultPath
        } _: { origin, port in
            let milestones = Milestones()
            let run = try await chosen.started(port: port, path: origin.multivariantPath, observer: milestones)
            await milestones.reach { $0.adBreaksEnded >= 16 * 3 || $0.stitchedCompared >= 16 }
            await run.stop()
            let totals = RunTotals(merging: await run.totals())
            await run.shutDown()
            return totals
        }
        #expect(Set(totals.findingsOfTheTarget.map(\.code.code)) == Set(expected), "\(totals.findings)")
    }
}
