import AdServing
import Breaks
import LoadProfile
import Testing
import Transport

@testable import Audience
@testable import Audit
@testable import Swarm
@testable import Viewer

/// What is sent again and again, or by thousands at one instant, is made once and before.
@Suite struct SteadyStateTests {
    private static let plan = LoadPlan.forTests {
        $0.playback.pollsMetadata = true
        $0.playback.sendsVerificationPings = true
    }

    @Test(arguments: [false, true])
    func everyPollOfAViewerIsTheSameRequest(identifiesViewers: Bool) async throws {
        try await ScriptedCrowd.onLoop { loop in
            var scripted = try ScriptedCrowd(Self.plan, identifiesViewers: identifiesViewers, loop: loop)
            scripted.join()
            for version in 2..<12 {
                scripted.version = version / 2
                for index in 0..<2 {
                    #expect(scripted.fire(.reload, index: index), "version \(version)")
                }
                scripted.answer()
            }
            let polls = (0..<2).map { scripted.transport.requests(.playlist, index: $0) }
            for viewer in polls {
                #expect(viewer.count == 11)
                #expect(viewer.allSatisfy { $0 === viewer.first })
            }
            // Only a header that is the viewer's own needs a request of its own.
            #expect((polls[0].first === polls[1].first) == !identifiesViewers)
            #expect(scripted.crowd.auditor.library.parsed == 6)
        }
    }

    @Test func everyMetadataPollOfAViewerIsTheSameRequest() async throws {
        try await ScriptedCrowd.onLoop { loop in
            let scripted = try ScriptedCrowd(Self.plan, loop: loop)
            scripted.join()
            for _ in 0..<3 {
                #expect(scripted.fire(.metadata))
                scripted.answer()
            }
            let polls = scripted.transport.requests(.metadata)
            #expect(polls.map(\.url) == [String](repeating: "http://127.0.0.1:8080/metadata/0", count: 3))
            #expect(polls.allSatisfy { $0 === polls.first })
        }
    }

    @Test func whatABreakAsksForIsThereBeforeItsInstantAndLetGoAfterwards() async throws {
        try await ScriptedCrowd.onLoop { loop in
            let scripted = try ScriptedCrowd(Self.plan, loop: loop)
            let viewer = scripted.crowd.viewers[0]
            scripted.join()
            #expect(viewer.podRequest == nil)
            #expect(scripted.fire(.breakPreparation))
            let prepared = try #require(viewer.podRequest)
            #expect(scripted.fire(.breakFetch))
            #expect(scripted.transport.requests(.podManifest).count == 1)
            #expect(scripted.transport.requests(.podManifest).first === prepared)
            scripted.answer()
            #expect(scripted.fire(.breakStart))
            #expect(viewer.machine.breaks.screen.keepsExtras)
            while scripted.fire(.adProgress) {}
            #expect(viewer.machine.phase == .watching)
            #expect(viewer.podRequest == nil)
        }
    }

    @Test func theConnectionIsWarmedForThePreparedRequest() async throws {
        let plan = LoadPlan.forTests { $0.breaks.preconnect = .seconds(1) }
        try await ScriptedCrowd.onLoop { loop in
            let scripted = try ScriptedCrowd(plan, loop: loop)
            scripted.join()
            #expect(scripted.fire(.breakPreparation))
            #expect(scripted.transport.warmed.isEmpty)
            #expect(scripted.fire(.breakPreparation))
            #expect(scripted.transport.warmed.count == 1)
            #expect(scripted.transport.warmed.first === scripted.crowd.viewers[0].podRequest)
            #expect(scripted.fire(.breakFetch))
            #expect(scripted.transport.requests(.podManifest).first === scripted.transport.warmed.first)
        }
    }

    @Test func theRepeatedPodRequestIsTheFirstOne() async throws {
        let plan = LoadPlan.forTests { $0.pods.repeatShare = 1 }
        try await ScriptedCrowd.onLoop { loop in
            let scripted = try ScriptedCrowd(plan, loop: loop)
            scripted.join()
            scripted.fire(.breakPreparation)
            scripted.fire(.breakFetch)
            scripted.answer()
            let first = scripted.transport.requests(.podManifest)
            let second = scripted.transport.requests(.podRepeat)
            #expect(first.count == 1 && second.count == 1)
            #expect(first.first === second.first)
        }
    }

    @Test func viewersOfOneBreakShareItsDescription() async throws {
        try await ScriptedCrowd.onLoop { loop in
            let scripted = try ScriptedCrowd(Self.plan, loop: loop)
            scripted.join()
            let first = try #require(scripted.crowd.viewers[0].planned)
            #expect(scripted.crowd.viewers[1].planned === first)
            #expect(
                scripted.crowd.viewers[0].machine.playback.latest === scripted.crowd.viewers[1].machine.playback.latest
            )
        }
    }

    /// Thousands of each are held, or passed on at each poll; what grows them is to be seen.
    @Test func whatThereIsThousandsOfStaysSmall() {
        #expect(MemoryLayout<ViewerMachine>.size <= 320)
        #expect(MemoryLayout<BreaksPart>.size <= 112)
        #expect(MemoryLayout<ViewerAction>.size <= 40)
        #expect(MemoryLayout<ViewerEvent>.size <= 48)
        #expect(MemoryLayout<Break>.size <= 152)
    }
}
