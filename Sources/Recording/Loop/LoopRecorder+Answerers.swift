package import Rules

extension LoopRecorder {
    /// Slot of an edge on this loop, for samples; past the limit, that of all others.
    package func edgeSlot(of edge: Edge) -> UInt16 { edges.slot(of: edge) }

    /// Stores an answer that `record` found slow; its details are evaluated at the end of the interval.
    ///
    /// Answers of the warm-up are not stored, because they are not judged. `wallMicroseconds` is the planned
    /// instant, since the Unix epoch.
    package func keepSlow(
        _ kind: RequestKind,
        breakSlot: BreakSlot,
        wallMicroseconds: Int64,
        draft: () -> SlowAnswerDraft
    ) {
        guard wallMicroseconds >= measuredFromMicroseconds else { return }
        hot.slowness.keep(draft(), kind, hot.place(of: breakSlot))
    }

    func slowestAnswers() -> [SlowAnswer] {
        hot.slowness.answers { $0 < hot.breaks.count ? hot.breaks[$0].key : "" }
    }
}
