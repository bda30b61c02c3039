import Rules
import Transport
import Viewer

/// Playlists that were available before and now fail.
///
/// Rejected directives and expired sessions or tokens are no failure of the playlist.
struct PlaylistAvailabilityCheck: AnswerCheck {
    func examine(_ examination: borrowing Examination) {
        let role = examination.role
        guard
            role == .playlist || role == .blockingPlaylist, !examination.answer.isSuccess,
            examination.viewer.facts.isPresent,
            let rendition = examination.viewer.facts.rendition(ofRequest: examination.index),
            examination.viewer.facts.version(before: rendition) != nil,
            !examination.endsSession,
            let problem = Self.problem(examination)
        else { return }
        let violation = Violation(
            .playlistUnavailable,
            expected: "the playlist, as it was there before",
            observed: problem
        )
        examination.found([violation], breakSlot: examination.playlistSlot)
    }

    private static func problem(_ examination: borrowing Examination) -> String? {
        if examination.isOwnDelay { return nil }
        switch examination.answer.failure {
        case .localResources, .unauthorisedHost, .abandoned, .redirectLimit: return nil
        case .some(let cause): return "no answer: \(cause)"
        case nil: break
        }
        switch examination.answer.status {
        case 401, 403: return nil
        case 400 where examination.role == .blockingPlaylist, 503 where examination.role == .blockingPlaylist:
            return nil
        default: return "status \(examination.answer.status)"
        }
    }
}
