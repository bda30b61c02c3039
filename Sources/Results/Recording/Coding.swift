import Values

/// Value stored in another form, such as rows in an order.
package protocol CodableByForm: Codable {
    associatedtype Form: Codable

    init(form: Form) throws
    var form: Form { get }
}

extension CodableByForm {
    package init(from decoder: any Decoder) throws {
        let form = try Form(from: decoder)
        do {
            try self.init(form: form)
        } catch {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "\(error)"))
        }
    }

    package func encode(to encoder: any Encoder) throws { try form.encode(to: encoder) }
}

struct FormError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Encodes in key order: equal dictionaries have equal bytes.
@propertyWrapper
package struct InOrder<Key: Hashable & Comparable & Codable & Sendable, Value: Codable & Equatable & Sendable>:
    Equatable, Sendable
{
    package var wrappedValue: [Key: Value]

    package init(wrappedValue: [Key: Value]) { self.wrappedValue = wrappedValue }
}

extension InOrder: CodableByForm, EmptyWhereMissing {
    package struct Entry: Codable {
        var key: Key
        var value: Value
    }

    package init() { wrappedValue = [:] }

    package init(form entries: [Entry]) {
        wrappedValue = Dictionary(entries.map { ($0.key, $0.value) }) { _, last in last }
    }

    package var form: [Entry] { wrappedValue.sorted { $0.key < $1.key }.map(Entry.init) }
}
