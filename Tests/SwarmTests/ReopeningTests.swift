import EventLoop
import LoadProfile
import Players
import Rulebook
import Testing
import Time
import Transport

@testable import Audience
@testable import Swarm
@testable import Viewer

/// What becomes of a viewer's place when somebody closes the application, and opens it again.
@Suite struct ReopeningTests {
    private static let plan = LoadPlan.forTests {
        $0.audience.viewers = 1
        $0.breaks.source = .none
        $0.audience.abandonment = AbandonmentPlan(
            afterStall: .seconds(20),
            afterStop: .seconds(5),
            reopenShare: 1,
            reopenAfter: .seconds(10)
        )
    }

    /// Has a viewer look at a picture that stands still until it has closed the application.
    private static func abandon(_ scripted: ScriptedCrowd) {
        let owner = scripted.crowd.viewers[0].owner
        // Each time it looks again when patience may end.
        for _ in 0..<10 where !owner.isClosed { scripted.fire(.abandonment) }
        #expect(owner.isClosed)
    }

    private static func reopen(_ scripted: ScriptedCrowd, at deadline: Instant) {
        scripted.crowd.timerFired(
            token: CrowdToken(index: 0, detail: CrowdToken.reopening).rawValue,
            deadline: deadline
        )
    }

    /// A target that swallows requests is not waited for: connections close with the application.
    @Test func whatIsUnderWayEndsWithTheApplication() async throws {
        try await ScriptedCrowd.onLoop { loop in
            let scripted = try ScriptedCrowd(Self.plan, viewers: 1, loop: loop)
            scripted.join()
            scripted.fire(.reload)
            #expect(scripted.transport.inFlight == 1)
            Self.abandon(scripted)
            // The script tells what a transport tells of an owner that is closed.
            #expect(scripted.transport.answer(.playlist, failure: .abandoned))
            let again = scripted.crowd.viewers[0]
            #expect(again.machine.phase == .waiting && again.machine.life == 1 && !again.owner.isClosed)
        }
    }

    /// Somebody waited in this seat before, and left it for good.
    @Test func onlyItsOwnTimerBringsAViewerBack() async throws {
        try await ScriptedCrowd.onLoop { loop in
            let scripted = try ScriptedCrowd(Self.plan, viewers: 1, loop: loop)
            scripted.join()
            Self.abandon(scripted)
            let viewer = scripted.crowd.viewers[0]
            let own = try #require(scripted.crowd.abandonments[0])
            Self.reopen(scripted, at: own.earlier(by: 1))
            #expect(viewer.machine.phase == .waiting)
            Self.reopen(scripted, at: own)
            #expect(viewer.machine.phase == .joining)
            #expect(scripted.crowd.abandonments.isEmpty)
        }
    }

    @Test func whoOpensTheApplicationVeryOftenIsNoNewViewer() async throws {
        try await ScriptedCrowd.onLoop { loop in
            let scripted = try ScriptedCrowd(Self.plan, viewers: 1, loop: loop)
            scripted.join()
            for _ in 0..<300 {
                Self.abandon(scripted)
                Self.reopen(scripted, at: try #require(scripted.crowd.abandonments[0]))
                scripted.answer()
            }
            #expect(scripted.crowd.viewers[0].machine.life == 255)
        }
    }
}
