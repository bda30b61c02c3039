import AdServing
import Conformance
import HLS
import Measurement
import Transport

// What a playlist's answer shows by itself.
extension Shard {
    /// Books what a version of the channel's playlists breaks by itself, and what its answer's head says of it.
    func foundInAnswer(_ violations: [Violation], _ result: borrowing TransferResult, _ viewer: ViewerSlot) {
        let all = violations + self.headViolations(result, offersGzip: self.acceptsGzip)
        guard !all.isEmpty else { return }
        self.found(all, url: result.effectiveURL, viewer, now: result.doneAt)
    }

    /// A body with success that cannot be read as a playlist: each mistake by its own name.
    func foundNoPlaylist(
        _ error: PlaylistError,
        _ result: borrowing TransferResult,
        _ viewer: ViewerSlot,
        breakSlot: Int32
    ) {
        let url = result.effectiveURL
        let violations = PlaylistChecks.violations(
            in: result.body,
            refusedWith: error,
            url: url,
            importing: viewer.machine.multivariant?.exports
        )
        self.found(violations, url: url, viewer, breakSlot: breakSlot)
    }

    /// Holds the playlist of a pod or asset against the rules.
    func inspectPod(_ result: borrowing TransferResult, own: StreamID?, _ viewer: ViewerSlot, _ breakSlot: Int32) {
        guard let own else { return }
        let url = result.effectiveURL
        // Each viewer's own, so that compressing them is a matter of taste (bis-22 appendix B.1 speaks of the channel's).
        let head = self.headViolations(result, offersGzip: false)
        let violations = self.playlists.violations(inPod: result.body, own: own, url: url) + head
        guard !violations.isEmpty else { return }
        self.found(violations, url: url, viewer, breakSlot: breakSlot)
    }

    /// What the head of an answer says of its playlist; the usual one is recognised without more ado.
    private func headViolations(_ result: borrowing TransferResult, offersGzip: Bool) -> [Violation] {
        let type = result.header("content-type")
        let coding = offersGzip ? result.header("content-encoding") : nil
        if type == "application/vnd.apple.mpegurl", coding == "gzip" || !offersGzip { return [] }
        return ResponseChecks.violations(
            contentType: type,
            contentEncoding: coding,
            acceptedGzip: offersGzip,
            url: result.effectiveURL,
            bodyBytes: result.body.count
        )
    }

    /// Books violations, their texts without secrets.
    func found(_ violations: [Violation], url: String, _ viewer: ViewerSlot, breakSlot: Int32) {
        let own = viewer.machine.streamID
        for violation in violations {
            let line = violation.line.map { "line \($0): " } ?? ""
            self.found(
                violation.code,
                url: url,
                expected: Redaction.text(violation.expected, own: own),
                observed: line + Redaction.text(violation.observed, own: own),
                viewer,
                breakSlot: breakSlot
            )
        }
    }
}
