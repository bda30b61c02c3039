import HLS

@testable import AdServing
@testable import Values

// Run by `.ci/fuzz json`, which compiles it with the sources of the readers: nothing here belongs to the package.
//
// An input is one answer, which is read as a registration of each kind of target, as metadata, as a steering manifest and as
// creative signalling; asset lists are fuzzed by `.ci/fuzz list`. What must hold is checked, the time of all readings together
// too.

private let targets: [URLTemplateTarget] = {
    let tailor = URLTemplateTarget.Session(url: "https://h", content: "/manifestUrl", tracking: "/trackingUrl")
    let session = URLTemplateTarget.Session(url: "https://h/{viewer}", method: .get, streamID: "/a/0", content: "/b/c")
    return [tailor, session].map { URLTemplateTarget(session: $0) }
}()

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
    _ = try? SteeringManifest.parse(answer)
    _ = CreativeSignaling(attribute: String(decoding: answer, as: UTF8.self))
    if let metadata = try? SessionMetadata(json: answer) {
        _ = metadata.mediaIDs(of: .adBreakID("b"))
        _ = metadata.doubledEvent(ofAds: metadata.ads(of: .adBreakID("b")))
    }
}

/// libFuzzer's entry.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    readInTime(data, size, limit: 50_000_000, by: read)
    let answer = UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : size)
    if let value = try? JSONValue(parsing: answer, within: .answer) {
        precondition(depth(of: value) <= JSONLimits.answer.depth, "deeper than the limit")
    }
    if let metadata = try? SessionMetadata(json: answer) { checkMetadata(metadata) }
    return 0
}
