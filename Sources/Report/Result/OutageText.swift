import Results
import Rules

struct OutageText {
    let course: String
    let recovery: String

    init(_ outage: OutageResult) {
        let length = Self.time(outage.endedMilliseconds &- outage.beganMilliseconds)
        var sentences = [
            "For \(length) from \(Self.instant(outage.beganMilliseconds)) on the channel could not be loaded:"
                + " \(TextLayout.grouped(outage.errors)) of \(TextLayout.counted(outage.requests, "request")) failed."
        ]
        sentences.append(
            "Viewers asked again \(TextLayout.counted(outage.retries, "time")); at most"
                + " \(TextLayout.grouped(outage.stoppedViewersMaximum)) of their players had given up at once."
        )
        if outage.abandoned > 0 {
            sentences.append(
                "Viewers closed the application \(TextLayout.counted(outage.abandoned, "time")), and opened it again"
                    + " \(TextLayout.counted(outage.reopened, "time"))."
            )
        }
        sentences.append(Self.peak(outage))
        course = sentences.joined(separator: " ")
        recovery =
            if let recovery = outage.recoveryMilliseconds {
                "\(Self.time(recovery)) after its end things were as before."
            } else {
                "The run ended before things were as before."
            }
    }

    private static func peak(_ outage: OutageResult) -> String {
        let peak = "At most \(MetricText.number(outage.requestsPerSecondMaximum)) requests were made in a second"
        guard let before = outage.requestsPerSecondBefore, before > 0 else { return peak + "." }
        let times = MetricText.rounded(outage.requestsPerSecondMaximum / before, places: 1)
        return "\(peak), \(times) times as many as before."
    }

    private static func time(_ milliseconds: Int64) -> String {
        MetricText.number((Double(milliseconds) / 100).rounded() / 10) + " s"
    }

    private static func instant(_ milliseconds: Int64) -> String { TimeText.elapsed(Double(milliseconds) / 1_000) }
}
