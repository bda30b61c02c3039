import AdServing
import Results
import Rules
import Transport
import Values
import Viewer

/// A full store is cleared, so that a finding may be missed but none made up.
final class PodAvailabilityCheck {
    private static let keptURLs = 1_024
    /// More breaks than one viewer awaits at once.
    private static let keptUnavailable = 8
    /// Nanoseconds in which answers of parallel servers may cross; a URL that was found longer ago and now gives 404 was
    /// withdrawn.
    private static let crossing: Int64 = 1_000_000_000

    /// Time of the first success, by a name that is equal for all viewers.
    private var foundAt: [UInt64: Instant] = [:]
    private var missing: Set<UInt64> = []

    func examine(_ subject: AuditSubject, _ examination: borrowing Examination) {
        let role = examination.role
        let isPart = subject.isPart(role)
        if !isPart, role != .podRepeat { Self.noteUnavailability(subject.slot, examination) }
        let isMedia = role == .podSegment || role == .key
        guard !examination.answer.isSuccess else {
            if !isMedia { checkFound(subject, examination) }
            return
        }
        if examination.answer.failure == nil, examination.answer.status == 404, !isMedia {
            if !examination.endsSession { checkNotFound(subject, examination) }
        } else if isPart, let reason = examination.answer.unreachableReason {
            examination.found(.podPartUnreachable, expected: "what the pod lists can be loaded", observed: reason)
        }
    }

    private func checkFound(_ subject: AuditSubject, _ examination: borrowing Examination) {
        let name = Self.name(examination)
        if foundAt[name] == nil { foundAt.keep(examination.answer.doneAt, for: name, atMost: Self.keptURLs) }
        guard missing.contains(name) else { return }
        Self.note(.foundLater, name: name, of: subject, examination)
    }

    private func checkNotFound(_ subject: AuditSubject, _ examination: borrowing Examination) {
        let name = Self.name(examination)
        var sign = examination.answer.signOfCache
        if sign == nil, let before = foundAt[name], examination.answer.sentAt &- before > Self.crossing {
            let milliseconds = (examination.answer.sentAt &- before) / 1_000_000
            sign = "\(milliseconds) ms after the same URL was answered with success"
        }
        guard let sign else {
            missing.keep(name, atMost: Self.keptURLs)
            Self.note(.missing, name: name, of: subject, examination)
            return
        }
        examination.found(
            .podNotFoundCached,
            expected: "a 404 that is not kept, and only before the pod is there",
            observed: "status 404, \(sign)"
        )
    }

    private static func note(
        _ availability: ComparedContent.Availability,
        name: UInt64,
        of subject: AuditSubject,
        _ examination: borrowing Examination
    ) {
        let isPart = subject.isPart(examination.role)
        examination.observed(
            isPart ? .partNotFound(name.shortHex) : .manifestNotFound(name.shortHex),
            of: subject.slot,
            fingerprint: availability.rawValue,
            expected: "a pod that is there when its break is announced",
            "status \(examination.answer.status)"
        )
    }

    private static func name(_ examination: borrowing Examination) -> UInt64 {
        examination.viewer.played.name(of: examination.answer.url)
    }

    /// A retry may still succeed, so only viewers that never got it have lost anything.
    private static func noteUnavailability(_ slot: BreakSlot, _ examination: borrowing Examination) {
        let record = examination.viewer.record
        record.unavailable.removeAll { $0.slot == slot }
        guard let problem = examination.problem(where: { $0 == 429 || $0 >= 500 }) else { return }
        let unavailable = Unavailability(slot: slot, url: examination.answer.url, problem: problem)
        record.unavailable.append(unavailable, atMost: keptUnavailable)
    }

    /// Does nothing for a break that was lost for another reason.
    static func breakLost(_ slot: BreakSlot, _ viewer: borrowing AuditedViewer, at now: Instant) {
        guard let index = viewer.record.unavailable.firstIndex(where: { $0.slot == slot }) else { return }
        let last = viewer.record.unavailable.remove(at: index)
        viewer.found(
            .podUnavailable,
            url: last.url,
            expected: "the break's pod, at the first request or at one that repeats it",
            observed: last.problem,
            breakSlot: slot,
            at: now
        )
    }
}

extension TransferResult {
    /// 401, 403 and 410 concern the session; deadlines are the player's own.
    fileprivate var unreachableReason: String? {
        switch failure {
        case nil: status < 400 || [401, 403, 410].contains(status) ? nil : "status \(status)"
        case .connectRefused, .connectFailed: "no connection"
        case .reset: "connection reset"
        case .truncated: "the answer was cut off"
        case .protocolError: "the answer broke off or was not HTTP"
        case .dns: "the host is not known"
        case .tls: "no TLS session"
        default: nil
        }
    }

    fileprivate var signOfCache: String? {
        if let age = ageSeconds, age > 0 { return "Age \(age)" }
        guard let cache = header("x-cache"), cache.lowercased().contains("hit") else { return nil }
        return "X-Cache \(cache.prefix(64))"
    }
}
