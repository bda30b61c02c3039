import AdServing
import Foundation
import HLS
import Report
import Rules
import Swarm
import Synchronization
import Transport
import Values
import Viewer

/// Describes the steps of one viewer: the output of `podswarm check`.
///
/// `@unchecked Sendable`: called only from the event loop of that viewer.
final class CheckNarrator: ViewerObserver, @unchecked Sendable {
    private let start: Instant
    private let write: @Sendable (String) -> Void
    private var hasSeenPlaylist = false
    /// Id of the viewer's own session, to redact it in URLs.
    private var ownID: StreamID?
    private var announcedBreak = ""
    private let wholeBreaks = Atomic<Int>(0)

    /// Whether a break was played to its end, failed or was skipped; from any thread.
    var hasSeenWholeBreak: Bool { wholeBreaks.load(ordering: .relaxed) > 0 }

    init(start: Instant, write: @escaping @Sendable (String) -> Void) {
        self.start = start
        self.write = write
    }

    func viewer(_ number: Int, met event: ViewerEvent, did actions: [ViewerAction], now: Instant) {
        if let line = self.line(for: event) {
            say(line, now: now)
        }
        for action in actions {
            if Self.endsBreak(action) {
                wholeBreaks.add(1, ordering: .relaxed)
            }
            if let line = self.line(for: action) {
                say(line, now: now)
            }
        }
    }

    func viewer(_ number: Int, found code: FindingCode, expected: String, observed: String) {
        let word = code.severity > .advice ? "FINDING" : "ADVICE "
        write("  \(word)  \(code.code): expected \(expected), observed \(observed)\n           \(code.meaning)")
    }

    func viewer(_ number: Int, wasWarnedBy kind: RequestKind, _ text: String) {
        write("  WARNING  The ad server warns: \(text) (\(kind.name))")
    }

    private static func endsBreak(_ action: ViewerAction) -> Bool {
        switch action {
        case .note(let note, of: _):
            switch note {
            case .adEvent(.adBreakEnded), .breakFailed, .breakSkipped: true
            default: false
            }
        case .fetch, .poll, .schedule, .cancel, .breakScheduled, .preparePod, .warm, .abandon, .defect, .gone: false
        }
    }

    private func say(_ text: String, now: Instant) {
        let seconds = Double(now &- start) / 1e9
        write(String(format: "%8.3f s  ", seconds) + text)
    }

    private func line(for event: ViewerEvent) -> String? {
        switch event {
        case .join: return "The viewer selects the channel."
        case .registered(let session):
            ownID = session.streamID ?? ownID
            return described(session)
        case .registrationFailed(let status):
            return "Registration failed with \(status.map { "status \($0)" } ?? "no answer")."
        case .sessionEnded: return "The target says that the session is over: the viewer makes another."
        case .multivariant(let shared):
            return "The multivariant playlist offers \(TextLayout.counted(shared.playlist.variants.count, "variant"))."
        case .playlist(let shared, _, _, _): return described(shared)
        case .playlistFailed: return "A playlist could not be loaded; it is tried again as the persona does."
        case .breakAnswered(let answer): return described(answer)
        case .breakCalled: return "A break is called for."
        case .metadata(let metadata):
            return metadata.map {
                "The metadata lists \(TextLayout.counted($0.tags.count, "tag")) of \(TextLayout.counted($0.ads.count, "ad"))."
            }
        case .timer, .mediaFinished, .deltaUnusable, .steered, .steeringFailed, .pingAnswered, .leave,
            .requestFinished:
            return nil
        }
    }

    private func described(_ session: StreamSession) -> String {
        guard let streamID = session.streamID else {
            return "Registration succeeded, but the answer has no stream id: every break will be skipped."
        }
        let polling = session.pollingFrequency.map { ", metadata every \($0.components.seconds) s" } ?? ""
        let validity = session.validUntil.map { ", valid until \($0.iso8601)" } ?? ""
        return "The ad server registered the session \(streamID.redacted)\(polling)\(validity)."
    }

    private func described(_ shared: SharedPlaylist) -> String? {
        guard !hasSeenPlaylist else { return nil }
        hasSeenPlaylist = true
        let playlist = shared.playlist
        let edge = playlist.endProgramDate.map { ", live edge \($0.iso8601)" } ?? ", without program date and time"
        let breaks =
            playlist.dateRanges.isEmpty ? "" : ", \(TextLayout.counted(playlist.dateRanges.count, "date range"))"
        return "The live playlist has \(TextLayout.counted(playlist.segments.count, "segment")), target duration "
            + "\(playlist.targetDurationSeconds) s\(edge)\(breaks)."
    }

    private func described(_ answer: BreakAnswer) -> String? {
        switch (answer.role, answer.content) {
        case (.podManifest, .multivariant(let shared)):
            return
                "The pod manifest is in hand: multivariant, \(TextLayout.counted(shared.playlist.variants.count, "variant"))."
        case (.podManifest, .media(let pod)):
            return
                "The pod manifest is in hand: a media playlist of \(TextLayout.counted(pod.content.segmentCount, "segment"))."
        case (.podPlaylist, .media(let pod)):
            return
                "The pod's media playlist has \(TextLayout.counted(pod.content.segmentCount, "segment")) in \(TextLayout.counted(pod.content.ads.count, "ad")), "
                + "\(pod.content.durationMicroseconds / 1000) ms in all."
        case (.podManifest, .failed(let failure)), (.podPlaylist, .failed(let failure)):
            return "The pod is lost: \(failure.reason.rawValue)."
        default: return nil
        }
    }

    private func line(for action: ViewerAction) -> String? {
        switch action {
        case .poll, .fetch(.segment, _, _, _, _), .fetch(.podSegment, _, _, _, _): return nil
        case .fetch(let role, let url, _, _, _):
            let method = role == .registration ? "POST" : "GET"
            let again = role == .podRepeat || role == .podRepeatPlaylist ? " (once more: it must be the same pod)" : ""
            return "\(method) \(role.kind.name)\(again): \(Redaction.url(url, own: ownID))"
        case .breakScheduled(let planned):
            let scheduled = planned.scheduled
            guard scheduled.key != announcedBreak else { return nil }
            announcedBreak = scheduled.key
            return "Next break at \(scheduled.start.iso8601), named \(planned.identifier.pathComponent)."
        case .note(let note, of: nil): return line(for: note)
        case .note(.breakDiscovered, of: .some(let planned)):
            let start = planned.scheduled.start.iso8601
            return "The playlist schedules the interstitial \(planned.scheduled.key) at \(start)."
        case .note(let note, of: .some(let planned)):
            return line(for: note).map { "\(planned.scheduled.key): \($0)" }
        case .abandon: return "Nothing was shown for too long: the viewer closes the application."
        case .schedule, .cancel, .preparePod, .warm, .defect, .gone: return nil
        }
    }

    private func line(for note: ViewerNote) -> String? {
        switch note {
        case .breakOnTime: return "The pod was in hand in time."
        case .breakLate(let lateness, _): return "The pod came \(lateness / 1_000_000) ms too late."
        case .breakFailed(let failure): return "The break failed: \(failure.rawValue)."
        case .breakSkipped(let reason): return "The break was skipped: \(reason.rawValue)."
        case .adEvent(let event): return event.rawValue
        case .counted(.rejoinedLiveEdge): return "Back at the live edge."
        case .counted(.eventsChanged): return "The schedule of interstitials changed."
        case .counted(.eventsCancelled): return "An interstitial was taken back."
        case .counted(.eventsCutShort): return "The interstitial was cut short."
        case .counted(.eventsFailed): return "The interstitial failed."
        case .counted(.eventsSkipped): return "An interstitial was skipped."
        case .counted(.eventsRestricted): return "A skip or jump was restricted."
        case .counted(.joinedMidBreak): return "The viewer joins in the middle of it."
        case .counted, .added, .breakDue, .podInHand, .breakFilled, .finding, .deltaMismatched, .breakDiscovered,
            .shutOut, .stitchedObserved:
            return nil
        }
    }
}
