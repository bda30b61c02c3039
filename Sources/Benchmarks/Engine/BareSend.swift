import Glibc
import Transport
import Values

/// The least possible cost of a burst: `send` in a loop, then every answer read.
struct BareSend {
    let descriptors: [Int32]
    let request: [UInt8]

    /// Milliseconds after which an answer counts as missing.
    private static let patience: Int32 = 10_000

    /// Sends at `due` and returns when every answer was read; nil where one was not.
    ///
    /// Blocks its thread, so that the loop reads none of the answers.
    func run(due: Instant) -> BurstTimes? {
        var sends = [Instant](repeating: .zero, count: descriptors.count)
        while MonotonicClock.now() < due {}
        for (index, descriptor) in descriptors.enumerated() {
            sends[index] = MonotonicClock.now()
            guard send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else {
                return nil
            }
        }
        var buffer = [UInt8](repeating: 0, count: 16_384)
        // The playlist does not change, so that all answers are as long as the first.
        var length: Int?
        for descriptor in descriptors {
            guard Self.readAnswer(from: descriptor, &buffer, &length) else { return nil }
        }
        return BurstTimes(due: due, sends: sends, lastAnswer: MonotonicClock.now())
    }

    private static func readAnswer(from descriptor: Int32, _ buffer: inout [UInt8], _ length: inout Int?) -> Bool {
        var filled = 0
        while true {
            let count = buffer.withUnsafeMutableBytes { bytes in
                recv(descriptor, bytes.baseAddress.map { $0 + filled }, bytes.count - filled, 0)
            }
            if count > 0 {
                filled += count
                length = length ?? AnswerLength(buffer[..<filled])?.bytes
                if let length, filled >= length { return filled == length }
            } else if count == 0 || errno != EAGAIN || !isReadable(descriptor) {
                return false
            }
        }
    }

    private static func isReadable(_ descriptor: Int32) -> Bool {
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&watched, 1, patience) == 1
    }
}

struct AnswerLength {
    let bytes: Int

    /// nil while the header is not complete.
    init?(_ answer: ArraySlice<UInt8>) {
        let text = String(decoding: answer, as: UTF8.self)
        guard let end = text.utf8.firstRange(of: "\r\n\r\n".utf8),
            let match = text[..<end.lowerBound].firstMatch(of: /(?i)content-length: *(\d+)/), let length = Int(match.1)
        else { return nil }
        bytes = text.utf8.distance(from: text.utf8.startIndex, to: end.upperBound) + length
    }
}
