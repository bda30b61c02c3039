import Recording
import Rulebook

/// One of the slowest answers of its kind and break, with what leads to whoever was slow.
package struct SlowAnswerResult: Equatable, Codable, Sendable {
    /// The kind's name.
    package var kind: String
    /// Nil for a request that belongs to no break.
    package var breakKey: String?
    /// Planned to done.
    package var responseMicroseconds: Int64
    /// When the viewer wanted the request on its way, since the Unix epoch and since the start of the run.
    package var wallMicroseconds: Int64
    package var offsetMilliseconds: Int64
    package var viewer: Int
    /// How it ended.
    package var outcome: String
    /// What was asked for, redacted.
    package var url: String
    /// The address and port that answered; nil where there was no connection.
    package var address: String?
    /// What the answer's head said of who served it; nil where it said nothing.
    package var served: String?
    /// The trace id that the request carried; nil where it carried none.
    package var traceID: String?

    init(_ answer: SlowAnswer, runStartMicroseconds: Int64) {
        kind = answer.kind.name
        breakKey = answer.breakKey.isEmpty ? nil : answer.breakKey
        responseMicroseconds = answer.responseMicroseconds
        wallMicroseconds = answer.wallMicroseconds
        offsetMilliseconds = (answer.wallMicroseconds &- runStartMicroseconds) / 1_000
        viewer = answer.viewer
        outcome = answer.outcome
        url = answer.url
        address = answer.served.address.isEmpty ? nil : answer.served.address
        served = answer.served.head.isEmpty ? nil : answer.served.head
        traceID = answer.served.traceID.isEmpty ? nil : answer.served.traceID
    }

    /// All of a run, by kind; nil where there are none.
    static func all(_ answers: SlowestAnswers, runStartMicroseconds: Int64) -> [SlowAnswerResult]? {
        answers.isEmpty
            ? nil : answers.all.map { SlowAnswerResult($0, runStartMicroseconds: runStartMicroseconds) }
    }
}
