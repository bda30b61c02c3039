import AdServing
import LoadProfile
import Rulebook
import Testing
import Time

@testable import Audience
@testable import Swarm
@testable import Viewer

/// The stream session: registration, fail-over, renewal.
@Suite struct RegistrationTests {
    private static let path = "/ssai/pods/api/v1/network/21775744923/custom_asset/sgai-hls-live/stream"

    /// A viewer that joined, and whose registration was answered with members of a JSON object.
    private func registered(_ members: String, after seconds: Double = 0) -> ScriptedCrowd {
        let viewer = ScriptedCrowd()
        viewer.join()
        viewer.answer(.registration, "{\(members)}", after: seconds)
        return viewer
    }

    @Test func registersAtTheFirstServerWhenItJoins() {
        let viewer = ScriptedCrowd()
        viewer.join()
        #expect(viewer.first(.registration)?.url == "http://127.0.0.1:8080" + Self.path)
        #expect(viewer.count(.multivariant) == 1)
    }

    @Test(arguments: [429, 500, 503, 599, nil])
    func failsOverToTheSecondServerAtOnceAndThenGivesUp(status: Int?) {
        let viewer = ScriptedCrowd()
        viewer.join()
        let failure: TransportFailure? = status == nil ? .reset : nil
        viewer.answer(.registration, status: status ?? 0, failure: failure)
        viewer.advance(seconds: 0)
        #expect(viewer.counted(.registrationFailedOver) == 1)
        let url = viewer.answer(.registration, status: status ?? 0, failure: failure)
        #expect(url == "http://127.0.0.2:8080" + Self.path)
        viewer.advance(seconds: 19)
        #expect(viewer.count(.registration) == 0)
        #expect(viewer.counted(.registrationFailed) == 1)
    }

    @Test(arguments: [400, 401, 403, 404, 422])
    func givesUpOnAMistakeOfTheClient(status: Int) {
        let viewer = ScriptedCrowd()
        viewer.join()
        viewer.answer(.registration, status: status)
        viewer.advance(seconds: 19)
        #expect(viewer.count(.registration) == 0)
        #expect(viewer.counted(.registrationFailed) == 1)
        #expect(viewer.machine.facts.streamID == nil)
    }

    @Test func withoutASecondServerItTriesThreeTimesOneAndTwoSecondsApart() {
        let viewer = ScriptedCrowd(adServers: [ScriptedCrowd.server])
        viewer.join()
        for _ in 0..<3 {
            viewer.answer(.registration, status: 503)
            viewer.advance(seconds: 5)
        }
        #expect(viewer.asked(.registration) == [0, 1, 7])
        #expect(viewer.counted(.registrationRetried) == 2)
        #expect(viewer.counted(.registrationFailed) == 1)
    }

    @Test(
        arguments: [
            (#"{"polling_frequency":10}"#, "a successful answer without one"),
            (String(repeating: #"{"a":"#, count: 200), "a successful answer that cannot be read: too_deep"),
        ]
    )
    func anAnswerWithoutAStreamIDIsAFindingAndNoSession(body: String, observed: String) {
        let viewer = ScriptedCrowd()
        viewer.join()
        viewer.answer(.registration, body)
        let finding = ViewerNote.finding(.registrationWithoutStreamID, expected: "a stream_id", observed: observed)
        #expect(viewer.notes.contains(finding), "\(viewer.notes)")
        #expect(viewer.machine.facts.streamID == nil)
        #expect(viewer.timers[.metadata] == nil)
    }

    /// At nine tenths of its validity; an instant goes before a length.
    @Test(
        arguments: [
            (#","valid_for":"0h1m40s""#, 90), ("", nil),
            (#","valid_for":"8h0m0s","valid_until":"2026-11-21T20:03:20Z""#, 180),
        ] as [(String, Double?)]
    )
    func renewsAtNineTenthsOfItsValidity(validity: String, seconds: Double?) {
        let viewer = registered(#""stream_id":"a""# + validity, after: validity.contains("1m40s") ? 1 : 0)
        #expect(viewer.timers[.renewal] == seconds.map { ScriptedCrowd.instant($0) })
    }

    @Test func theNewStreamIDIsUsedFromTheRenewalOn() {
        let viewer = registered(#""stream_id":"first","valid_for":"0h0m21s""#)
        viewer.answer(.multivariant)
        viewer.answer(.playlist)
        viewer.watch(seconds: 18.5)
        // The pod of the break at 20 s is already prepared when the session is renewed.
        #expect(viewer.scheduled.last?.url?.contains("stream_id=first") == true)
        viewer.watch(seconds: 0.5)
        viewer.answer(.registration, #"{"stream_id":"second","valid_for":"8h0m0s"}"#)
        #expect(viewer.counted(.registrationRenewed) == 1)
        #expect(viewer.scheduled.last?.url?.contains("stream_id=second") == true)
        viewer.watch(seconds: 1)
        #expect(viewer.first(.podManifest)?.url.contains("stream_id=second") == true)
    }

    @Test func aFailedRenewalKeepsTheOldSession() {
        let viewer = registered(#""stream_id":"first","valid_for":"0h0m10s""#)
        viewer.advance(seconds: 9)
        viewer.answer(.registration, status: 404)
        #expect(viewer.machine.facts.streamID == StreamID("first"))
    }

    @Test(arguments: ["9999999h0m0s", "0h0m0s"])
    func noValidityMakesAViewerRegisterWithoutPause(text: String) {
        let viewer = registered(#""stream_id":"a","valid_for":"\#(text)""#)
        let renewal = viewer.timers[.renewal] ?? .distantFuture
        #expect(renewal >= ScriptedCrowd.instant(0.9), "\(text)")
    }
}
