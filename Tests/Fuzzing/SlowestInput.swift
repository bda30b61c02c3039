import Glibc

// Compiled by `.ci/fuzz` with each fuzzer of a reader whose time is bounded.

nonisolated(unsafe) private var slowest = 0
nonisolated(unsafe) private var executions = 0

private func threadNanoseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

private func nanoseconds(reading input: UnsafeRawBufferPointer, by read: (UnsafeRawBufferPointer) -> Void) -> Int {
    let start = threadNanoseconds()
    read(input)
    return threadNanoseconds() - start
}

/// Reads one input of libFuzzer; a reading that takes longer than `limit` nanoseconds of processor time is a finding.
///
/// The longest reading is printed at the end.
func readInTime(
    _ data: UnsafePointer<UInt8>?,
    _ size: Int,
    limit: Int = 5_000_000,
    by read: (UnsafeRawBufferPointer) -> Void
) {
    if executions == 0 { atexit { print("slowest of \(executions) executions \(slowest / 1000) us") } }
    let input = UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : size)
    executions += 1
    var elapsed = nanoseconds(reading: input, by: read)
    // What is slow each time is slow itself; what is slow once met something else that the machine did.
    for _ in 0..<4 where elapsed > slowest { elapsed = min(elapsed, nanoseconds(reading: input, by: read)) }
    slowest = max(slowest, elapsed)
    precondition(elapsed < limit, "\(size) bytes took \(elapsed / 1000) us")
}
