import Foundation
import Profile
import TestSupport
import Testing

@testable import Origin

/// Mistakes of fault plans and channel plans are told all at once, each with its line.
///
/// Each file of `PlansWithMistakes` is a plan. A comment says what is wrong in its line; several are told apart by `;`.
@Suite struct PlanMistakeTests {
    private static let names: [String] = {
        let folder = PackageFolder.file("Tests/OriginTests/PlansWithMistakes")
        let files = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return (files ?? []).map { $0.lastPathComponent }.sorted()
    }()

    @Test(arguments: Self.names) func eachMistakeIsNamedWithItsLine(name: String) throws {
        let text = try PackageFolder.text("Tests/OriginTests/PlansWithMistakes/\(name)")
        let error = try #require(throws: ProfileErrors.self) {
            if name.hasPrefix("faults") {
                _ = try FaultPlan.read(text, seed: 1)
            } else {
                _ = try ChannelPlan.read(text)
            }
        }
        var rest = error.problems.map { (line: $0.line ?? 1, message: $0.said()) }
        #expect(rest.map(\.line) == rest.map(\.line).sorted())
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            guard let comment = line.firstMatch(of: /(?:^|  )# (.*)/), index > 0 || !line.hasPrefix("#") else {
                continue
            }
            for expected in comment.output.1.split(separator: "; ") {
                let place = rest.firstIndex { $0.line == index + 1 && $0.message.contains(expected) }
                #expect(place != nil, "line \(index + 1): \(expected), but: \(error)")
                if let place { rest.remove(at: place) }
            }
        }
        #expect(rest.isEmpty, "told without a comment: \(rest)")
    }
}
