import AdServing
import Recording
import Viewer

extension Examination {
    /// Bytes read of a warning.
    private static var shownBytes: Int { 4 * ServerWarnings.textLimit }

    /// Records a warning in the head of the ad server's answer; other servers' heads are ignored.
    func noteWarning() {
        guard answer.role.asksAdServer else { return }
        // `WireName.warningHeader` in the form that header lookup needs.
        answer.readHeader("x-ad-manager-dai-warning") { value in
            let bytes = UnsafeRawBufferPointer(rebasing: value.prefix(Self.shownBytes))
            let text = Redaction.text(String(decoding: bytes, as: UTF8.self), own: viewer.facts.streamID)
            context.observer?.viewer(viewer.number, wasWarnedBy: answer.role.kind, text)
            context.recorder.serverWarned(answer.role.kind, text)
        }
    }
}

extension ViewerRole {
    /// Whether the ad server produces the answer, and may warn about the request.
    fileprivate var asksAdServer: Bool {
        switch self {
        case .registration, .sessionUpdate, .podManifest, .podRepeat, .podPlaylist, .podRepeatPlaylist, .assetList: true
        case .multivariant, .playlist, .blockingPlaylist, .segment, .part, .podSegment: false
        case .metadata, .verification, .assetManifest, .beacon, .steering: false
        }
    }
}
