import Values

/// Parts from loops, shards or stretches of a run add up in any order.
package protocol Summable {
    mutating func add(_ other: Self)
}

extension Summable {
    package func adding(_ other: Self) -> Self {
        var sum = self
        sum.add(other)
        return sum
    }
}

extension Dictionary: Summable where Value: Summable {
    /// In place: a sum that grows during a run is not copied.
    package mutating func add(_ other: [Key: Value]) {
        for (key, value) in other where self[key]?.add(value) == nil { self[key] = value }
    }
}

extension Dictionary where Key: Comparable, Value == UInt64 {
    /// Keeps the first in the order of keys: what is kept for the whole is kept for each part.
    mutating func add(_ other: [Key: UInt64], limit: Int) {
        for (key, count) in other { self[key, default: 0] &+= count }
        while count > limit, let last = keys.max() { self[last] = nil }
    }
}

extension Optional: Summable where Wrapped: Summable {
    package mutating func add(_ other: Wrapped?) {
        guard let other else { return }
        if self?.add(other) == nil { self = other }
    }
}

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

/// Every reason at once.
package struct Problems: Error, Equatable, CustomStringConvertible, Sendable {
    package let all: [String]

    package init(_ all: [String]) { self.all = all }

    package var description: String { all.joined(separator: "\n") }
}

package struct FormError: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
