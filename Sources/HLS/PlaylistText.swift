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

    mutating func tag(_ tag: PlaylistTag, _ attributes: AttributeText) { line("#\(tag.fullName):\(attributes.text)") }

    mutating func head(_ head: PlaylistHead) {
        tag(.extm3u)
        if let version = head.version { tag(.version, version) }
        for definition in head.definitions {
            var attributes = AttributeText()
            switch definition {
            case .value(let name, let value):
                attributes.quoted("NAME", name)
                attributes.quoted("VALUE", value)
            case .imported(let name):
                attributes.quoted("IMPORT", name)
            case .queryParameter(let name):
                attributes.quoted("QUERYPARAM", name)
            }
            tag(.define, attributes)
        }
        if head.isIndependentSegments { tag(.independentSegments) }
        if let startPoint = head.startPoint {
            var attributes = AttributeText()
            attributes.plain("TIME-OFFSET", SecondsText.shortest(startPoint.offsetMicroseconds))
            attributes.flag("PRECISE", startPoint.isPrecise)
            tag(.start, attributes)
        }
    }
}

/// An attribute list (RFC 8216 section 4.2); nil values are left out.
struct AttributeText {
    private(set) var text = ""

    mutating func plain(_ name: String, _ value: (some CustomStringConvertible)?) {
        guard let value else { return }
        text += (text.isEmpty ? "" : ",") + "\(name)=\(value)"
    }

    mutating func quoted(_ name: String, _ value: String?) {
        plain(name, value.map { "\"\($0.replacing("\"", with: "'"))\"" })
    }

    mutating func flag(_ name: String, _ isSet: Bool) {
        if isSet { plain(name, "YES") }
    }

    mutating func seconds(_ name: String, _ value: Duration?) {
        plain(name, value.map { SecondsText.shortest($0.wholeMicroseconds) })
    }

    mutating func seconds(_ name: String, _ value: Double?) {
        plain(name, value.map { SecondsText.shortest(SecondsText.microseconds($0)) })
    }

    mutating func byteRange(_ name: String, _ value: ByteRange?) { plain(name, value.map { "\"\($0.text)\"" }) }

    /// Sorted, so that equal descriptions give equal bytes.
    mutating func others(_ attributes: [String: AttributeValue]) {
        for (name, value) in attributes.sorted(by: { $0.key < $1.key }) {
            if case .quoted(let text) = value {
                quoted(name, text)
            } else {
                plain(name, value.text)
            }
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
        let digits = fraction % 1_000 == 0 ? padded(fraction / 1_000, 3) : padded(fraction, 6)
        return (microseconds < 0 ? "-" : "") + "\(magnitude / 1_000_000).\(digits)"
    }

    package static func shortest(_ microseconds: Int64) -> String {
        microseconds % 1_000_000 == 0 ? String(microseconds / 1_000_000) : decimal(microseconds)
    }

    /// Clamped; infinity and NaN count as 0.
    static func microseconds(_ seconds: Double) -> Int64 {
        guard seconds.isFinite else { return 0 }
        return Int64(max(-9.0e18, min(9.0e18, (seconds * 1_000_000).rounded())))
    }

    private static func padded(_ value: UInt64, _ width: Int) -> String { String(value).leftPadded(to: width) }
}
