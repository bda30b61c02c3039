package import Rulebook

extension LoopRecorder {
    /// A viewer was given an answer with words that may be sessions which another process of the run was given.
    ///
    /// - Parameters:
    ///   - words: Their digests, in their order, each once.
    ///   - reach: Words of the answer with greater digests are not all among them.
    ///   - kind: What was asked for; each kind has room of its own, so that names of segments leave that of pods.
    ///   - isCompared: Whether the answer is held against those of other viewers.
    ///   - viewer: The viewer's number.
    ///   - breakSlot: The break it concerns; -1 for none.
    ///   - wallMicroseconds: When, in microseconds since the Unix epoch.
    ///   - evidence: Where it was seen, redacted; it must not use the recorder.
    package func stray(
        _ words: [UInt64],
        reach: UInt64,
        kind: RequestKind,
        isCompared: Bool,
        viewer: Int,
        breakSlot: Int32,
        wallMicroseconds: Int64,
        evidence: @autoclosure () -> Evidence
    ) {
        strays[kind, default: StraySightings(room: StraySightings.roomOfLoop)].record(
            words,
            reach: reach,
            breakKey: breakKey(of: breakSlot),
            isCompared: isCompared,
            viewer: viewer,
            wallMicroseconds: wallMicroseconds,
            evidence: evidence
        )
    }
}
