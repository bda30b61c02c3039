package import Rules

extension LoopRecorder {
    /// Slot of an edge on this loop, for samples; past the limit, that of all others.
    package func edgeSlot(of edge: Edge) -> UInt16 { edges.slot(of: edge) }

    /// Stores an answer that `record` found slow; its details are evaluated at the end of the interval.
    ///
    /// Answers of the warm-up are not stored, because they are not judged. `breakSlot` is -1 outside any break;
    /// `wallMicroseconds` is the planned instant, since the Unix epoch.
    package func keepSlow(
        _ kind: RequestKind,
        breakSlot: Int32,
        wallMicroseconds: Int64,
        draft: () -> SlowAnswerDraft
    ) {
        guard wallMicroseconds >= measuredFromMicroseconds else { return }
        let isKnown = breakSlot >= 0 && Int(breakSlot) < hot.breaks.count
        hot.slowness.keep(draft(), kind, isKnown ? breakSlot : -1)
    }

    func slowestAnswers() -> [SlowAnswer] {
        hot.slowness.answers { Int($0) < hot.breaks.count ? hot.breaks[Int($0)].key : "" }
    }
}
