import Foundation
import JSON

/// Payloads as one line of JSON each.
enum JournalCoding {
    static func payload(of value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        // A figure that is no number must not cost the interval it is in.
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf",
            negativeInfinity: "-inf",
            nan: "nan"
        )
        return try encoder.encode(value)
    }

    static func value<Value: Decodable>(_ type: Value.Type, of payload: Data) throws -> Value {
        if let excess = payload.withUnsafeBytes({ JSONLimits.record.excess(of: $0) }) { throw excess }
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf",
            negativeInfinity: "-inf",
            nan: "nan"
        )
        return try decoder.decode(type, from: payload)
    }
}
