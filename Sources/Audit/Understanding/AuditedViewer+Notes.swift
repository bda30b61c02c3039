import AdServing
import Results
import Rules
import Transport
import Values
import Viewer

extension FindingCode {
    fileprivate var isOfJoining: Bool { self == .registrationFailed || self == .channelUnavailable }
}

extension AuditedViewer {
    func take(
        _ note: ViewerNote,
        of planned: PlannedBreak?,
        podURL: String,
        _ answer: TransferResult?,
        at now: Instant
    ) {
        let slot = planned.map { self.slot(of: $0) } ?? .outside
        switch note {
        case .finding(let code, let expected, let observed):
            let isSilent = code.isOfJoining && observed.isEmpty
            let last = isSilent ? record.unreached[code] : nil
            // Answers are remembered only if the target is to blame.
            guard !isSilent || last != nil else { return }
            let answered = code.isOfJoining ? nil : answer
            found(
                code,
                url: last?.url ?? url(of: code, planned, podURL: podURL),
                expected: expected,
                observed: last?.problem ?? observed,
                served: last?.served ?? answered?.servedBy(own: facts.streamID) ?? .unknown,
                breakSlot: slot,
                at: now
            )
        case .deltaMismatched(let mismatch, let url, let now):
            let violation = Violation(.deltaMismatch, expected: mismatch.expected, observed: mismatch.observed)
            found([violation], url: url, breakSlot: playlistSlot(at: now), at: now)
        case .breakFilled(let asked, let filled):
            guard slot != .outside else { return }
            self.filled(slot, askedMilliseconds: asked / 1_000_000, filledMilliseconds: filled / 1_000_000)
        case .breakFailed:
            guard slot != .outside else { return }
            PodAvailabilityCheck.breakLost(slot, self, at: now)
        case .stitchedObserved(let fingerprint, let segments):
            guard slot != .outside, let group = stitchedGroup else { return }
            context.recorder.podObserved(
                slot,
                ComparedContent.stitchedAds(rendition: playedRendition).of(group),
                fingerprint: fingerprint,
                at: moment(now),
                evidence: Evidence(
                    url: redacted(facts.url(of: .video)),
                    expected: "",
                    observed: BodySummary.text(ofSegments: segments.map { Redaction.name(of: $0, own: facts.streamID) })
                )
            )
        default: break
        }
    }

    private func url(of code: FindingCode, _ planned: PlannedBreak?, podURL: String) -> String {
        switch code {
        case .registrationWithoutStreamID, .registrationFailed:
            context.plan.adServers.first ?? context.plan.sessionURL(of: number) ?? ""
        case .channelUnavailable: [facts.url(of: .video), context.plan.contentURL].first { !$0.isEmpty } ?? ""
        case .breakAnnouncedLate: facts.url(of: .video)
        case _ where planned.map({ !$0.isOwn }) ?? false: facts.url(of: .video)
        case .mediaIDUnlisted, .metadataLag, .pingDoubled: facts.metadataURL
        default: podURL
        }
    }
}
