import Foundation
import Report
import TestSupport

/// What a program that knows nothing of podswarm makes of a JUnit document.
struct JUnitReading: Codable {
    struct Suite: Codable {
        var name: String
        var tests: Int
        var failures: Int
        var errors: Int
        var skipped: Int
        var messages: [String]
        var properties: [String: String]
    }

    /// What is against the schema, and counts that are not those of the cases.
    var problems: [String]
    var suites: [Suite]

    var failures: Int { suites.reduce(0) { $0 + $1.failures } }
    var errors: Int { suites.reduce(0) { $0 + $1.errors } }

    subscript(name: String) -> Suite? { suites.first { $0.name == name } }

    init(_ report: JUnitReport) throws {
        let schema = try Data(contentsOf: PackageFolder.file("Tests/ReportTests/Readers/junit.xsd"))
        let output = try ForeignReader.output("junit", schema, Data(report.xml().utf8))
        self = try JSONDecoder().decode(JUnitReading.self, from: output)
    }
}

/// Programs that know nothing of podswarm, and read what it writes.
enum ForeignReader {
    static func output(_ name: String, _ files: Data...) throws -> Data {
        let script = try PackageFolder.text("Tests/ReportTests/Readers/\(name).py")
        return try InstalledProgram.python().output(["-c", script], files: files)
    }
}
