import Foundation

/// A JSON value of any shape, read by Foundation, which shares nothing with what wrote it.
struct TestJSON {
    private let value: Any

    init(_ bytes: [UInt8]) throws {
        value = try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
    }

    init(base64: String) throws {
        guard let data = Data(base64Encoded: base64) else { throw CocoaError(.coderInvalidValue) }
        try self.init(Array(data))
    }

    private init(value: Any) { self.value = value }

    subscript(name: String) -> TestJSON? { (value as? [String: Any])?[name].map(TestJSON.init(value:)) }

    subscript(index: Int) -> TestJSON? {
        guard let array = value as? [Any], array.indices.contains(index) else { return nil }
        return TestJSON(value: array[index])
    }

    var elements: [TestJSON] { (value as? [Any])?.map(TestJSON.init(value:)) ?? [] }
    var count: Int? { (value as? [Any])?.count }
    var text: String? { value as? String }
    var number: Double? { (value as? NSNumber)?.doubleValue }
    var keys: Set<String> { Set((value as? [String: Any])?.keys.map { $0 } ?? []) }
}
