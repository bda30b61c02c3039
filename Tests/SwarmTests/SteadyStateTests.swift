import Breaks
import Testing
import Transport

@testable import Audience
@testable import Audit
@testable import Swarm
@testable import Viewer

/// What is sent again and again, or by thousands at one instant, is made once and before.
@Suite struct SteadyStateTests {
    @Test(arguments: [false, true])
    func everyPollOfAViewerIsTheSameRequest(identifiesViewers: Bool) {
        let crowd = ScriptedCrowd.allWatching(viewers: 2, identifiesViewers: identifiesViewers)
        for version in 2..<12 {
            crowd.version = version / 2
            for index in 0..<2 { #expect(crowd.fire(.reload, of: index), "version \(version)") }
            crowd.answerAll()
        }
        let polls = (0..<2).map { crowd.transport.requests(.playlist, of: $0) }
        for viewer in polls { #expect(viewer.count == 11 && viewer.allSatisfy { $0 === viewer.first }) }
        // Only a header that is the viewer's own needs a request of its own.
        #expect((polls[0].first === polls[1].first) == !identifiesViewers)
        #expect(crowd.parsed == 6)
    }

    @Test func everyMetadataPollOfAViewerIsTheSameRequest() {
        let viewer = ScriptedCrowd.watching(seconds: 35)
        let polls = viewer.transport.requests(.metadata)
        #expect(polls.map(\.url) == [String](repeating: "http://127.0.0.1:8080/metadata/0", count: 3))
        #expect(polls.allSatisfy { $0 === polls.first })
    }

    @Test func whatABreakAsksForIsThereBeforeItsInstantAndLetGoAfterwards() throws {
        let viewer = ScriptedCrowd.watching()
        let slot = viewer.slot()
        #expect(slot.podRequest == nil)
        viewer.fire(.breakPreparation)
        let prepared = try #require(slot.podRequest)
        viewer.fire(.breakFetch)
        #expect(viewer.transport.requests(.podManifest).first === prepared)
        viewer.answerPod([10])
        viewer.fire(.breakStart)
        #expect(slot.machine.breaks.screen.keepsExtras)
        viewer.watch(seconds: 10.5)
        #expect(slot.machine.phase == .watching)
        #expect(slot.podRequest == nil)
    }

    @Test func viewersOfOneBreakShareItsDescriptionAndThePlaylist() {
        let crowd = ScriptedCrowd.allWatching(viewers: 2)
        #expect(crowd.slot(0).planned != nil && crowd.slot(1).planned === crowd.slot(0).planned)
        #expect(crowd.slot(0).machine.playback.latest === crowd.slot(1).machine.playback.latest)
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
