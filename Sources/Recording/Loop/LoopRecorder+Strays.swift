package import Rules

extension LoopRecorder {
    /// Records an answer with words that may be sessions given by another process of the run.
    ///
    /// `words` are sorted, unique digests; of greater digests than `reach` some may be missing. Each kind has its own room, so
    /// that names of segments do not displace those of pods. `isCompared` tells whether the answer is compared with those of
    /// other viewers. `wallMicroseconds` is since the Unix epoch. `evidence` is redacted and must not use the recorder.
    package func stray(
        _ words: [UInt64],
        reach: UInt64,
        kind: RequestKind,
        isCompared: Bool,
        viewer: Int,
        breakSlot: BreakSlot,
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
