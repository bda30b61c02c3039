import Foundation

/// What a place of a JSON document must hold, such as `breaks.each.0.due = 20`.
///
/// A path is names and numbers between dots. `[code=pod_mismatch]` behind a list is its first item with that member, `*` all items
/// or members, each of which must be as expected, and `#` how many there are. Operators are `=`, `!=`, `<`, `<=`, `>`, `>=`,
/// `contains` and, without a value, `absent`.
struct JSONExpectation {
    private let text, path, comparison: String
    private let expected: Any

    init(_ text: String) throws {
        guard let match = text.wholeMatch(of: /(.+?) (=|!=|<=|<|>=|>|contains|absent)(?: (.*))?/) else {
            throw Obstacle("no expectation: \(text)")
        }
        self.text = text
        path = String(match.1)
        comparison = String(match.2)
        let value = String(match.3 ?? "")
        expected = (try? JSONSerialization.jsonObject(with: Data(value.utf8), options: .fragmentsAllowed)) ?? value
    }

    func complaint(about document: Any) -> String? {
        let values = Self.values(at: Self.parts(of: path)[...], in: document)
        if comparison == "absent" { return values.isEmpty ? nil : "\(text): \(values)" }
        guard !values.isEmpty else { return "\(text): it is not there" }
        return values.first { !isAsExpected($0) }.map { "\(text): \($0)" }
    }

    static func value(at path: String, in document: Any) -> Any? {
        values(at: parts(of: path)[...], in: document).first
    }

    private func isAsExpected(_ value: Any) -> Bool {
        switch comparison {
        case "=": return Self.areEqual(value, expected)
        case "!=": return !Self.areEqual(value, expected)
        case "contains":
            if let items = value as? [Any] { return items.contains { Self.areEqual($0, expected) } }
            return (value as? String)?.contains(expected as? String ?? "\0") ?? false
        default:
            guard let (left, right) = Self.numbers(value, expected) else { return false }
            return switch comparison {
            case "<": left < right
            case "<=": left <= right
            case ">": left > right
            default: left >= right
            }
        }
    }

    private static func numbers(_ left: Any, _ right: Any) -> (Double, Double)? {
        guard let left = left as? NSNumber, let right = right as? NSNumber else { return nil }
        return (left.doubleValue, right.doubleValue)
    }

    private static func areEqual(_ left: Any, _ right: Any) -> Bool {
        if let (left, right) = numbers(left, right) { return left == right }
        func json(_ value: Any) -> Data? {
            try? JSONSerialization.data(withJSONObject: value, options: [.fragmentsAllowed, .sortedKeys])
        }
        return json(left) == json(right)
    }

    /// Dots within brackets part nothing.
    private static func parts(of path: String) -> [String] {
        var parts = [""]
        var depth = 0
        for character in path {
            if character == "[" {
                depth += 1
                parts.append("")
            }
            if character == ".", depth == 0 {
                parts.append("")
            } else {
                parts[parts.count - 1].append(character)
            }
            if character == "]" { depth -= 1 }
        }
        return parts
    }

    private static func values(at path: ArraySlice<String>, in value: Any) -> [Any] {
        guard let part = path.first else { return value is NSNull ? [] : [value] }
        let rest = path.dropFirst()
        if let items = value as? [Any] {
            if part == "#" { return [NSNumber(value: items.count)] }
            if part == "*" { return items.flatMap { values(at: rest, in: $0) } }
            if part.hasPrefix("[") {
                let pair = part.dropFirst().dropLast().split(separator: "=", maxSplits: 1).map(String.init)
                let found = items.first { item in (item as? [String: Any]).map { "\($0[pair[0]] ?? "")" } == pair.last }
                return found.map { values(at: rest, in: $0) } ?? []
            }
            return Int(part).flatMap { items.indices.contains($0) ? values(at: rest, in: items[$0]) : nil } ?? []
        }
        guard let members = value as? [String: Any] else { return [] }
        if part == "#" { return [NSNumber(value: members.count)] }
        if part == "*" { return members.values.flatMap { values(at: rest, in: $0) } }
        return members[part].map { values(at: rest, in: $0) } ?? []
    }
}
