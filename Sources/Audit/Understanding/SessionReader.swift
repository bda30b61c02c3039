import AdServing
import Results
import Rules
import Transport
import Viewer

struct SessionReader {
    func registration(_ examination: borrowing Examination) -> ViewerEvent {
        guard examination.answer.isSuccess else {
            examination.noteUnreached(.registrationFailed)
            // A redirect that was not followed is followed no more often at the next attempt.
            let isAnswered = examination.answer.failure == nil || examination.answer.refused?.redirect != nil
            let wait = examination.context.waitsForRetryAfter ? examination.retryAfter : nil
            return .registrationFailed(
                status: isAnswered ? examination.answer.status : nil,
                retryAfter: wait.map { Int32(clamping: $0) }
            )
        }
        do {
            let adapter = examination.context.plan.adapter
            let session = try adapter.session(json: examination.answer.body, from: examination.answer.url)
            examination.noteSession(session.streamID)
            // Another viewer's session is found here, and belongs to this viewer from now on.
            examination.lookForForeignSession(in: examination.answer.body, breakSlot: examination.viewer.currentSlot)
            return .registered(session)
        } catch {
            // A success without a document counts as one without a stream id.
            return .registered(StreamSession(unreadable: error))
        }
    }

    func metadata(_ examination: borrowing Examination) -> ViewerEvent {
        guard examination.answer.isSuccess, examination.viewer.facts.wantsMetadata else { return .metadata(nil) }
        let slot = examination.viewer.currentSlot
        examination.lookForForeignSession(in: examination.answer.body, breakSlot: slot)
        let metadata = try? SessionMetadata(json: examination.answer.body)
        examination.viewer.record.metadataMemory = examination.memory(ofTimesBody: 2)
        if let metadata, let planned = examination.viewer.record.current?.planned {
            let slate = metadata.slate(of: planned.identifier)
            examination.namedSlate(slot, ads: slate.ads, duration: slate.duration)
        }
        return .metadata(metadata)
    }

    func verification(_ examination: borrowing Examination) -> ViewerEvent {
        let status = examination.answer.failure == nil ? examination.answer.status : 0
        let counter: ViewerCounter =
            switch MediaVerification.meaning(status: status) {
            case .recorded: .pingsRecorded
            case .accepted: .pingsAccepted
            case .unknown: .pingsUnknown
            case .sentByOthers: .pingsSentByOthers
            case .failed: .pingsFailed
            }
        examination.context.recorder.count(counter, by: 1)
        if counter == .pingsRecorded, examination.pingsWhatMayBePrefix {
            examination.context.recordedMediaIDs.add(examination.answer.url)
        }
        return .pingAnswered
    }
}
