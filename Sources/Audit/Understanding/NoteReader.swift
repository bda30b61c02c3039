import AdServing
import Results
import Rules
import Transport
import Values
import Viewer

extension FindingCode {
    fileprivate var isOfJoining: Bool { self == .registrationFailed || self == .channelUnavailable }
}

enum NoteReader {
    static func take(
        _ note: ViewerNote,
        of planned: PlannedBreak?,
        podURL: String,
        _ viewer: borrowing AuditedViewer,
        _ answer: TransferResult?,
        at now: Instant
    ) {
        var slot = BreakSlot.outside
        if let planned { slot = viewer.slot(of: planned) }
        switch note {
        case .finding(let code, let expected, let observed):
            let isSilent = code.isOfJoining && observed.isEmpty
            let last = isSilent ? viewer.record.unreached[code] : nil
            // Answers are remembered only if the target is to blame.
            guard !isSilent || last != nil else { return }
            let answered = code.isOfJoining ? nil : answer
            viewer.found(
                code,
                url: last?.url ?? url(of: code, planned, podURL: podURL, viewer),
                expected: expected,
                observed: last?.problem ?? observed,
                served: last?.served ?? answered?.servedBy(own: viewer.facts.streamID) ?? .unknown,
                breakSlot: slot,
                at: now
            )
        case .deltaMismatched(let mismatch, let url, let now):
            let violation = Violation(.deltaMismatch, expected: mismatch.expected, observed: mismatch.observed)
            viewer.found([violation], url: url, breakSlot: viewer.playlistSlot(at: now), at: now)
        case .breakFilled(let asked, let filled):
            guard slot != .outside else { return }
            viewer.filled(slot, askedMilliseconds: asked / 1_000_000, filledMilliseconds: filled / 1_000_000)
        case .breakFailed:
            guard slot != .outside else { return }
            PodAvailabilityCheck.breakLost(slot, viewer, at: now)
        case .stitchedObserved(let fingerprint, let segments):
            guard slot != .outside, let group = viewer.stitchedGroup else { return }
            viewer.context.recorder.podObserved(
                slot,
                ComparedContent.stitchedAds(rendition: viewer.playedRendition).of(group),
                fingerprint: fingerprint,
                at: viewer.moment(now),
                evidence: Evidence(
                    url: viewer.redacted(viewer.facts.url(of: .video)),
                    expected: "",
                    observed: BodySummary.text(
                        ofSegments: segments.map { Redaction.name(of: $0, own: viewer.facts.streamID) }
                    )
                )
            )
        default: break
        }
    }

    private static func url(
        of code: FindingCode,
        _ planned: PlannedBreak?,
        podURL: String,
        _ viewer: borrowing AuditedViewer
    ) -> String {
        switch code {
        case .registrationWithoutStreamID, .registrationFailed:
            viewer.context.plan.adServers.first ?? viewer.context.plan.sessionURL(of: viewer.number) ?? ""
        case .channelUnavailable:
            [viewer.facts.url(of: .video), viewer.context.plan.contentURL].first { !$0.isEmpty } ?? ""
        case .breakAnnouncedLate: viewer.facts.url(of: .video)
        case _ where planned.map({ !$0.isOwn }) ?? false: viewer.facts.url(of: .video)
        case .mediaIDUnlisted, .metadataLag, .pingDoubled: viewer.facts.metadataURL
        default: podURL
        }
    }
}
