/// Live channel with dates: the text of its playlist at any moment.
struct ScriptedChannel {
    static let base = "http://127.0.0.1:8080/live/main/v0/"

    var target = 4
    var segmentSeconds = 4.0
    var window = 6
    /// Seconds from the end of a segment to its being listed.
    var delay = 0.0
    /// Seconds at which the channel stops bringing news, and the time that it then takes.
    var outage: Range<Double> = 0..<0
    /// Lines before the first segment.
    var header = ""
    var hasDates = true
    /// Added to media sequence numbers.
    var firstSequence = 0

    /// Text at a second of the run: segments are counted from 0 at `window` segments before the start.
    func text(at seconds: Double) -> String {
        let seen = outage.contains(seconds) ? outage.lowerBound : seconds
        let end = window + Int(((seen - delay) / segmentSeconds).rounded(.down))
        let first = end - window
        return AnswerBody.media(
            first,
            window,
            seconds: segmentSeconds,
            target: target,
            header: header,
            date: hasDates ? Double(first - window) * segmentSeconds : nil
        ).replacing("SEQUENCE:\(first)\n", with: "SEQUENCE:\(end + firstSequence)\n")
    }
}
