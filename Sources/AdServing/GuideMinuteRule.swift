package import HLS

/// Schedule of the IMA guide's sample, to the letter.
///
/// `var secondsToAdBreakStart = 60 - currentSeconds % 60`, and 60 more if that is less than 30, with the clock read in whole
/// seconds. A viewer thus has 30 to 89 seconds, and all who click within the same minute-long window meet.
package enum GuideMinuteRule {
    package static let shortestLeadSeconds: Int64 = 30

    /// Break of a viewer who clicked at this instant; its ordinal counts minutes of the Unix epoch.
    package static func nextBreak(clickedAt click: WallTime, duration: Duration) -> ScheduledBreak {
        let currentSeconds = click.epochSeconds
        let secondOfMinute = currentSeconds - minute(of: click) * 60
        var secondsToBreak = 60 - secondOfMinute
        if secondsToBreak < shortestLeadSeconds {
            secondsToBreak += 60
        }
        let startSeconds = currentSeconds + secondsToBreak
        return ScheduledBreak(
            start: WallTime(microseconds: startSeconds &* 1_000_000),
            duration: duration,
            ordinal: Int(startSeconds / 60)
        )
    }

    /// Since the Unix epoch, rounded down.
    static func minute(of time: WallTime) -> Int64 {
        let seconds = time.epochSeconds
        return seconds >= 0 ? seconds / 60 : (seconds - 59) / 60
    }
}
