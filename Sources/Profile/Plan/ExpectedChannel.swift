/// Facts of a target's channel that a bill needs and a run does not; nil where the profile does not say.
package struct ExpectedChannel: Sendable, Equatable, ProfileFields {
    package var targetDuration: Duration? = nil
    package var breakInterval: Duration? = nil
    package var breakOffset: Duration? = nil
    package var breakDuration: Duration? = nil
    package var adDuration: Duration? = nil

    package static let usual = ExpectedChannel()
    package static let targetDurations = Duration.seconds(1) ... .seconds(60)
    package static let breakIntervals = Duration.seconds(1) ... .seconds(86_400)
    package static let breakDurations = Duration.seconds(1) ... .seconds(3_600)

    package static func fields(_ f: inout FieldTable<Self>) {
        f["targetDuration", \.targetDuration, .duration(targetDurations)] =
            "EXT-X-TARGETDURATION of its media playlists, 1s to 60s; if left out, 4s."
        f["breakInterval", \.breakInterval, .duration(breakIntervals)] =
            "From the start of one break to the next, 1s to 24h; if left out, 60s."
        f["breakOffset", \.breakOffset, .duration(.zero ... .seconds(86_400))] =
            "Shift of all starts from the multiples of breakInterval since the Unix epoch; if left out, 0s."
        f["breakDuration", \.breakDuration, .duration(breakDurations)] =
            "Length of a break, 1s to 1h; if left out, breaks.podDuration."
        f["adDuration", \.adDuration, .duration(breakDurations)] =
            "Length of an ad in a break, 1s to 1h; if left out, 10s."
    }
}
