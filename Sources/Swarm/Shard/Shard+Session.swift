import AdServing
import Measurement
import Transport

// What the ad server says of a viewer's session.
extension Shard {
    func registration(_ result: borrowing TransferResult, _ viewer: ViewerSlot) -> ViewerEvent {
        guard result.isSuccess else {
            return .registrationFailed(status: result.failure == nil ? result.status : nil)
        }
        do {
            return .registered(try StreamSession(json: result.body))
        } catch {
            // Success without a document: as good as one that lacks the stream id, and found as such.
            return .registered(StreamSession())
        }
    }

    func metadata(_ result: borrowing TransferResult, _ viewer: ViewerSlot) -> ViewerEvent {
        guard result.isSuccess, viewer.machine.wantsMetadata else { return .metadata(nil) }
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
