import Rules
import Transport
import Viewer

/// Viewers with a session that are rejected, and sessions that end before their time.
struct RefusalCheck: AnswerCheck {
    func examine(_ examination: borrowing Examination) {
        let role = examination.role
        guard examination.answer.failure == nil, role != .verification, role != .beacon else { return }
        let status = examination.answer.status
        switch status {
        case 401 where role.isPersonal, 403 where role.isPersonal:
            examination.found(
                .accessRefused,
                expected: "an answer to a viewer with a session",
                observed: "status \(status)",
                breakSlot: examination.nearSlot
            )
        default:
            guard Self.saysSessionIsOver(examination),
                examination.viewer.facts.sessionHeld(from: examination.answer.plannedAt, to: examination.answer.doneAt)
            else { return }
            examination.found(
                .sessionExpired,
                expected: "an answer, for the session is valid by its registration",
                observed: "status \(status)",
                breakSlot: examination.nearSlot
            )
        }
    }

    /// Whether an answer can only mean that the session is unknown.
    ///
    /// A pod with status 404 may not exist yet; metadata is addressed only by the session.
    private static func saysSessionIsOver(_ examination: borrowing Examination) -> Bool {
        let status = examination.answer.status
        return switch examination.role {
        case .metadata: status == 410 || status == 404 || status == 400
        case .podManifest, .podRepeat, .podPlaylist, .podRepeatPlaylist: status == 410
        default: examination.endsSession
        }
    }
}

extension ViewerRole {
    /// Requests that a viewer makes with its session.
    fileprivate var isPersonal: Bool {
        switch self {
        case .multivariant, .playlist, .blockingPlaylist, .metadata: true
        case .podManifest, .podRepeat, .podPlaylist, .podRepeatPlaylist: true
        case .assetList, .assetManifest: true
        case .registration, .segment, .podSegment, .verification, .beacon, .part, .steering, .sessionUpdate: false
        }
    }
}
