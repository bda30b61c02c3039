import Foundation
import TestSupport
import Testing

@testable import HLS

/// A playlist that a specification or Apple prints as an example; `Playlists/examples/README.md` says where.
struct SpecificationExample: CustomTestStringConvertible, Sendable {
    let name: String
    let text: String

    var testDescription: String { name }

    static let media = read("media")
    static let multivariant = read("multivariant")

    private static func read(_ kind: String) -> [SpecificationExample] {
        let folder = PackageFolder.file("Tests/HLSTests/Playlists/examples/\(kind)")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.sorted().compactMap { name in
            let text = try? String(contentsOf: folder.appending(path: name), encoding: .utf8)
            return text.map { SpecificationExample(name: String(name.dropLast(".m3u8".count)), text: $0) }
        }
    }

    static func playlist(_ name: String) throws -> MediaPlaylist {
        try Samples.mediaPlaylist(try #require(media.first { $0.name == name }).text)
    }

    /// The findings above advice that the file itself says are right.
    var findings: Set<String> {
        let line = text.split(separator: "\n").first { $0.hasPrefix("# finds ") }
        return Set(line?.split(separator: " ").dropFirst(2).map(String.init) ?? [])
    }
}
