import Time

/// When an answer came; zero for what never did.
struct AnswerTimes {
    /// Its first byte, where the kernel has stamped that no later than it was read.
    var firstByteAt = Instant.zero
    /// Its last byte by the kernel's stamp; zero where there is none.
    var receivedAt = Instant.zero
    /// The loop had read all of it, or given up on it.
    var doneAt: Instant
    /// Whether it was larger than the socket's receive buffer: its last bytes waited with the target until others were
    /// read.
    var outgrewBuffer = false

    /// The times of a request that ran out of time: what came of its answer is not the end.
    var withoutEnd: AnswerTimes { AnswerTimes(firstByteAt: firstByteAt, doneAt: doneAt) }
}
