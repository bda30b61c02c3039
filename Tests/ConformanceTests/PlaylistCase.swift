import Foundation
import TestSupport
import Testing

/// One case of a file below `Cases`; `Cases/README.md` describes the files.
struct PlaylistCase: CustomTestStringConvertible, Sendable {
    let file: String
    let title: String
    /// The playlists that the case changes, by their lines.
    let base: [[String]]
    let options: [String]
    /// The changes, and what is found.
    let lines: [String]

    var testDescription: String { "\(file): \(title)" }

    static let folder = "Tests/ConformanceTests/Cases"

    /// The cases of all files, after the unchanged playlists of each.
    static let all: [PlaylistCase] = {
        let names = FileManager.default.enumerator(atPath: PackageFolder.file(folder).path)
        return (names?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".m3u8") }.sorted().flatMap(cases)
    }()

    private static func cases(of file: String) -> [PlaylistCase] {
        guard let text = try? PackageFolder.text("\(folder)/\(file)") else { return [] }
        let blocks = text.split(separator: "\n=== ").map {
            $0.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        }
        let base = blocks[0].filter { !$0.isEmpty && !$0.hasPrefix("## ") && !$0.hasPrefix("@") }
            .split(separator: "#--", omittingEmptySubsequences: false).map(Array.init)
        let options = blocks[0].filter { $0.hasPrefix("@") }
        let unchanged = base[0].isEmpty ? [] : [["the playlists as they are"]]
        return (unchanged + blocks.dropFirst()).map { block in
            PlaylistCase(file: file, title: block[0], base: base, options: options, lines: Array(block.dropFirst()))
        }
    }

    /// The variant with the lines of `=`; nil where a case has none.
    var sound: PlaylistVariant? {
        get throws { lines.contains { $0.hasPrefix("=") } ? try PlaylistVariant(of: self, adding: "=") : nil }
    }

    /// The variant with the lines of `+`.
    var changed: PlaylistVariant { get throws { try PlaylistVariant(of: self, adding: "+") } }

    /// The row of the page of rules, where the title begins with a section of the specification.
    var row: (section: String, text: String)? {
        guard title.first?.isNumber == true, let space = title.firstIndex(of: " ") else { return nil }
        func shown(_ mark: Character) -> String? {
            let marked = lines.filter { $0.first == mark }.map { String($0.dropFirst()) }.joined(separator: " ⏎ ")
            return marked.isEmpty ? nil : "`\(marked.replacing("|", with: "\\|"))`"
        }
        let code = lines.first { $0.hasPrefix("^ ") || $0.hasPrefix("! ") }?.split(separator: " ").dropFirst().first
        let cells = [
            String(title[..<space]), String(title[space...].dropFirst()), shown("=") ?? shown("-") ?? "nothing",
            shown("+") ?? "nothing", "`\(code?.prefix { $0 != ":" } ?? "nothing")`",
        ]
        return (cells[0], "| \(cells.joined(separator: " | ")) |\n")
    }
}
