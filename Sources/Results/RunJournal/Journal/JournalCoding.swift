import Foundation
import Values

/// Payloads as one line of JSON each.
enum JournalCoding {
    static func payload(of value: some Encodable) throws -> Data { try DocumentEncoding.journal.encode(value) }

    static func value<Value: Decodable>(_ type: Value.Type, of payload: Data) throws -> Value {
        if let excess = payload.withUnsafeBytes({ JSONLimits.record.excess(of: $0) }) { throw excess }
        return try DocumentDecoding.journal.decode(type, from: payload)
    }
}
