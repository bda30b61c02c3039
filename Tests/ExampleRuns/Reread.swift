import Foundation

/// What is read of the JSON that a value is written as.
package func reread<Value: Codable>(_ value: Value) throws -> Value {
    try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
}

/// Reads a value of JSON.
package func decode<Value: Decodable>(_: Value.Type, from json: String) throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(json.utf8))
}
