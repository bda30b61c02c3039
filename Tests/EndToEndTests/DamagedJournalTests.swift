import Foundation
import Results
import TestSupport
import Testing

/// Journals that a disk or somebody else spoilt: each is recovered in part or refused in words, and none steers a terminal.
@Suite(.fewAtOnce) struct DamagedJournalTests {
    private static let count = 204

    /// The ways in which journals are spoilt; the names of the files begin with them.
    private static let damages = [
        "cut", "cut-head", "flipped", "swapped", "reordered", "checksum", "version", "schema", "texts", "garbage",
        "dropped",
        "numbers",
    ]

    private static func journal() async throws -> (Rehearsal, URL) {
        let faults = "- {fault: pod_mismatch, share: 50%}"
        let rehearsal = try Rehearsal(FastProfile.faulty.lasting("8s").yaml, faults: faults)
        _ = try await rehearsal.inVirtualTime(["--keep-journal", "--no-report", "--label", "release=1.4.2"])
        return (rehearsal, try #require(rehearsal.journals.first))
    }

    @Test func twoHundredSpoiltJournalsAreRecoveredOrRefusedInWords() async throws {
        let (rehearsal, journal) = try await Self.journal()
        let spoilt = try rehearsal.folder.makeFolder("spoilt")
        let arguments = [journal.path, spoilt, Self.damages.joined(separator: ","), "\(Self.count)"]
        _ = try await ExternalTool.script("spoil_journals", arguments)
        let results = rehearsal.folder.file("recovered").path
        var (recovered, refused) = (0, 0)
        for damage in Self.damages {
            let files = rehearsal.folder.files(in: "spoilt").filter {
                $0.lastPathComponent.prefix { !$0.isNumber } == "\(damage)-"
            }
            #expect(files.count == Self.count / Self.damages.count)
            let end = try await PodswarmExecutable.run(
                ["recover", "--results", results] + files.map(\.path),
                limit: .seconds(240)
            )
            #expect(
                !end.isSignal && [0, 2, 3].contains(end.status),
                "\(damage): \(end.status) \(end.errors.prefix(2_000))"
            )
            #expect(Self.steering(in: end.output + end.errors) == [], "\(damage)")
            for file in files {
                // What is whole is in its result and removed; of all else its name and what is wrong are said.
                let isGone = !FileManager.default.fileExists(atPath: file.path)
                let word = end.errors.split(separator: "\n").first { $0.contains(file.lastPathComponent) }
                #expect(isGone || (word?.count ?? 0) > file.path.count + 12, "\(file.lastPathComponent): \(end.errors)")
                recovered += isGone || word?.contains("stays where it is") == true ? 1 : 0
                refused += isGone || word?.contains("stays where it is") == true ? 0 : 1
            }
        }
        #expect(recovered > 60 && refused > 40, "\(recovered) recovered, \(refused) refused")
        // Whatever a journal calls its profile, its result stays in the folder that was named.
        #expect(rehearsal.folder.results(in: "recovered").count == recovered)
    }

    /// Scalars that steer a terminal, but for line feeds.
    private static func steering(in text: String) -> [String] {
        text.unicodeScalars.filter { scalar in
            scalar != "\n" && scalar.properties.generalCategory == .control
                || ["\u{2028}", "\u{2029}"].contains(scalar) || ("\u{202A}"..."\u{202E}").contains(scalar)
        }.map { "U+" + String($0.value, radix: 16) }
    }
}
