import Values

/// Times of one answer, zero for what never came; `TransferResult` describes them.
struct AnswerTimes {
    var firstByteAt = Instant.zero
    var receivedAt = Instant.zero
    var doneAt: Instant
    var outgrewBuffer = false

    /// The times of a request that timed out: the last byte received is not the end.
    var withoutEnd: AnswerTimes { AnswerTimes(firstByteAt: firstByteAt, doneAt: doneAt) }
}
