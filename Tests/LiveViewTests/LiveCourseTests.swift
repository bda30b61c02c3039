import Results
import Rules
import Testing

@testable import Report

@Suite struct LiveCourseTests {
    @Test func anIntervalKnowsNothingOfTheTimeBeforeIt() throws {
        var course = LiveCourse()
        let recorder = LoopRecorder()
        for _ in 0..<1_000 { recorder.record(LiveExample.sample(.playlist, responseMicroseconds: 900_000)) }
        course.take(LiveExample.state(recorder).totals, at: 1)
        for _ in 0..<10 { recorder.record(LiveExample.sample(.playlist, responseMicroseconds: 1_000)) }
        course.take(LiveExample.state(recorder).totals, at: 2)
        let latency = try #require(course.latencies.first { $0.kind == .playlist })
        #expect((latency.count, latency.p50Microseconds, latency.p99Microseconds) == (10, 1_000, 1_000))
        course.take(LiveExample.state(recorder).totals, at: 3)
        #expect(course.latencies.isEmpty)
        #expect(course.points.map(\.playlistP99Microseconds) == [900_000, 1_000, nil].map { $0.map { Int64($0) } })
    }

    @Test(arguments: [1, 599, 600, 601, 1_199, 1_201, 5_000]) func theWholeRunIsKeptWithinALimit(seconds: Int) {
        var course = LiveCourse()
        let totals = LiveExample.filled().totals
        let none = LiveExample.state(LoopRecorder()).totals
        for second in 1...seconds { course.take(second == 1 ? totals : none, at: Double(second)) }
        #expect((min(seconds, 300)...600).contains(course.points.count))
        #expect(course.points.last?.seconds == Double(seconds))
        #expect(course.points.first?.playlistP99Microseconds != nil)
        #expect(course.points.map(\.seconds) == course.points.map(\.seconds).sorted())
    }

    @Test func thePageIsTheReportWithWhatIsOfThisMoment() throws {
        var course = LiveCourse()
        for second in 1...2 { course.take(LiveExample.filled().totals, at: Double(second)) }
        let page = try LiveReport(LiveExample.filled(), course: course).html()
        for words in [
            ">Running</h2>", "in 0:13", "0:28 left", "empty_pod", "Response time", "data-state=\"connecting\"",
        ] {
            #expect(page.contains(words), "\(words)")
        }
        #expect(try LiveReport(nil, course: LiveCourse()).html().contains("Not begun"))
    }
}
