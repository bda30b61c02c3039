package import Rules

extension LoopRecorder {
    /// Periods are kept for `room` microseconds after their end, for breaks of other loops.
    package func forgetShutOuts(before now: Int64, room: Int64) {
        shutOuts.forget(endedBefore: now &- room, room: room, starts: hot.breaks.lazy.map(\.startMicroseconds))
    }

    /// With a due viewer, in the order in which they were met.
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

    /// Only a viewer's first sight counts; closures are evaluated at the first sight of each form, and if forms differ.
    ///
    /// `fingerprint` is the hash of the attributes.
    package func breakAnnounced(
        _ slot: BreakSlot,
        fingerprint: UInt64,
        at moment: ViewerMoment,
        url: @autoclosure () -> String,
        announcement: @autoclosure () -> Announcement
    ) {
        withKeptBreak(slot) {
            $0.announcements.announced(fingerprint, at: moment, url: url, announcement: announcement)
        }
    }

    /// The viewer's playlist covers the break's start or middle.
    package func breakLacked(_ slot: BreakSlot, at moment: ViewerMoment, evidence: @autoclosure () -> Evidence) {
        withKeptBreak(slot) { $0.announcements.lacked(at: moment, evidence: evidence) }
    }

    /// The cohort of slate that is named later is as when it was counted.
    package func breakFilled(_ slot: BreakSlot, cohort: String?, _ tally: FillTally) {
        hot.withBreak(slot) { $0.fill.count(cohort, tally) }
    }
}

package struct ChannelBreak: Hashable, Sendable {
    package let key: String
    package let startMicroseconds: Int64
    package let durationMilliseconds: Int
    package let meeting: BreakMeeting
}

extension LoopRecorder {
    /// Past the limit, the slot of all other edges.
    package func edgeSlot(of edge: Edge) -> UInt16 { edges.slot(of: edge) }

    /// Answers of the warm-up are not stored.
    ///
    /// The draft is evaluated at the end of the interval; `wallMicroseconds` is the planned instant.
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

    func slowestAnswers() -> [SlowAnswer] { hot.slowness.answers { $0 < hot.breaks.count ? hot.breaks[$0].key : "" } }
}

extension LoopRecorder {
    /// Records words that may be sessions given by another process.
    ///
    /// They are sorted, unique digests; some greater than `reach` may be missing. Each kind has its own room, so that names of
    /// segments do not displace those of pods.
    package func stray(
        _ words: [UInt64],
        reach: UInt64,
        kind: RequestKind,
        isCompared: Bool,
        breakSlot: BreakSlot,
        at moment: ViewerMoment,
        evidence: @autoclosure () -> Evidence
    ) {
        strays[kind, default: StraySightings(room: StraySightings.roomOfLoop)].record(
            words,
            reach: reach,
            breakKey: breakKey(of: breakSlot),
            isCompared: isCompared,
            at: moment,
            evidence: evidence
        )
    }
}
