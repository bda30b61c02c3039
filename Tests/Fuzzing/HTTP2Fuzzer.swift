import Glibc

@testable import Transport

// Run by `.ci/fuzz http2`, which compiles it with the sources of the sessions: nothing here belongs to the package.
//
// The first byte of an input says how many requests were made and how the rest, which a server sends, is cut. Cut or
// whole, it must come to the same end; each stream must end once, and an answer must be as HTTP/1.1 would have it.

nonisolated(unsafe) private let engine = HTTP2Engine(maximumHeaderBytes: 8192)

nonisolated(unsafe) private let fields = RequestFields([
    (":method", "GET"), (":scheme", "https"), (":authority", "h"), (":path", "/"),
])

// With `givesUp` the first request is given up, and its stream freed, after the first piece.
private func ends(
    of requests: Int,
    _ bytes: UnsafeRawBufferPointer,
    cutEvery step: Int,
    givesUp: Bool = false
) -> [HTTP2Stream] {
    guard let engine, let session = HTTP2Session(engine) else { fatalError("no memory") }
    var streams = (0..<requests).map { _ in HTTP2Stream() }
    for stream in streams where !session.send(fields, body: nil, on: stream) { fatalError("no request") }
    while session.output() != nil {}
    var place = 0
    while place < bytes.count {
        let end = min(place + step, bytes.count)
        session.receive(UnsafeRawBufferPointer(rebasing: bytes[place..<end]))
        var touched = Set<ObjectIdentifier>()
        while let stream = session.nextTouched() {
            precondition(touched.insert(ObjectIdentifier(stream)).inserted, "told twice of one stream")
        }
        if givesUp, place == 0 { session.cancel(streams.removeFirst()) }
        while session.output() != nil {}
        place = end
    }
    session.lose()
    while session.nextTouched() != nil {}
    precondition(!session.hasRoom, "a lost session takes requests")
    for stream in streams {
        precondition(stream.end != nil, "a stream that never ends")
        let answer = stream.answer
        if stream.end == .complete {
            precondition(String(decoding: answer.prefix(9), as: UTF8.self) == "HTTP/1.1 ", "no status line")
        }
        precondition(stream.headerBytes <= 8192 + 4096, "headers without end")
    }
    return streams
}

/// One input of libFuzzer.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 1 else { return 0 }
    let bytes = UnsafeRawBufferPointer(start: start + 1, count: count - 1)
    let requests = 1 + Int(start.pointee & 3)
    let whole = ends(of: requests, bytes, cutEvery: count)
    let cut = ends(of: requests, bytes, cutEvery: 1 + Int(start.pointee >> 2))
    _ = ends(of: requests, bytes, cutEvery: 1 + Int(start.pointee >> 2), givesUp: true)
    for (one, other) in zip(whole, cut) where one.end == .complete && other.end == .complete {
        precondition(one.answer.elementsEqual(other.answer), "the same bytes, another answer")
    }
    return 0
}
