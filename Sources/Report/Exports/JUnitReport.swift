import Results
import Rules

/// Test suites in the dialect that both Jenkins and Ant's JUnitReport accept.
///
/// Sources: Jenkins' xUnit plugin, `junit-10.xsd`, and the Ant schema of windyroad/JUnit-Schema, `JUnit.xsd`. To satisfy both,
/// `testsuites` has no attributes, a timestamp no zone, a case one `failure`, `error` or `skipped`, and each suite `system-out`
/// and `system-err`.
package struct JUnitReport: Sendable {
    enum Outcome: Equatable, Sendable {
        case passed
        /// The target's fault.
        case failure(type: String, message: String, text: String = "")
        /// No verdict on the target.
        case error(type: String, message: String, text: String = "")
        /// Not judged, or informational.
        case skipped(message: String)
    }

    struct Case: Equatable, Sendable {
        let name: String
        let outcome: Outcome
        let seconds: Double

        init(_ name: String, _ outcome: Outcome, seconds: Double = 0) {
            (self.name, self.outcome, self.seconds) = (name, outcome, seconds)
        }
    }

    struct Suite: Equatable, Sendable {
        let name: String
        let cases: [Case]
        let output: [String]

        init(_ name: String, _ cases: [Case], output: [String] = []) {
            (self.name, self.cases, self.output) = (name, cases, output)
        }

        var failures: Int { cases.count { if case .failure = $0.outcome { true } else { false } } }
        var errors: Int { cases.count { if case .error = $0.outcome { true } else { false } } }
        var skipped: Int { cases.count { if case .skipped = $0.outcome { true } else { false } } }
    }

    /// Prefix of every suite's and class's name.
    var package: String
    /// UTC without a zone, to the second, as Ant's schema requires.
    var timestamp: String
    var properties: [(name: String, value: String)]
    var suites: [Suite]

    init(package: String, startedAtMicroseconds: Int64, properties: [(name: String, value: String)], suites: [Suite]) {
        self.package = package
        timestamp = String(UTCText.iso8601(microseconds: startedAtMicroseconds).prefix(19))
        self.properties = properties
        self.suites = suites
    }

    package func xml() -> String {
        let lines = ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<testsuites>"]
        return (lines + suites.enumerated().flatMap { xml(of: $0.element, number: $0.offset) } + ["</testsuites>", ""])
            .joined(separator: "\n")
    }

    private func xml(of suite: Suite, number: Int) -> [String] {
        let attributes: [(String, String)] = [
            ("name", suite.name), ("package", package), ("id", "\(number)"), ("timestamp", timestamp),
            // Ant's schema: "'localhost' should be used if the hostname cannot be determined".
            ("hostname", "localhost"), ("tests", "\(suite.cases.count)"), ("failures", "\(suite.failures)"),
            ("errors", "\(suite.errors)"), ("skipped", "\(suite.skipped)"),
            ("time", Self.time(suite.cases.reduce(0) { $0 + $1.seconds })),
        ]
        return ["  " + Self.tag("testsuite", attributes)] + propertyLines()
            + suite.cases.flatMap { xml(of: $0, in: suite) }
            + ["    <system-out>\(XMLText.content(suite.output.joined(separator: "\n")))</system-out>"]
            + ["    <system-err></system-err>", "  </testsuite>"]
    }

    private func propertyLines() -> [String] {
        let lines = properties.map { property in
            "      " + Self.tag("property", [("name", property.name), ("value", property.value)], closed: true)
        }
        return ["    <properties>"] + lines + ["    </properties>"]
    }

    private func xml(of item: Case, in suite: Suite) -> [String] {
        let attributes = [
            ("name", item.name), ("classname", "\(package).\(suite.name)"), ("time", Self.time(item.seconds)),
        ]
        let outcome: String
        switch item.outcome {
        case .passed: return ["    " + Self.tag("testcase", attributes, closed: true)]
        case .failure(let type, let message, let text):
            outcome = Self.element("failure", [("type", type), ("message", message)], text)
        case .error(let type, let message, let text):
            outcome = Self.element("error", [("type", type), ("message", message)], text)
        case .skipped(let message):
            outcome = Self.tag("skipped", [("message", message)], closed: true)
        }
        return ["    " + Self.tag("testcase", attributes), "      " + outcome, "    </testcase>"]
    }

    private static func element(_ name: String, _ attributes: [(String, String)], _ text: String) -> String {
        text.isEmpty
            ? tag(name, attributes, closed: true) : tag(name, attributes) + XMLText.content(text) + "</\(name)>"
    }

    private static func tag(_ name: String, _ attributes: [(String, String)], closed: Bool = false) -> String {
        let text = attributes.map { " \($0.0)=\"\(XMLText.attribute($0.1))\"" }.joined()
        return "<\(name)\(text)\(closed ? "/>" : ">")"
    }

    private static func time(_ seconds: Double) -> String {
        seconds.isFinite ? MetricText.rounded(max(0, seconds), places: 3) : "0.000"
    }
}

enum XMLText {
    /// Replaces characters that XML 1.0 section 2.2 forbids, and terminal control characters.
    static func content(_ text: String) -> String { escaped(text, inAttribute: false) }

    /// Line ends and tabs survive the parser's normalisation.
    static func attribute(_ text: String) -> String { escaped(text, inAttribute: true) }

    private static func escaped(_ text: String, inAttribute: Bool) -> String {
        var escaped = ""
        escaped.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            // "]]>" must not be in content (section 2.4).
            case ">": escaped += "&gt;"
            case "\"" where inAttribute: escaped += "&quot;"
            case "\r": escaped += "&#13;"
            case "\n" where inAttribute: escaped += "&#10;"
            case "\t" where inAttribute: escaped += "&#9;"
            default: escaped.unicodeScalars.append(isAllowed(scalar) ? scalar : "\u{FFFD}")
            }
        }
        return escaped
    }

    /// XML 1.0 section 2.2, "Char"; CI logs print such files.
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x7f...0x9f, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069: false
        case 0x9, 0xa, 0xd, 0x20...0xd7ff, 0xe000...0xfffd, 0x1_0000...0x10_ffff: true
        default: false
        }
    }
}
