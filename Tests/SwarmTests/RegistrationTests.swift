import AdServing
import HLS
import Rulebook
import Testing

@testable import Audience
@testable import Swarm
@testable import Viewer

/// The stream session: registration, fail-over, renewal.
@Suite struct RegistrationTests {
    private let path = "/ssai/pods/api/v1/network/21775744923/custom_asset/sgai-hls-live/stream"

    private func session(_ members: String) throws -> StreamSession {
        let bytes = Array("{\(members)}".utf8)
        return try bytes.withUnsafeBytes { try StreamSession(json: $0) }
    }

    @Test func registersAtTheFirstServerWhenItJoins() {
        var viewer = ScriptedViewer()
        viewer.send(.join)
        #expect(viewer.take(.registration) == "http://127.0.0.1:8080" + path)
        #expect(viewer.count(.multivariant) == 1)
    }

    @Test(arguments: [429, 500, 503, 599, nil])
    func failsOverToTheSecondServerAtOnceAndThenGivesUp(status: Int?) {
        var viewer = ScriptedViewer()
        viewer.send(.join)
        viewer.take(.registration)
        viewer.send(.registrationFailed(status: status))
        viewer.advance(seconds: 0)
        #expect(viewer.take(.registration) == "http://127.0.0.2:8080" + path)
        #expect(viewer.counted(.registrationFailedOver) == 1)
        viewer.send(.registrationFailed(status: status))
        viewer.advance(seconds: 19)
        #expect(viewer.count(.registration) == 0)
        #expect(viewer.counted(.registrationFailed) == 1)
    }

    @Test(arguments: [400, 401, 403, 404, 422])
    func givesUpOnAMistakeOfTheClient(status: Int) {
        var viewer = ScriptedViewer()
        viewer.send(.join)
        viewer.take(.registration)
        viewer.send(.registrationFailed(status: status))
        viewer.advance(seconds: 19)
        #expect(viewer.count(.registration) == 0)
        #expect(viewer.counted(.registrationFailed) == 1)
        #expect(viewer.machine.facts.streamID == nil)
    }

    @Test func withoutASecondServerItTriesThreeTimesOneAndTwoSecondsApart() {
        var viewer = ScriptedViewer(adServers: ["http://127.0.0.1:8080"])
        viewer.send(.join)
        var instants: [Double] = []
        while let request = viewer.open.first(where: { $0.role == .registration }), instants.count < 10 {
            instants.append(Double(request.plannedAt.nanoseconds(since: ScriptedViewer.start)) / 1e9)
            viewer.take(.registration)
            viewer.send(.registrationFailed(status: 503))
            viewer.advance(seconds: 5)
        }
        #expect(instants == [0, 1, 7])
        #expect(viewer.counted(.registrationRetried) == 2)
        #expect(viewer.counted(.registrationFailed) == 1)
    }

    @Test func anAnswerWithoutAStreamIDIsAFindingAndNoSession() throws {
        var viewer = ScriptedViewer()
        viewer.send(.join)
        viewer.take(.registration)
        viewer.send(.registered(try session(#""polling_frequency":10"#)))
        #expect(
            viewer.notes.contains(
                .finding(
                    .registrationWithoutStreamID,
                    expected: "a stream_id",
                    observed: "a successful answer without one"
                )
            )
        )
        #expect(viewer.machine.facts.streamID == nil)
        #expect(viewer.timers[.metadata] == nil)
    }

    @Test func anAnswerThatCannotBeReadIsNoSessionAndSaysWhy() {
        var viewer = ScriptedViewer()
        viewer.send(.join)
        viewer.take(.registration)
        viewer.send(.registered(StreamSession(unreadable: .tooDeep)))
        let observed = "a successful answer that cannot be read: too_deep"
        #expect(
            viewer.notes.contains(
                .finding(.registrationWithoutStreamID, expected: "a stream_id", observed: observed)
            )
        )
        #expect(viewer.machine.facts.streamID == nil)
    }

    @Test func renewsAtNineTenthsOfValidFor() throws {
        var viewer = ScriptedViewer()
        viewer.send(.join)
        viewer.take(.registration)
        viewer.advance(seconds: 1)
        viewer.send(.registered(try session(#""stream_id":"a","valid_for":"0h1m40s""#)))
        #expect(viewer.timers[.renewal] == ScriptedViewer.start.later(by: .seconds(90)))
    }

    @Test func anInstantGoesBeforeALength() throws {
        var viewer = ScriptedViewer()
        viewer.send(.join)
        viewer.take(.registration)
        let until = (ScriptedViewer.wallStart + .seconds(200)).iso8601
        viewer.send(.registered(try session(#""stream_id":"a","valid_for":"8h0m0s","valid_until":"\#(until)""#)))
        #expect(viewer.timers[.renewal] == ScriptedViewer.start.later(by: .seconds(180)))
    }

    @Test func withoutAValidityNothingIsRenewed() throws {
        var viewer = ScriptedViewer()
        viewer.send(.join)
        viewer.take(.registration)
        viewer.send(.registered(try session(#""stream_id":"a""#)))
        #expect(viewer.timers[.renewal] == nil)
    }

    @Test func theNewStreamIDIsUsedFromTheRenewalOn() throws {
        var viewer = ScriptedViewer()
        viewer.send(.join)
        viewer.take(.registration)
        viewer.send(.registered(try session(#""stream_id":"first","valid_for":"0h0m21s""#)))
        viewer.take(.multivariant)
        viewer.send(.multivariant(try .forTests(), url: "http://127.0.0.1:8080/live/main/multivariant.m3u8"))
        try viewer.answerPlaylist()
        try viewer.watch(seconds: 18.5)
        // The pod of the break at 20 s is already prepared when the session is renewed.
        #expect(viewer.scheduled.last?.2?.contains("stream_id=first") == true)
        try viewer.watch(seconds: 0.5)
        #expect(viewer.take(.registration) != nil)
        viewer.send(.registered(try session(#""stream_id":"second","valid_for":"8h0m0s""#)))
        #expect(viewer.counted(.registrationRenewed) == 1)
        #expect(viewer.scheduled.last?.2?.contains("stream_id=second") == true)
        try viewer.watch(seconds: 1)
        let request = try #require(viewer.open.first { $0.role == .podManifest })
        #expect(request.url.contains("stream_id=second"))
    }

    @Test func aFailedRenewalKeepsTheOldSession() throws {
        var viewer = ScriptedViewer()
        viewer.send(.join)
        viewer.take(.registration)
        viewer.send(.registered(try session(#""stream_id":"first","valid_for":"0h0m10s""#)))
        viewer.advance(seconds: 9)
        viewer.take(.registration)
        viewer.send(.registrationFailed(status: 404))
        #expect(viewer.machine.facts.streamID == StreamID("first"))
    }

    @Test(arguments: ["9999999h0m0s", "0h0m0s"])
    func noValidityMakesAViewerRegisterWithoutPause(text: String) throws {
        var viewer = ScriptedViewer()
        viewer.send(.join)
        viewer.take(.registration)
        viewer.send(.registered(try session(#""stream_id":"a","valid_for":"\#(text)""#)))
        let renewal = viewer.timers[.renewal] ?? .distantFuture
        #expect(renewal >= ScriptedViewer.start.later(by: .milliseconds(900)), "\(text)")
    }
}
