package import Rulebook

// Who answered, and whose answers were the slowest.

extension LoopRecorder {
    /// The small number under which this loop keeps an edge, to give with samples.
    ///
    /// Past the limit every new edge is counted with the others.
    package func edgeSlot(of edge: Edge) -> UInt16 { edges.slot(of: edge) }

    /// Keeps an answer that `record` called slow; what is to be said of it is asked for at the end of the interval.
    ///
    /// Answers of the warm-up are not kept, because nothing judges them.
    ///
    /// - Parameters:
    ///   - kind: What the request was for.
    ///   - breakSlot: The break that it belongs to; -1 for none.
    ///   - wallMicroseconds: When it was planned, in microseconds since the Unix epoch.
    ///   - draft: What is known of it; asked for where it is kept.
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
