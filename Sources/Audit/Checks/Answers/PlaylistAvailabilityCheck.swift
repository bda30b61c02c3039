import Rules
import Viewer

/// Playlists that were available before and now fail.
///
/// Rejected directives and expired sessions or tokens are no failure of the playlist.
struct PlaylistAvailabilityCheck: AnswerCheck {
    func examine(_ examination: borrowing Examination) {
        let role = examination.answer.role
        guard
            role == .playlist || role == .blockingPlaylist, !examination.answer.isSuccess,
            examination.viewer.facts.isPresent,
            let rendition = examination.viewer.facts.rendition(ofRequest: examination.answer.index),
            examination.viewer.facts.version(before: rendition) != nil,
            !examination.context.endsSession(examination.answer),
            let problem = Self.problem(examination.answer)
        else { return }
        let violation = Violation(
            .playlistUnavailable,
            expected: "the playlist, as it was there before",
            observed: problem
        )
        examination.found([violation], breakSlot: examination.playlistSlot)
    }

    private static func problem(_ answer: borrowing Answer) -> String? {
        if answer.failure?.isOwnDelay == true { return nil }
        switch answer.failure?.cause {
        case .localResources, .unauthorisedHost, .abandoned, .redirectLimit: return nil
        case .some(let cause): return "no answer: \(cause)"
        case nil: break
        }
        switch answer.status {
        case 401, 403: return nil
        case 400 where answer.role == .blockingPlaylist, 503 where answer.role == .blockingPlaylist: return nil
        default: return "status \(answer.status)"
        }
    }
}
