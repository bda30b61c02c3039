import Rulebook
import Testing

@testable import Transport

/// One answer as a server sends it, for which libcurl says how it is to be taken.
struct WireAnswer: Sendable, CustomTestStringConvertible {
    /// What we make of an answer that we take otherwise than libcurl does, on purpose.
    struct Difference: Sendable {
        let failure: TransportFailure?
        let status: Int
        let body: String
        let isKept: Bool
        let reason: String

        static func failed(_ failure: TransportFailure, status: Int, _ reason: String) -> Difference {
            Difference(failure: failure, status: status, body: "", isKept: false, reason: reason)
        }

        static func notKept(status: Int = 200, _ body: String, _ reason: String) -> Difference {
            Difference(failure: nil, status: status, body: body, isKept: false, reason: reason)
        }
    }

    /// Limits that the table is read with, by either reader.
    static let limits = AnswerReader.Limits(headerBytes: 1000, bodyBytes: 1000)

    let testDescription: String
    let bytes: [UInt8]
    /// Whether the server closes the connection after its answer.
    let closes: Bool
    let difference: Difference?

    init(_ name: String, _ text: String, closes: Bool = false, difference: Difference? = nil) {
        self.init(name, Array(text.utf8), closes: closes, difference: difference)
    }

    init(_ name: String, _ bytes: [UInt8], closes: Bool = false, difference: Difference? = nil) {
        testDescription = name
        self.bytes = bytes
        self.closes = closes
        self.difference = difference
    }

    static let all = heads + statusLines + lengths + chunked + coded + connections + limited
}

/// A head and a body of bytes that are no text.
func answer(_ head: String, hex: String) -> [UInt8] {
    Array(head.utf8) + [UInt8](hex: hex)
}

extension [UInt8] {
    /// Bytes of pairs of hexadecimal digits.
    init(hex: String) {
        let digits = hex.compactMap(\.hexDigitValue)
        self = stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
