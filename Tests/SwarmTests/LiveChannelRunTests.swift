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

@testable import Swarm
@testable import Viewer

/// Low latency, renditions and steering against the reference origin, over sockets.
@Suite(.timeLimit(.minutes(15))) struct LiveChannelRunTests {
    /// Runs viewers without breaks against an origin with a channel plan until a condition is met.
    private func run(
        _ plan: LoadPlan,
        channel: String,
        faults: String? = nil,
        until condition: @escaping @Sendable (Milestones.Seen) -> Bool
    ) async throws -> RunOutcome {
        let folder = try TemporaryFolder()
        let path = try folder.write(channel, to: "channel.yaml")
        let faultPath = try faults.map { try folder.write($0, to: "faults.yaml") }
        return try await plan.run(
            {
                $0.breakInterval = .zero
                $0.windowSegments = 12
                $0.channelPlanPath = path
                $0.faultPlanPath = faultPath
            },
            until: condition
        )
    }

    private func plan(_ viewers: Int, _ persona: Persona, _ change: (inout LoadPlan) -> Void = { _ in }) -> LoadPlan {
        .watching(persona) {
            $0.audience.viewers = viewers
            $0.generator.loops = 2
            change(&$0)
        }
    }

    private static let lowLatency = """
        lowLatency:
          partDuration: 250ms
          deltaUpdates: v2
        renditions:
          audio: [en]

        """

    @Test func everyMergedPlaylistIsTheOneThatTheOriginHas() async throws {
        let persona = Persona.forTests {
            $0.lowLatency = LowLatencyFacts(blocking: .always, skip: .always, skipsDateRanges: true, loadsHints: true)
        }
        let plan = self.plan(20, persona) {
            $0.playback.segments = .content
            $0.playback.playsAudioRendition = true
            $0.playback.verifyDeltaShare = 0.1
        }
        let outcome = try await run(plan, channel: Self.lowLatency) {
            $0.counted[.deltaUpdates, default: 0] >= 600
        }
        #expect(outcome.findings.isEmpty, "\(outcome.findings)")
        #expect(outcome.totals.count(of: .deltaUpdates) >= 600)
        #expect(outcome.totals.count(of: .blockingReloads) >= outcome.totals.count(of: .deltaUpdates))
        #expect(outcome.totals.count(of: .blockingFallbacks) == 0)
        #expect(outcome.totals.count(of: .deltaRefetches) == 0)
        #expect(outcome.totals.count(of: .hintsUsed) > 0)
        #expect(outcome.totals.errorCount(of: .part) == 0)
        #expect(outcome.totals.errorCount(of: .segment) == 0)
        outcome.expectEqualBooks()
    }

    @Test func aWrongDeltaUpdateIsFoundAndNothingElse() async throws {
        let persona = Persona.forTests { $0.lowLatency = LowLatencyFacts(blocking: .always, skip: .always) }
        let outcome = try await run(
            plan(5, persona) { $0.playback.verifyDeltaShare = 1 },
            channel: Self.lowLatency,
            faults: "- fault: delta_wrong\n  share: 20%\n"
        ) { $0.counted[.deltaUpdates, default: 0] >= 100 }
        #expect(Set(outcome.findings.map(\.code)) == [.deltaMismatch])
        outcome.expectEqualBooks()
    }

    @Test func aServerThatDoesNotHoldWhatItOffersToIsFoundAndNothingElse() async throws {
        let persona = Persona.forTests { $0.lowLatency = LowLatencyFacts(blocking: .always, skip: .always) }
        let outcome = try await run(
            plan(20, persona),
            channel: Self.lowLatency,
            faults: "- fault: blocking_reload_ignored\n  share: 50%\n"
        ) { $0.counted[.blockingReloads, default: 0] >= 1_000 }
        let finding = try #require(outcome.findings.first)
        #expect(outcome.findings.map(\.code) == [.blockingReloadIgnored])
        let planned = try #require(outcome.truth.affected["blocking_reload_ignored"])
        #expect(finding.viewers.count == planned.viewers)
        #expect((1..<20).contains(finding.viewers.count))
        outcome.expectEqualBooks()
    }

    @Test func aSteeredAudienceGoesWhereTheManifestSays() async throws {
        let outcome = try await run(
            plan(6, .forTests { _ in }),
            channel: "steering:\n  pathways: [a, b]\n  ttl: 1s\n  switchEvery: 2s\n"
        ) { $0.counted[.steeringSwitches, default: 0] >= 12 }
        #expect(outcome.findings.isEmpty, "\(outcome.findings)")
        #expect(outcome.totals.requestCount(of: .steering) >= 12)
        #expect(outcome.totals.errorCount(of: .playlist) == 0)
        outcome.expectEqualBooks()
    }

    @Test func aSteeringServerThatFailsIsFoundByWhomItFailed() async throws {
        let outcome = try await run(
            plan(20, .forTests { _ in }),
            channel: "steering:\n  pathways: [a, b]\n  ttl: 1s\n",
            faults: "- fault: steering_unavailable\n  share: 50%\n"
        ) { $0.steered.count == 20 }
        #expect(outcome.findings.map(\.code) == [.steeringUnavailable])
        let touched = try #require(outcome.truth.affected["steering_unavailable"]).viewers
        #expect(outcome.findings.first?.viewers.count == touched)
        #expect((1..<20).contains(touched))
        outcome.expectEqualBooks()
    }

    @Test func aBusySteeringServerIsCounted() async throws {
        let outcome = try await run(
            plan(4, .forTests { _ in }),
            channel: "steering:\n  pathways: [a, b]\n  ttl: 1s\n  tooMany: 100%\n  retryAfter: 1s\n"
        ) { $0.counted[.steeringDelayed, default: 0] >= 8 }
        #expect(outcome.totals.outcomes(of: .steering)["http_429", default: 0] >= 8)
        #expect(outcome.totals.count(of: .steeringSwitches) == 0)
        outcome.expectEqualBooks()
    }

    @Test func variablesOfTheChannelAreFollowed() async throws {
        let outcome = try await run(
            plan(4, .forTests { _ in }) { $0.playback.segments = .content },
            channel: "variables:\n  base: dir\n  token: ticket\n"
        ) { $0.counted[.startedWatching, default: 0] >= 4 }
        #expect(outcome.findings.isEmpty, "\(outcome.findings)")
        #expect(outcome.totals.errorCount(of: .segment) == 0)
        outcome.expectEqualBooks()
    }

    // MARK: Interstitials

    private static let interstitials = """
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

    @Test func everyInterstitialIsSettledAndTheBooksOfBothSidesAgree() async throws {
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
        let outcome = try await run(plan, channel: Self.interstitials) { $0.adBreaksEnded >= 24 * 4 }
        outcome.expectEqualBooks()
        let totals = outcome.totals
        #expect(RequestKind.allCases.allSatisfy { totals.errorCount(of: $0) == 0 })
        let outcomes: [ViewerCounter] = [
            .eventsFinished, .eventsCutShort, .eventsCancelled, .eventsFailed, .eventsSkipped, .eventsLeft,
        ]
        #expect(totals.count(of: .eventsScheduled) == outcomes.reduce(0) { $0 + totals.count(of: $1) })
        #expect(totals.count(of: .eventsFinished) > 24)
        #expect(totals.count(of: .eventsCutShort) > 0)
        #expect(totals.count(of: .eventsFailed) == 0)
        #expect(totals.count(of: .beaconsSent) == totals.requestCount(of: .beacon))
        #expect(totals.count(of: .beaconsSent) > 0)
        #expect(totals.count(of: .beaconsFailed) == 0)
        #expect(outcome.findings.isEmpty, "\(outcome.findings)")
        let resolved = totals.breaks.reduce(0) { $0 + $1.onTime + $1.late + $1.failed }
        #expect(resolved == totals.breaks.reduce(0) { $0 + $1.due })
        #expect(resolved >= 24 * 4)
    }

    /// One finding of another list, or of other stitched ads, and nothing else; without the fault nothing at all.
    @Test(
        arguments: [
            (nil, []), ("[{fault: stitched_mismatch, share: 50%}]", [.stitchedMismatch]),
            ("[{fault: asset_list_mismatch, share: 50%}]", [.assetListMismatch]),
        ] as [(String?, Set<FindingCode>)]
    )
    func adsThatDifferBetweenViewersAreFoundAndNothingElse(faults: String?, expected: Set<FindingCode>) async throws {
        let isOfLists = faults?.contains("asset_list") == true
        let channel = isOfLists ? Self.interstitials : "stitched: {every: 18s, duration: 2s, dialect: cue-out}"
        var plan = LoadPlan.forRuns(viewers: 16)
        plan.breaks.source = .none
        plan.breaks.playsInterstitials = true
        plan.breaks.recognisesStitched = true
        let outcome = try await run(plan, channel: channel, faults: faults) {
            $0.adBreaksEnded >= 16 * 3 || $0.stitchedCompared >= 16
        }
        #expect(Set(outcome.findings.map(\.code)) == expected, "\(outcome.findings)")
    }
}
