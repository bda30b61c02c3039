import AdServing
import EventLoop
import Measurement
import Transport

// What the ad server says of a viewer's session.
extension Shard {
    /// The request for a session, made when it is sent: a token in it counts from now.
    func sessionRequest(url: String, _ viewer: ViewerSlot) -> PreparedRequest {
        let asked = self.plan.sessionRequest(
            of: viewer.machine.number,
            server: viewer.machine.registrationServer,
            now: self.plan.timebase.wall(MonotonicClock.now())
        )
        guard let asked, asked.method == .post else { return PreparedRequest(url: url, headers: viewer.headers) }
        var headers = viewer.headers
        if let contentType = asked.contentType {
            headers = HeaderList(self.fields(number: viewer.machine.number) + [("content-type", contentType)])
        }
        return PreparedRequest(.post, url: url, headers: headers, body: Array((asked.body ?? "").utf8))
    }

    /// Whether an answer says that the viewer's session is over.
    ///
    /// A playlist request with directives is refused in the same words for other reasons (bis-22 section 6.2.5.2); the
    /// next one without them tells.
    func endsSession(_ role: ViewerRole, _ result: borrowing TransferResult) -> Bool {
        switch role {
        case .playlist, .assetList, .podManifest: break
        case .multivariant where self.plan.adapter.hasSession: break
        default: return false
        }
        return result.failure == nil && self.plan.adapter.endsSession(status: result.status)
    }

    func registration(_ result: borrowing TransferResult, _ viewer: ViewerSlot) -> ViewerEvent {
        guard result.isSuccess else {
            return .registrationFailed(status: result.failure == nil ? result.status : nil)
        }
        do {
            return .registered(try self.plan.adapter.session(json: result.body, from: result.effectiveURL))
        } catch {
            // Success without a document: as good as one that lacks the stream id, and found as such.
            return .registered(StreamSession())
        }
    }

    func metadata(_ result: borrowing TransferResult, _ viewer: ViewerSlot) -> ViewerEvent {
        guard result.isSuccess, viewer.machine.wantsMetadata else { return .metadata(nil) }
        if let own = viewer.machine.streamID {
            self.noteForeignID(in: result.body, own: own, url: result.effectiveURL, viewer, slot: viewer.breakSlot)
        }
        return .metadata(try? SessionMetadata(json: result.body))
    }

    func verification(_ result: borrowing TransferResult) -> ViewerEvent {
        switch MediaVerification.meaning(status: result.failure == nil ? result.status : 0) {
        case .recorded: self.recorder.count(.pingsRecorded)
        case .accepted: self.recorder.count(.pingsAccepted)
        case .unknown: self.recorder.count(.pingsUnknown)
        case .failed: self.recorder.count(.pingsFailed)
        }
        return .pingAnswered
    }
}
