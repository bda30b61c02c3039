import Measurement
import Transport

// What was announced and never came: pods and asset lists of a break, and segments and steering of the channel.
extension Shard {
    /// More breaks than one viewer awaits at once.
    private static let keptUnavailable = 8

    // MARK: Pods and asset lists

    /// Remembers that a pod manifest or asset list was not given, until the break is lost or another answer comes.
    ///
    /// A request that is made again may heal it; only who never got it has lost anything.
    func noteUnavailability(_ result: borrowing TransferResult, _ answer: PodAnswer, _ viewer: ViewerSlot) {
        guard !answer.isPart, answer.role != .podRepeat else { return }
        viewer.unavailable.removeAll { $0.slot == answer.slot }
        guard let problem = self.unavailableReason(answer.role, result, viewer) else { return }
        // Of breaks that were skipped or left nobody asks again.
        if viewer.unavailable.count == Self.keptUnavailable { viewer.unavailable.removeFirst() }
        viewer.unavailable.append(Unavailability(slot: answer.slot, url: result.effectiveURL, problem: problem))
    }

    /// Books that a break was lost because its pod was not given; does nothing where it was lost otherwise.
    func foundUnavailable(slot: Int32, _ viewer: ViewerSlot) {
        guard let index = viewer.unavailable.firstIndex(where: { $0.slot == slot }) else { return }
        let last = viewer.unavailable.remove(at: index)
        self.found(
            .podUnavailable,
            url: last.url,
            expected: "the break's pod, at the first request or at one that repeats it",
            observed: last.problem,
            viewer,
            breakSlot: slot
        )
    }

    /// Why an answer is none; nil where it is one, or speaks of the request or of this machine.
    private func unavailableReason(
        _ role: ViewerRole,
        _ result: borrowing TransferResult,
        _ viewer: ViewerSlot
    ) -> String? {
        guard let failure = result.failure else {
            return result.status == 429 || result.status >= 500 ? "status \(result.status)" : nil
        }
        guard failure.isOfTarget, !self.isOwnDelay(failure, role, result, viewer) else { return nil }
        return "no answer: \(TransportFailure(failure).code)"
    }

    // MARK: Segments

    /// Looks at why a segment of the channel could not be loaded; parts and what was only hinted at may go at any time.
    ///
    /// An answer that comes when the segment is not listed any more says nothing of the target, but of the viewer.
    func checkSegment(_ role: ViewerRole, index: UInt8, _ result: borrowing TransferResult, _ viewer: ViewerSlot) {
        guard
            role == .segment, viewer.machine.isPresent, let rendition = viewer.machine.rendition(ofRequest: index),
            viewer.machine.awaitsListedSegment(of: rendition, at: result.doneAt)
        else { return }
        let problem: String
        if let failure = result.failure {
            guard failure.isOfTarget, !self.isOwnDelay(failure, role, result, viewer) else { return }
            problem = "no answer: \(TransportFailure(failure).code)"
        } else {
            guard result.status >= 400 else { return }
            guard !self.mayRefuseSession(result.status) else { return }
            problem = "status \(result.status)"
        }
        self.found(
            .segmentUnreachable,
            url: result.effectiveURL,
            expected: "a segment that is there while the playlist lists it",
            observed: problem,
            viewer,
            breakSlot: self.playlistSlot(viewer, now: result.doneAt)
        )
    }

    /// What is refused to a session that is over says nothing of what was asked for.
    private func mayRefuseSession(_ status: Int) -> Bool { self.sessionsEnd && [400, 401, 403, 410].contains(status) }

    // MARK: Steering

    /// Looks at why a steering manifest did not come; "gone" and "too many" are answers that steer.
    func checkSteering(_ result: borrowing TransferResult, _ viewer: ViewerSlot) {
        if let failure = result.failure {
            guard failure.isOfTarget, !self.isOwnDelay(failure, .steering, result, viewer) else { return }
            self.foundNoSteering("no answer: \(TransportFailure(failure).code)", result, viewer)
        } else if result.status >= 400, ![410, 429].contains(result.status), !self.mayRefuseSession(result.status) {
            self.foundNoSteering("status \(result.status)", result, viewer)
        }
    }

    func foundNoSteering(_ problem: String, _ result: borrowing TransferResult, _ viewer: ViewerSlot) {
        self.found(
            .steeringUnavailable,
            url: result.effectiveURL,
            expected: "a steering manifest, 410 or 429",
            observed: problem,
            viewer,
            breakSlot: self.playlistSlot(viewer, now: result.doneAt)
        )
    }
}
