package struct SeriesResult: Equatable, Codable, Sendable {
    package var stepSeconds: Int
    package var points: [SeriesPoint]

    init(_ series: TimeSeries) {
        stepSeconds = series.stepSeconds
        points = series.points
    }

    /// Viewers present at the end of each step whose player gave up.
    package var stoppedViewers: [UInt64] { levels { ($0.playersStopped, $0.playersClosed) } }

    /// Viewers at the end of each step that closed the application and will open it again.
    package var comingBack: [UInt64] { levels { ($0.abandoned, $0.reopened &+ $0.lost) } }

    /// Balance at the end of each step of a flow of arrivals and departures.
    private func levels(_ flow: (SeriesCourse) -> (UInt64, UInt64)) -> [UInt64] {
        var (come, gone): (UInt64, UInt64) = (0, 0)
        return points.map { point in
            let step = point.course.map(flow) ?? (0, 0)
            come &+= step.0
            gone &+= step.1
            return come &- min(come, gone)
        }
    }
}
