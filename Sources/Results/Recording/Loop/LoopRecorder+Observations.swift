package import Rules

extension LoopRecorder {
    /// Discards periods in which viewers were shut out, if no break of this loop falls into them.
    ///
    /// A period is kept for `room` after its end, for breaks of other loops. Times are in microseconds, `now` since the Unix
    /// epoch.
    package func forgetShutOuts(before now: Int64, room: Int64) {
        shutOuts.forget(endedBefore: now &- room, room: room, starts: hot.breaks.lazy.map(\.startMicroseconds))
    }

    /// Breaks of the channel with a due viewer that start at `start` or later, in microseconds since the Unix epoch, in the
    /// order in which they were met.
    package func channelBreaks(since start: Int64) -> [ChannelBreak] {
        hot.breaks.indices.compactMap { index in
            // Accessed by index: a copy of a record would retain all that it refers to.
            guard hot.breaks[index].startMicroseconds >= start, hot.breaks[index].due > 0,
                !hot.breaks[index].isOverflow
            else { return nil }
            let meeting = hot.breaks[index].meeting
            guard meeting == .atPlayhead || meeting == .interstitial else { return nil }
            return ChannelBreak(
                key: hot.breaks[index].key,
                startMicroseconds: hot.breaks[index].startMicroseconds,
                durationMilliseconds: hot.breaks[index].durationMilliseconds,
                meeting: meeting
            )
        }
    }

    /// Records that a viewer's playlist announced a break; only its first sight of the break counts.
    ///
    /// `fingerprint` is the hash of the attributes. `wallMicroseconds` is since the Unix epoch. `url`, redacted, and
    /// `announcement` are evaluated at the first sight of each form, and if forms differ.
    package func breakAnnounced(
        _ slot: BreakSlot,
        fingerprint: UInt64,
        viewer: Int,
        wallMicroseconds: Int64,
        url: @autoclosure () -> String,
        announcement: @autoclosure () -> Announcement
    ) {
        withKeptBreak(slot) {
            $0.announcements.announced(
                fingerprint,
                viewer: viewer,
                wallMicroseconds: wallMicroseconds,
                url: url,
                announcement: announcement
            )
        }
    }

    /// Records that a viewer's playlist covers a break's start or middle without announcing it.
    ///
    /// `wallMicroseconds` is since the Unix epoch. `evidence` must not use the recorder.
    package func breakLacked(
        _ slot: BreakSlot,
        viewer: Int,
        wallMicroseconds: Int64,
        evidence: @autoclosure () -> Evidence
    ) {
        withKeptBreak(slot) {
            $0.announcements.lacked(viewer: viewer, wallMicroseconds: wallMicroseconds, evidence: evidence)
        }
    }

    package func breakAsked(_ slot: BreakSlot, cohort: String?, milliseconds: UInt64) {
        hot.withBreak(slot) { $0.fill.countAsked(cohort, milliseconds: milliseconds) }
    }

    package func breakFilled(
        _ slot: BreakSlot,
        cohort: String?,
        ads: Int,
        adMilliseconds: UInt64,
        slateMilliseconds: UInt64
    ) {
        hot.withBreak(slot) {
            $0.fill.countFilled(cohort, ads: ads, adMilliseconds: adMilliseconds, slateMilliseconds: slateMilliseconds)
        }
    }

    /// Records that ads counted for a viewer are slate, by another source than their addresses.
    ///
    /// `cohort` is that of the viewer when the ads were counted.
    package func breakSlateNamed(_ slot: BreakSlot, cohort: String?, ads: UInt64, milliseconds: UInt64) {
        hot.withBreak(slot) { $0.fill.countNamed(cohort, ads: ads, milliseconds: milliseconds) }
    }
}

package struct ChannelBreak: Hashable, Sendable {
    package let key: String
    package let startMicroseconds: Int64
    package let durationMilliseconds: Int
    package let meeting: BreakMeeting
}

extension LoopRecorder {
    /// Slot of an edge on this loop, for samples; past the limit, that of all others.
    package func edgeSlot(of edge: Edge) -> UInt16 { edges.slot(of: edge) }

    /// Stores an answer that `record` found slow; its draft is evaluated at the end of the interval.
    ///
    /// Answers of the warm-up are not stored, because they are not judged. `wallMicroseconds` is the planned
    /// instant, since the Unix epoch.
    package func keepSlow(
        _ kind: RequestKind,
        breakSlot: BreakSlot,
        wallMicroseconds: Int64,
        responseMicroseconds: Int64,
        draft: () -> SlowAnswer.Draft
    ) {
        guard wallMicroseconds >= measuredFromMicroseconds else { return }
        hot.slowness.keep(responseMicroseconds, kind, hot.place(of: breakSlot), draft)
    }

    func slowestAnswers() -> [SlowAnswer] {
        hot.slowness.answers { $0 < hot.breaks.count ? hot.breaks[$0].key : "" }
    }
}

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
