/// The run step by step.
package struct SeriesResult: Equatable, Codable, Sendable {
    package var secondsPerPoint: Int
    package var points: [SeriesPoint]

    init(_ series: TimeSeries) {
        secondsPerPoint = series.secondsPerPoint
        points = series.points
    }

    /// Viewers at the end of each step whose player has given up and who are still there.
    package var stoppedViewers: [UInt64] { levels { ($0.stopped, $0.closed) } }

    /// Those who have closed the application and will open it again.
    package var comingBack: [UInt64] { levels { ($0.abandoned, $0.reopened &+ $0.lost) } }

    /// What has come and not gone by the end of each step.
    private func levels(_ flow: (SeriesCourse) -> (UInt64, UInt64)) -> [UInt64] {
        var (come, gone): (UInt64, UInt64) = (0, 0)
        return points.map { point in
            let step = point.course.map(flow) ?? (0, 0)
            come &+= step.0
            gone &+= step.1
            return come &- min(come, gone)
        }
    }

    private enum CodingKeys: String, CodingKey {
        case secondsPerPoint = "step_s"
        case points
    }
}
