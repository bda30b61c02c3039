@testable import AdServing

// Run by `.ci/fuzz list`, which compiles it with the sources of the readers: nothing here belongs to the package.
//
// An input is one answer to X-ASSET-LIST. What must hold is checked, the time too.

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

/// libFuzzer's entry.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    readInTime(data, size, by: read)
    return 0
}
