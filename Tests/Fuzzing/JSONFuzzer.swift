import Glibc
import HLS

@testable import AdServing
@testable import Values

// Run by `.ci/fuzz json`, which compiles it with the sources of the readers: nothing here belongs to the package.
//
// An input is one answer, which is read as a registration of each kind of target, as metadata, as an asset list, as a
// steering manifest and as creative signalling. What must hold is checked; the slowest input is told at the end, by the
// processor time of all its readings together.

private let targets: [TargetAdapter] = {
    let tailor = MediaTailorTarget(server: "https://h", asset: "a", session: .explicit)
    var targets: [TargetAdapter] = [.mediaTailor(tailor)]
    if let url = URLTemplate("https://h/{viewer}"), let id = JSONPointer("/a/0"), let content = JSONPointer("/b/c") {
        let session = URLTemplateTarget.Session(method: .get, url: url, streamID: id, content: content)
        targets.append(.urlTemplates(URLTemplateTarget(session: session, content: nil, pod: nil)))
    }
    return targets
}()

/// Longer than any reading of a few thousand bytes may take, in nanoseconds.
private let limit = 50_000_000

nonisolated(unsafe) private var slowest = 0
nonisolated(unsafe) private var executions = 0
nonisolated(unsafe) private var told = false

private func threadNanoseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

private func depth(of value: JSONValue) -> Int {
    switch value {
    case .object(let members): 1 + (members.all.map { depth(of: $0.value) }.max() ?? 0)
    case .array(let elements): 1 + (elements.map(depth).max() ?? 0)
    default: 0
    }
}

private func checkMetadata(_ metadata: SessionMetadata) {
    precondition(zip(metadata.tags, metadata.tags.dropFirst()).allSatisfy { $0.prefix.byteOrder(to: $1.prefix) < 0 })
    for identifier in [PodIdentifier.adBreakID("b"), .sequence(1)] {
        let ads = metadata.orderedAds(of: identifier)
        let ids = metadata.mediaIDs(of: identifier)
        precondition(ids.count == 5 * ads.count, "\(ids.count) ids of \(ads.count) ads")
    }
    for tag in metadata.tags.prefix(20) {
        for id in [tag.prefix, tag.prefix + "x", String(tag.prefix.dropLast())] {
            let wanted = metadata.tags.filter { id.utf8.starts(with: $0.prefix.utf8) }
                .max { $0.prefix.utf8.count < $1.prefix.utf8.count }
            precondition(metadata.tag(matching: id) == wanted, "another prefix")
        }
    }
}

private func read(_ answer: UnsafeRawBufferPointer) {
    for target in targets { _ = try? target.session(json: answer, from: "https://h/a/b") }
    if let session = try? StreamSession(json: answer), let id = session.streamID {
        precondition(id.rawValue.utf8.count <= StreamSession.longestText)
    }
    if let list = try? AssetList(parsing: answer) {
        precondition(list.assets.count <= AssetList.maximumAssets)
        _ = list.doubledEvent
        _ = list.signaling?.beacons(total: list.duration)
    }
    _ = try? SteeringManifest.parse(answer)
    _ = CreativeSignaling(attribute: String(decoding: answer, as: UTF8.self))
    if let metadata = try? SessionMetadata(json: answer) {
        _ = metadata.mediaIDs(of: .adBreakID("b"))
        _ = metadata.doubledEvent(ofAds: metadata.ads(of: .adBreakID("b")))
    }
}

private func nanoseconds(reading answer: UnsafeRawBufferPointer) -> Int {
    let start = threadNanoseconds()
    read(answer)
    return threadNanoseconds() - start
}

/// libFuzzer's entry.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    if !told {
        told = true
        atexit { print("json: slowest of \(executions) executions \(slowest / 1000) us") }
    }
    let answer = UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : size)
    executions += 1
    var elapsed = nanoseconds(reading: answer)
    // What is slow each time is slow itself; what is slow once met something else that the machine did.
    for _ in 0..<4 where elapsed > slowest { elapsed = min(elapsed, nanoseconds(reading: answer)) }
    if elapsed > slowest {
        slowest = elapsed
        print("json: \(size) bytes took \(elapsed / 1000) us")
    }
    precondition(elapsed < limit, "\(size) bytes took \(elapsed / 1000) us")
    if let value = try? JSONValue(parsing: answer, within: .answer) {
        precondition(depth(of: value) <= JSONLimits.answer.depth, "deeper than the limit")
    }
    if let metadata = try? SessionMetadata(json: answer) { checkMetadata(metadata) }
    return 0
}
