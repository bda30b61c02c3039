import AdServing
import Audience
import Recording
import Viewer

extension Examination {
    /// Bytes of a warning that are looked at.
    private static var shownBytes: Int { 4 * ServerWarnings.textLimit }

    /// Books what the ad server warns of in the head of its answer; other servers' heads are not looked at.
    func noteWarning() {
        guard answer.role.asksAdServer else { return }
        // `WireName.warningHeader`, as headers are looked up.
        answer.readHeader("x-ad-manager-dai-warning") { value in
            let bytes = UnsafeRawBufferPointer(rebasing: value.prefix(Self.shownBytes))
            let text = Redaction.text(String(decoding: bytes, as: UTF8.self), own: viewer.facts.streamID)
            context.observer?.viewer(viewer.number, wasWarnedBy: answer.role.kind, text)
            context.sink.serverWarned(answer.role.kind, text)
        }
    }
}

extension ViewerRole {
    /// Whether the ad server decides on its answer, and may warn of what the request says.
    fileprivate var asksAdServer: Bool {
        switch self {
        case .registration, .sessionUpdate, .podManifest, .podRepeat, .podPlaylist, .podRepeatPlaylist, .assetList: true
        case .multivariant, .playlist, .blockingPlaylist, .segment, .part, .podSegment: false
        case .metadata, .verification, .assetManifest, .beacon, .steering: false
        }
    }
}
