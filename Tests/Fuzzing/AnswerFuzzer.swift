import Glibc
import Rules

@testable import Transport

// Run by `.ci/fuzz answer`, which compiles it with the sources of the reader: nothing here belongs to the package.
//
// An input is: one byte of choices, four bytes that say how the rest is split, then an answer. The answer is read
// whole, in the pieces that the input says, and byte by byte; all three must agree, stay within the limits and leave
// nothing behind for the next answer on the same reader.

private struct Reading: Equatable {
    var progress: AnswerReader.Progress
    var status: Int
    var isKept: Bool
    var body: [UInt8]
    var wireBytes: Int
    var header: String?
    var flaws: UInt8
}

private let limits = AnswerReader.Limits(headerBytes: 700, bodyBytes: 5000)

/// Pseudo-random piece lengths from four bytes (xorshift32).
private struct Pieces {
    var state: UInt32
    var greatest: UInt32

    mutating func next() -> Int {
        state ^= state << 13
        state ^= state >> 17
        state ^= state << 5
        return Int(1 + state % greatest)
    }
}

private func read(
    _ answer: UnsafeRawBufferPointer,
    _ pieces: Pieces?,
    closes: Bool,
    keepsBody: Bool,
    _ reader: inout AnswerReader
) -> Reading {
    var progress = AnswerReader.Progress.incomplete
    reader.keepsBody = keepsBody
    var position = 0
    var pieces = pieces
    while position < answer.count, progress == .incomplete {
        let count = min(answer.count - position, pieces?.next() ?? answer.count)
        // Sanitised memory of its own for each piece.
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
        piece.copyBytes(from: answer[position..<position + count])
        position += count
        progress = reader.read(UnsafeRawBufferPointer(piece))
        guard progress == .incomplete, position < answer.count else {
            if closes, progress == .incomplete { progress = reader.ended() }
            // Bytes after the answer count the same whether they came with it or after it.
            let isKept = reader.keepsConnection && position == answer.count
            let result = snapshot(&reader, progress, isKept: isKept)
            piece.deallocate()
            return result
        }
        piece.deallocate()
    }
    return snapshot(&reader, progress, isKept: reader.keepsConnection)
}

private func snapshot(_ reader: inout AnswerReader, _ progress: AnswerReader.Progress, isKept: Bool) -> Reading {
    let body = reader.body
    precondition(body.count <= limits.bodyBytes, "more body than allowed")
    let isComplete = progress == .complete
    let header = HeaderLookup.value(of: "X", in: reader.head)
    return Reading(
        progress: progress,
        status: reader.status,
        isKept: isKept,
        body: isComplete ? Array(body) : [],
        wireBytes: isComplete ? reader.wireBodyBytes : 0,
        header: isComplete ? header : nil,
        flaws: reader.flaws.rawValue
    )
}

/// libFuzzer's entry.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    guard let data, size > 5 else { return 0 }
    let choices = data[0]
    let seed = UnsafeRawPointer(data + 1).loadUnaligned(as: UInt32.self) | 1
    let answer = UnsafeRawBufferPointer(start: data + 5, count: size - 5)
    let closes = choices & 1 != 0
    let keepsBody = choices & 2 == 0
    let decodes = choices & 4 == 0
    var reader = AnswerReader(limits: limits, decodesContent: decodes, pool: AnswerPool())
    let whole = read(answer, nil, closes: closes, keepsBody: keepsBody, &reader)
    reader.reset()
    precondition(!reader.hasBegun && reader.status == 0 && reader.body.isEmpty && reader.wireBodyBytes == 0)
    let pieces = Pieces(state: seed, greatest: UInt32(1 + (choices >> 3)) * 8)
    let split = read(answer, pieces, closes: closes, keepsBody: keepsBody, &reader)
    precondition(split == whole, "split: \(split)\nwhole: \(whole)")
    // A new reader without a pool: what the last answer left in pooled memory must not matter.
    var other = AnswerReader(limits: limits, decodesContent: decodes)
    let single = read(answer, Pieces(state: seed, greatest: 1), closes: closes, keepsBody: keepsBody, &other)
    precondition(single == whole, "byte by byte: \(single)\nwhole: \(whole)")
    reader.reset()
    return 0
}
