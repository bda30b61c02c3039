import Glibc

@testable import AdServing

// Run by `.ci/fuzz list`, which compiles it with the sources of the readers: nothing here belongs to the package.
//
// An input is one answer to X-ASSET-LIST. What must hold is checked; the slowest input is told at the end.

/// Longer than any reading of a list of 4 kB may take, in nanoseconds of the thread's processor time.
private let limit = 5_000_000

nonisolated(unsafe) private var slowest = 0
nonisolated(unsafe) private var executions = 0

private func threadNanoseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

private func read(_ answer: UnsafeRawBufferPointer) {
    guard let list = try? AssetList(parsing: answer) else { return }
    precondition(list.assets.count <= AssetList.maximumAssets)
    // Each asset is an object with two members at least.
    precondition(list.assets.count <= answer.count / 4)
    for asset in list.assets.prefix(20) {
        precondition(asset.duration >= .zero, "a negative duration")
        precondition(!AssetList.resolved(asset, against: "https://h/a/list.json").isEmpty || asset.uri.isEmpty)
        for (one, next) in zip(asset.beacons, asset.beacons.dropFirst()) { precondition(one.offset <= next.offset) }
    }
    _ = list.doubledEvent
    _ = list.signaling?.beacons(total: list.duration)
    precondition(list.duration >= .zero)
}

private func nanoseconds(reading answer: UnsafeRawBufferPointer) -> Int {
    let start = threadNanoseconds()
    read(answer)
    return threadNanoseconds() - start
}

/// libFuzzer's entry.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    if executions == 0 { atexit { print("list: slowest of \(executions) executions \(slowest / 1000) us") } }
    let answer = UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : size)
    executions += 1
    var elapsed = nanoseconds(reading: answer)
    // What is slow each time is slow itself; what is slow once met something else that the machine did.
    for _ in 0..<4 where elapsed > slowest { elapsed = min(elapsed, nanoseconds(reading: answer)) }
    slowest = max(slowest, elapsed)
    precondition(elapsed < limit, "\(size) bytes took \(elapsed / 1000) us")
    return 0
}
