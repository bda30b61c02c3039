/// Iterates over an attribute list (RFC 8216 section 4.2) in place.
package struct AttributeList {
    package struct Attribute {
        package var name: Range<Int>
        /// Without quotation marks.
        package var value: Range<Int>
        package var isQuoted: Bool
    }

    package let bytes: UnsafeRawBufferPointer
    private var position: Int
    private let start: Int
    private let end: Int
    package private(set) var isMalformed = false
    /// White space, or a comma too many (bis-22 section 4.2 has neither).
    package private(set) var isLoose = false

    package init(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) {
        self.bytes = bytes
        start = range.lowerBound
        position = start
        end = range.upperBound
    }

    /// Nil at the end of the list or at invalid syntax.
    package mutating func next() -> Attribute? {
        skipSeparator()
        guard position < end else { return nil }
        let nameStart = position
        while position < end, bytes[position] != UInt8(ascii: "=") {
            guard bytes[position] != UInt8(ascii: ","), bytes[position] != UInt8(ascii: "\"") else {
                return malformed()
            }
            position += 1
        }
        guard position < end, position > nameStart else { return malformed() }
        let name = nameStart..<position
        position += 1
        guard position < end, bytes[position] == UInt8(ascii: "\"") else {
            return unquotedValue().map { Attribute(name: name, value: $0, isQuoted: false) }
        }
        return quotedValue().map { Attribute(name: name, value: $0, isQuoted: true) }
    }

    private mutating func skipSeparator() {
        let separator = position
        while position < end, bytes[position] == UInt8(ascii: ",") || bytes[position] == UInt8(ascii: " ") {
            position += 1
        }
        guard position > separator else { return }
        let isComma = position == separator + 1 && bytes[separator] == UInt8(ascii: ",")
        if !isComma || position == end || separator == start { isLoose = true }
    }

    private mutating func unquotedValue() -> Range<Int>? {
        let start = position
        while position < end, bytes[position] != UInt8(ascii: ",") {
            guard bytes[position] != UInt8(ascii: "\"") else { return malformed() }
            position += 1
        }
        var valueEnd = position
        while valueEnd > start, bytes[valueEnd - 1] == UInt8(ascii: " ") {
            valueEnd -= 1
            isLoose = true
        }
        return start..<valueEnd
    }

    private mutating func quotedValue() -> Range<Int>? {
        position += 1
        let start = position
        while position < end, bytes[position] != UInt8(ascii: "\"") { position += 1 }
        guard position < end else { return malformed() }
        let value = start..<position
        position += 1
        guard position == end || bytes[position] == UInt8(ascii: ",") || bytes[position] == UInt8(ascii: " ") else {
            return malformed()
        }
        return value
    }

    private mutating func malformed<Value>() -> Value? {
        isMalformed = true
        return nil
    }

    package func isNamed(_ attribute: Attribute, _ name: StaticString) -> Bool {
        bytes.matches(name, at: attribute.name.lowerBound, end: attribute.name.upperBound)
    }

    package func isYes(_ attribute: Attribute) -> Bool {
        bytes.matches("YES", at: attribute.value.lowerBound, end: attribute.value.upperBound)
    }

    func value(_ attribute: Attribute) -> AttributeValue {
        let text = bytes.text(attribute.value)
        guard !attribute.isQuoted else { return .quoted(text) }
        if text.hasPrefix("0x") || text.hasPrefix("0X") { return .hexadecimal(text) }
        return DecimalText.isNumber(bytes, attribute.value) ? .number(text) : .enumerated(text)
    }
}

/// Returns whether there is a value.
func set<Value>(_ field: inout Value?, _ value: Value?) -> Bool {
    field = value
    return value != nil
}

/// Text is unchanged (RFC 8216 section 4.2).
package enum AttributeValue: Hashable, Sendable {
    case quoted(String)
    /// With its `0x`.
    case hexadecimal(String)
    case number(String)
    case enumerated(String)

    package var text: String {
        switch self {
        case .quoted(let text), .hexadecimal(let text), .number(let text), .enumerated(let text):
            text
        }
    }
}
