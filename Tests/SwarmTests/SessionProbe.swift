import AdServing
import EventLoop
import HLS
import LoadProfile
import Testing
import Transport

@testable import Audience
@testable import Recording
@testable import Rulebook
@testable import Swarm
@testable import Viewer

/// One viewer on a scripted transport whose session, tracking and redirects are answered by hand.
struct SessionProbe {
    static let streamID = "00000000-0000-4000-8000-000000000000:TUL"
    /// Of the first break, twenty seconds into the run.
    static let breakID = "break-1795291220"
    /// What the wall clock reads when the first break's pod leads to an address.
    static let epochSeconds = ScriptedViewer.wallStart.microseconds / 1_000_000 + 20

    let scripted: ScriptedCrowd
    var transport: ScriptedTransport { scripted.transport }

    /// A viewer that joined and shows the channel; call on the loop.
    ///
    /// `validity` is the session's `valid_for`, nil where the registration does not say; `registration` is the whole
    /// answer, in place of a complete one.
    init(
        validity: String? = "8h0m0s",
        registration: String? = nil,
        plan: LoadPlan = .forTests(),
        loop: EventLoop
    ) throws {
        scripted = try ScriptedCrowd(plan, viewers: 1, loop: loop)
        let join = CrowdToken(index: 0, detail: CrowdToken.join)
        scripted.crowd.timerFired(token: join.rawValue, deadline: scripted.start)
        #expect(transport.answer(.registration, body: registration ?? Self.registration(validity: validity)))
        scripted.answer()
    }

    /// One viewer that joined, and of whose requests none is answered; call on the loop.
    init(joinedOn loop: EventLoop) throws {
        scripted = try ScriptedCrowd(.forTests(), viewers: 1, loop: loop)
        let join = CrowdToken(index: 0, detail: CrowdToken.join)
        scripted.crowd.timerFired(token: join.rawValue, deadline: scripted.start)
    }

    /// A complete answer to a registration; `validity` as `valid_for`, nil where it does not say.
    static func registration(validity: String?) -> String {
        let valid = validity.map { #","valid_for":"\#($0)""# } ?? ""
        return """
            {"stream_id":"\(Self.streamID)","polling_frequency":10,"metadata_url":"http://127.0.0.1:8080/metadata",
            "media_verification_url":"http://127.0.0.1:8080/verify/"\(valid)}
            """
    }

    /// Codes found so far, with the break that each was booked under, sorted.
    var findings: [String] {
        let keys = scripted.crowd.recorder.finish().findings.entries.keys.sorted()
        // The scripted live playlists keep none of the rules that other suites look at.
        return keys.filter { FindingCode.named($0.code)?.group.isOfAds ?? true }.map { key in
            key.breakKey.isEmpty ? key.code : "\(key.code) in \(key.breakKey)"
        }
    }

    var evidence: [Evidence] {
        scripted.crowd.recorder.finish().findings.entries.values.compactMap(\.first?.evidence)
    }

    func count(_ code: FindingCode) -> UInt64 { scripted.crowd.recorder.finish().findings.count(of: code.code) }

    /// The first break's key in the measurement.
    var breakKey: String { scripted.crowd.viewers[0].planned?.scheduled.key ?? "" }

    /// Lets the viewer ask for its first pod.
    func askForPod() { scripted.fire(.breakFetch) }

    /// Lets the viewer poll its metadata; the first time ten seconds before the break.
    func pollMetadata() { scripted.fire(.metadata) }

    /// Brings the viewer to the first ad of its break, metadata polled before.
    func play() {
        pollMetadata()
        scripted.answer()
        askForPod()
        scripted.answer()
        scripted.fire(.breakStart)
    }

    /// A pod manifest whose only playlist is at an address.
    static func manifest(leadingTo url: String) -> String {
        "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=800000\n\(url)\n"
    }

    /// The address of a part of the first break's pod, signed.
    static func address(_ fields: [String: String]) -> String {
        let token = PercentEncoding.encode(AuthToken.sign(fields: fields, key: "key"))
        return "http://127.0.0.1:8080/pods/ad_break_id/\(breakID)/360p.m3u8?auth-token=\(token)"
    }

    /// Metadata that lists these media ids of the first break's one ad.
    static func metadata(_ tags: [(id: String, type: String)]) -> String {
        let tags = tags.map { #""\#($0.id)":{"ad":"a","ad_break_id":"\#(breakID)","type":"\#($0.type)"}"# }
        return #"{"tags":{\#(tags.joined(separator: ","))},"ads":{"a":{"ad_break_id":"\#(breakID)","seq":1}}}"#
    }
}
