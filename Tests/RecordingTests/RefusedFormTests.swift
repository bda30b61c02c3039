import ExampleRuns
import Foundation
import Results
import TestSupport
import Testing

/// JSON of a journal that somebody damaged.
@Suite struct RefusedFormTests {
    private static var types: [any Decodable.Type] {
        [
            BurstWindow.self, DiscoveryWindow.self, LeftOutLedger.self, PersonaTallies.self, RunSums.self,
            ServerWarnings.self, SessionSample.self, SlowestAnswers.self, StraySightings.self, ViewerSet.self,
        ]
    }

    /// Each line of a file is refused as the type that the file is named after.
    @Test(arguments: types.indices) func whatMeansNothingIsRefused(index: Int) throws {
        let type = Self.types[index]
        let lines = try PackageFolder.text("Tests/RecordingTests/Refused/\(type).jsonl").split(separator: "\n")
        #expect(!lines.isEmpty)
        for line in lines {
            #expect(throws: DecodingError.self, "\(type) \(line.prefix(200))") { try decode(type, from: String(line)) }
        }
    }
}
