/// No value can forge a line or end a quoted string: line feeds become spaces, quotation marks apostrophes.
struct PlaylistText {
    private(set) var bytes: [UInt8] = []

    mutating func line(_ text: String) {
        bytes.append(contentsOf: text.utf8.lazy.map { $0 == 0x0A ? 0x20 : $0 })
        bytes.append(0x0A)
    }

    /// A leading `#` would make the line a comment and is percent-encoded.
    mutating func uri(_ text: String) { line(text.hasPrefix("#") ? "%23" + text.dropFirst() : text) }

    mutating func tag(_ tag: PlaylistTag, _ value: some CustomStringConvertible) { line("#\(tag.fullName):\(value)") }

    mutating func tag(_ tag: PlaylistTag) { line("#\(tag.fullName)") }

    mutating func tag(_ tag: PlaylistTag, with attributes: [WrittenAttribute]) {
        line("#\(tag.fullName):\(attributes.compactMap(\.text).joined(separator: ","))")
    }

    mutating func head(_ head: PlaylistHead) {
        tag(.extm3u)
        if let version = head.version { tag(.version, version) }
        for definition in head.definitions {
            switch definition {
            case .value(let name, let value): tag(.define, with: [.quoted("NAME", name), .quoted("VALUE", value)])
            case .imported(let name): tag(.define, with: [.quoted("IMPORT", name)])
            case .queryParameter(let name): tag(.define, with: [.quoted("QUERYPARAM", name)])
            }
        }
        if head.isIndependentSegments { tag(.independentSegments) }
        if let startPoint = head.startPoint {
            let offset = SecondsText.shortest(startPoint.offsetMicroseconds)
            tag(.start, with: [.plain("TIME-OFFSET", offset), .flag("PRECISE", startPoint.isPrecise)])
        }
    }
}

/// An attribute of a list (RFC 8216 section 4.2); one without a value is left out.
struct WrittenAttribute {
    let text: String?

    static func plain(_ name: String, _ value: (some CustomStringConvertible)?) -> Self {
        Self(text: value.map { "\(name)=\($0)" })
    }

    static func quoted(_ name: String, _ value: String?) -> Self {
        plain(name, value.map { "\"\($0.replacing("\"", with: "'"))\"" })
    }

    static func flag(_ name: String, _ isSet: Bool) -> Self { plain(name, isSet ? "YES" : nil) }

    static func seconds(_ name: String, _ value: Duration?) -> Self {
        plain(name, value.map { SecondsText.shortest($0.wholeMicroseconds) })
    }

    static func seconds(_ name: String, _ value: Double?) -> Self {
        plain(name, value.map { SecondsText.shortest(SecondsText.microseconds($0)) })
    }

    static func byteRange(_ name: String, _ value: ByteRange?) -> Self { plain(name, value.map { "\"\($0.text)\"" }) }

    /// Some packagers write other text than hexadecimal digits in quotation marks.
    static func section(_ name: String, _ value: String?) -> Self {
        let digits = value.flatMap { $0.hasPrefix("0x") || $0.hasPrefix("0X") ? $0.dropFirst(2) : nil }
        let isHexadecimal = digits?.allSatisfy { $0.isASCII && $0.isHexDigit } ?? false
        return isHexadecimal ? plain(name, value) : quoted(name, value)
    }

    /// Sorted, so that equal descriptions give equal bytes.
    static func others(_ attributes: [String: AttributeValue]) -> [Self] {
        attributes.sorted { $0.key < $1.key }.map { name, value in
            if case .quoted(let text) = value { quoted(name, text) } else { plain(name, value.text) }
        }
    }
}

extension ByteRange {
    var text: String { offset.map { "\(length)@\($0)" } ?? "\(length)" }
}

/// Seconds as decimal text, exact to the microsecond.
package enum SecondsText {
    /// At least three decimal places.
    package static func decimal(_ microseconds: Int64) -> String {
        let magnitude = microseconds.magnitude
        let fraction = magnitude % 1_000_000
        let (shown, places) = fraction % 1_000 == 0 ? (fraction / 1_000, 3) : (fraction, 6)
        return (microseconds < 0 ? "-" : "") + "\(magnitude / 1_000_000)." + String(shown).leftPadded(to: places)
    }

    package static func shortest(_ microseconds: Int64) -> String {
        microseconds % 1_000_000 == 0 ? String(microseconds / 1_000_000) : decimal(microseconds)
    }

    /// Clamped; infinity and NaN count as 0.
    static func microseconds(_ seconds: Double) -> Int64 {
        guard seconds.isFinite else { return 0 }
        return Int64(max(-9.0e18, min(9.0e18, (seconds * 1_000_000).rounded())))
    }
}
