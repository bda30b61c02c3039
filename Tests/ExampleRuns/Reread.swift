import Foundation
import Values

/// What is read of the JSON that a journal has of a value.
package func reread<Value: Codable>(_ value: Value) throws -> Value {
    try DocumentDecoding.journal.decode(Value.self, from: DocumentEncoding.journal.encode(value))
}

package func decode<Value: Decodable>(_: Value.Type, from json: String) throws -> Value {
    try DocumentDecoding.journal.decode(Value.self, from: Data(json.utf8))
}
