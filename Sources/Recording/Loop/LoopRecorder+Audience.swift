package import Rulebook

extension LoopRecorder {
    /// Forgets stretches in which viewers were shut out and that no break of this loop falls into.
    ///
    /// - Parameters:
    ///   - now: In microseconds since the Unix epoch.
    ///   - room: How long after its end a stretch is kept, for breaks that others may know of.
    package func forgetShutOuts(before now: Int64, room: Int64) {
        shutOuts.forget(endedBefore: now &- room, room: room, starts: hot.breaks.lazy.map(\.startMicroseconds))
    }

    /// The breaks of the channel that some viewer was due for.
    ///
    /// - Parameter start: They start no earlier, in microseconds since the Unix epoch.
    /// - Returns: Those, in the order in which they were met.
    package func channelBreaks(since start: Int64) -> [ChannelBreak] {
        hot.breaks.indices.compactMap { index in
            // Reached by index, because a copy of a record retains all that it refers to.
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

    /// A viewer was told of a break in its playlist; only its first sight of the break counts.
    ///
    /// - Parameters:
    ///   - slot: The break.
    ///   - fingerprint: Hash of the attributes.
    ///   - viewer: The viewer's number.
    ///   - wallMicroseconds: When, in microseconds since the Unix epoch.
    ///   - url: The playlist, redacted; asked for at the first sight of each form, and where forms differ.
    ///   - announcement: What the playlist says; asked for as rarely.
    package func breakAnnounced(
        _ slot: Int32,
        fingerprint: UInt64,
        viewer: Int,
        wallMicroseconds: Int64,
        url: @autoclosure () -> String,
        announcement: @autoclosure () -> Announcement
    ) {
        withBreak(slot) {
            $0.countAnnounced(
                fingerprint,
                viewer: viewer,
                wallMicroseconds: wallMicroseconds,
                url: url,
                announcement: announcement
            )
        }
    }

    /// A viewer was given a playlist that covers a break's start or middle and does not announce it.
    ///
    /// - Parameters:
    ///   - slot: The break.
    ///   - viewer: The viewer's number.
    ///   - wallMicroseconds: When, in microseconds since the Unix epoch.
    ///   - evidence: The playlist; it must not use the recorder.
    package func breakLacked(
        _ slot: Int32,
        viewer: Int,
        wallMicroseconds: Int64,
        evidence: @autoclosure () -> Evidence
    ) {
        withBreak(slot) { $0.countLacking(viewer: viewer, wallMicroseconds: wallMicroseconds, evidence: evidence) }
    }

    /// A viewer asked for the ads of a break.
    ///
    /// - Parameters:
    ///   - slot: The break.
    ///   - cohort: The viewer's; nil for none.
    ///   - milliseconds: How long the break is.
    package func breakAsked(_ slot: Int32, cohort: String?, milliseconds: UInt64) {
        withBreak(slot) { $0.countAsked(cohort, milliseconds: milliseconds) }
    }

    /// A viewer was given ads, or slate, for a break.
    ///
    /// - Parameters:
    ///   - slot: The break.
    ///   - cohort: The viewer's; nil for none.
    ///   - ads: How many ads.
    ///   - adMilliseconds: How long they are.
    ///   - slateMilliseconds: How long the slate is.
    package func breakFilled(
        _ slot: Int32,
        cohort: String?,
        ads: Int,
        adMilliseconds: UInt64,
        slateMilliseconds: UInt64
    ) {
        withBreak(slot) {
            $0.countFilled(cohort, ads: ads, adMilliseconds: adMilliseconds, slateMilliseconds: slateMilliseconds)
        }
    }

    /// What a viewer was given as ads of a break is slate, as something else than their addresses says.
    ///
    /// - Parameters:
    ///   - slot: The break.
    ///   - cohort: The viewer's, as when the ads were counted.
    ///   - ads: How many of the ads that were counted for it.
    ///   - milliseconds: How long they are.
    package func breakSlateNamed(_ slot: Int32, cohort: String?, ads: UInt64, milliseconds: UInt64) {
        withBreak(slot) { $0.countNamedSlate(cohort, ads: ads, milliseconds: milliseconds) }
    }
}

/// A break of the channel that some viewer was due for.
package struct ChannelBreak: Hashable, Sendable {
    package let key: String
    package let startMicroseconds: Int64
    package let durationMilliseconds: Int
    package let meeting: BreakMeeting
}
