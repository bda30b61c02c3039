import Foundation
package import Testing

/// One case of a test, in a file of the checkout: a text, and below it in a comment the lines that are expected of it.
///
///     sead: 3
///     # expected:
///     # 1:1: sead: unknown field; did you mean seed?
package struct CaseFile: Sendable, CustomTestStringConvertible {
    private static let mark = "# expected:"

    /// Path from the top of the checkout.
    private let path: String
    /// Path below the folder of cases, without the ending.
    package let testDescription: String
    /// Everything above the mark.
    package let text: String
    /// Every line below the mark, without its `# `.
    package let expected: [String]

    package struct Unusable: Error {
        package let path: String
        package let problem: String
    }

    /// Reads every case below a folder, whose path is from the top of the checkout.
    ///
    /// - Throws: `Unusable` for a file without the mark and for a folder without files.
    package static func all(in folder: String) throws -> [CaseFile] {
        let found = FileManager.default.enumerator(atPath: PackageFolder.file(folder).path)
        let names = (found?.compactMap { $0 as? String } ?? []).filter { $0.contains(".") }.sorted()
        guard !names.isEmpty else { throw Unusable(path: folder, problem: "has no cases") }
        return try names.map { try CaseFile($0, in: folder) }
    }

    private init(_ name: String, in folder: String) throws {
        path = "\(folder)/\(name)"
        testDescription = String(name[..<(name.lastIndex(of: ".") ?? name.endIndex)])
        let lines = try PackageFolder.text(path).split(separator: "\n", omittingEmptySubsequences: false)
        guard let mark = lines.lastIndex(where: { $0 == Self.mark }) else {
            throw Unusable(path: path, problem: "has no line '\(Self.mark)'")
        }
        text = lines[..<mark].map { "\($0)\n" }.joined()
        expected = lines[(mark + 1)...].filter { !$0.isEmpty }.map { String($0.trimmingPrefix("# ")) }
    }

    /// Expects exactly the lines of the file; `PODSWARM_RECORD_GOLDENS=1` writes them anew.
    package func expect(_ lines: [String], sourceLocation: SourceLocation = #_sourceLocation) throws {
        if ProcessInfo.processInfo.environment["PODSWARM_RECORD_GOLDENS"] == "1" {
            let comment = ([Self.mark] + lines.map { "# \($0)" }).map { "\($0)\n" }.joined()
            try Data((text + comment).utf8).write(to: PackageFolder.file(path))
        } else {
            #expect(lines == expected, "\(path)", sourceLocation: sourceLocation)
        }
    }
}
