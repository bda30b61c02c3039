package struct DriftResult: Equatable, Codable, Sendable {
    package enum Subject: String, Codable, Sendable {
        case target
        case generator
    }

    package enum Verdict: String, Codable, Sendable {
        case steady
        case creeping
        case improving
        case tooFewWindows = "too_few_windows"
    }

    package var series: String
    package var subject: Subject
    package var verdict: Verdict
    package var unit = ""
    package var windows = 0
    package var spanMilliseconds: Int64?
    package var slopePerHour: Double?
    package var slopeLowPerHour: Double?
    package var slopeHighPerHour: Double?
    package var pValue: Double?
    package var minimumEffectPerHour = 0.0
    package var median: Double?
    package var text = ""

    package init(series: String, subject: Subject, verdict: Verdict) {
        (self.series, self.subject, self.verdict) = (series, subject, verdict)
    }
}
