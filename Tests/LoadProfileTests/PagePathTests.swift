import Foundation
import TestSupport
import Testing

/// What the documentation says of files is true: a file that moves takes its name on the pages along.
@Suite struct PagePathTests {
    @Test func everyPathOnAPageExists() throws {
        for page in try PagePaths.pages() {
            let missing = try PagePaths(PackageFolder.text(page)).paths.filter { !PagePaths.exists($0) }
            #expect(missing == [], "\(page)")
        }
    }

    /// What is not there is found: the check itself can fail.
    @Test func aPathThatIsNotThereIsFound() throws {
        let text = """
            Code: `Sources/HLS`, `Sources/NoSuchTarget/File.swift`, `HLS/NoSuchFile.swift`, `Tests/TestSupport`,
            `Profiles/quick.yaml`, `podswarm run Profiles/none.yaml`, `HLSTests/NoSuchTests/isNoPath`, `1/2`.
            """
        let paths = try PagePaths(text).paths
        #expect(paths.count == 5)
        let missing = paths.filter { !PagePaths.exists($0) }
        #expect(missing == ["Sources/NoSuchTarget/File.swift", "Sources/HLS/NoSuchFile.swift"])
    }
}

private struct PagePaths {
    let paths: [String]

    /// Paths that begin with a target's name lie below `Sources`.
    init(_ text: String) throws {
        let targets = try Set(Self.names(in: "Sources"))
        paths = text.matches(of: /`([A-Za-z]+)\/([^`\n]*)`/).compactMap { found in
            let (top, rest) = (String(found.1), String(found.2))
            if targets.contains(top) { return "Sources/\(top)/\(rest)" }
            return ["Sources", "Tests", "Profiles"].contains(top) ? "\(top)/\(rest)" : nil
        }
    }

    static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: PackageFolder.file(path).path) }

    /// The catalogue's articles and the files beside the sources.
    static func pages() throws -> [String] {
        let catalogue = "Sources/podswarm/Documentation.docc"
        let articles = try names(in: catalogue).filter { $0.hasSuffix(".md") }.map { "\(catalogue)/\($0)" }
        return articles.sorted() + ["README.md", "results/README.md", "Profiles/nightly/README.md"]
    }

    private static func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: PackageFolder.file(folder).path)
    }
}
