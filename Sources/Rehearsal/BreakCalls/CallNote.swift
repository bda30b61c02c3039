import AdServing
import Foundation
import Results
import Values

/// A break as posted at the meeting point of a run's shards.
struct PostedCall: PlacedNote {
    /// Microseconds since the Unix epoch.
    var startMicroseconds: Int64
    var durationMicroseconds: Int64
    var id: String
    var scte35: String?

    init(_ scheduled: ScheduledBreak) {
        startMicroseconds = scheduled.start.microseconds
        durationMicroseconds = scheduled.duration.nanosecondsHeld / 1_000
        id = scheduled.dateRangeID ?? scheduled.key
        scte35 = scheduled.scte35
    }

    /// Names sort as numbers do.
    static func name(_ number: Int) -> String { "call-" + String(number).leftPadded(to: 9) }

    static func number(of name: String) -> Int? {
        guard name.hasPrefix("call-"), let number = Int(name.dropFirst(5)), number > 0, self.name(number) == name else {
            return nil
        }
        return number
    }

    /// Parses a posted break that a caller could have asked for; nil for all else.
    static func scheduled(_ content: Data, ordinal: Int) -> ScheduledBreak? {
        guard let note = Self(placed: content), note.startMicroseconds.magnitude < 1 << 56, BreakCall.isID(note.id),
            note.scte35.map(BreakCall.isSplice) ?? true
        else { return nil }
        let duration = Duration.microseconds(note.durationMicroseconds)
        guard BreakCall.lengths.contains(duration) else { return nil }
        return ScheduledBreak(
            calledFor: WallTime(microseconds: note.startMicroseconds),
            duration: duration,
            ordinal: ordinal,
            id: note.id,
            scte35: note.scte35
        )
    }
}
