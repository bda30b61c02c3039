import AdServing
import HLS
import Rules
import TestSupport
import Testing

/// Playlists of `Field`, each reduced from a public report of someone who runs a live channel.
///
/// A line of `expected.tsv` has a file, an asset list, or a variant and another one beside it, the code of a finding or a hyphen, and a part of
/// its words. Nothing of another code is above advice.
@Suite struct FieldFileTests {
    private static let folder = "Tests/ConformanceTests/Field"

    private static let rows =
        (try? PackageFolder.text("\(folder)/expected.tsv").split(separator: "\n").map(String.init)) ?? []

    @Test func thereAreFiles() { #expect(Self.rows.count == 21) }

    @Test(arguments: rows) func exactlyWhatTheLineSaysIsFound(_ row: String) throws {
        let columns = row.split(separator: "\t").map(String.init)
        let texts = try columns[0].split(separator: " ").map { try PackageFolder.text("\(Self.folder)/\($0)") }
        let violations =
            try texts.count == 1 ? Self.violations(in: texts[0]) : Self.violations(of: texts[1], beside: texts[0])
        let heavy = Set(violations.filter { $0.code.severity > .advice }.map(\.code.code))
        #expect(heavy.subtracting([columns[1]]).isEmpty, "\(violations)")
        guard columns.count > 2 else { return #expect(heavy.isEmpty) }
        let wanted = violations.filter { $0.code.code == columns[1] }
        #expect(
            wanted.contains { [$0.expected, $0.observed, $0.likely ?? ""].contains { $0.contains(columns[2]) } },
            "\(violations)"
        )
    }

    private static func violations(in text: String) -> [Violation] {
        let bytes = Array(text.utf8)
        if text.hasPrefix("#") { return bytes.withUnsafeBytes { PlaylistChecks.violations(in: $0) } }
        do { return AssetListChecks.violations(of: try AssetList(parsing: bytes), longest: nil) } catch {
            return bytes.withUnsafeBytes { [AssetListChecks.violation(of: error, in: $0)] }
        }
    }

    private static func violations(of text: String, beside other: String) throws -> [Violation] {
        guard case .media(let playlist) = try Playlist(parsing: text),
            case .media(let reference) = try Playlist(parsing: other)
        else { throw CancellationError() }
        return RenditionChecks.violations(of: playlist, as: .variant, beside: reference)
    }
}
