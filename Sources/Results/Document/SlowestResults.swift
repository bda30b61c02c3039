import Recording
import Rules

/// One of the slowest answers of its kind and break, with data to trace it.
package struct SlowAnswerResult: Equatable, Codable, Sendable {
    package var kind: String
    /// Nil for a request outside any break.
    package var breakKey: String?
    /// Planned to done.
    package var responseMicroseconds: Int64
    /// Planned instant, since the Unix epoch and since the start of the run.
    package var wallMicroseconds: Int64
    package var offsetMilliseconds: Int64
    package var viewer: Int
    package var outcome: String
    /// Redacted.
    package var url: String
    /// Address and port that answered; nil without a connection.
    package var address: String?
    /// Answer fields that identify the server; nil without any.
    package var served: String?
    /// Trace id of the request; nil without one.
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

    static func all(_ answers: SlowestAnswers, runStartMicroseconds: Int64) -> [SlowAnswerResult]? {
        answers.isEmpty
            ? nil : answers.all.map { SlowAnswerResult($0, runStartMicroseconds: runStartMicroseconds) }
    }
}
