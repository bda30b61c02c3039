import Foundation
import TestSupport
import Testing

/// Inputs that the fuzzer once found: none may break an invariant again.
@Suite struct PlaylistCorpusTests {
    private static let folder = PackageFolder.file("Tests/Fuzzing/Corpus/playlist")

    static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()

    @Test(arguments: names) func whatTheFuzzerFoundHoldsNow(_ name: String) throws {
        let input = try Data(contentsOf: Self.folder.appending(path: name))
        try input.withUnsafeBytes { try PlaylistInvariants.check($0) }
    }

    @Test func theCorpusIsThere() { #expect(!Self.names.isEmpty) }

    @Test func anInputThatIsNoPlaylistIsNoBreach() throws {
        for input in ["", "#EXTM3U", "\n#--\n\n#--\n", "#EXTM3U\n#EXT-X-ENDLIST\n#--\n#EXTM3U\n"] {
            try Array(input.utf8).withUnsafeBytes { try PlaylistInvariants.check($0) }
        }
    }
}
