import Foundation
import TestSupport
import Testing

/// The pages of the documentation as the site that `.ci/docs` makes of them.
///
/// Over sockets, because a browser opens the pages.
@Suite(.fewAtOnce) struct DocumentationSiteTests {
    private static let catalogue = PackageFolder.file("Sources/podswarm/Documentation.docc")

    /// Made once.
    private static let site = Task {
        let folder = try TemporaryFolder()
        let end = try await ExternalTool.bash.run([PackageFolder.file(".ci/docs").path, folder.file("site").path])
        guard end.status == 0, !end.errors.contains("warning") else { throw ChildProcess.Failure(end: end) }
        return folder
    }

    private static func serving(_ folder: URL, _ body: (String) async throws -> Void) async throws {
        let server = try ChildProcess(
            try ExternalTool.python.path(),
            ["-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", folder.path]
        )
        try await server.stopped {
            try await server.wait(for: "an address") { $0.output.contains("http://") }
            try await body(String(try #require(server.output.firstMatch(of: /http:\/\/127\.0\.0\.1:[0-9]+/)).output))
        }
    }

    /// The title of a page, as its text begins.
    private static func title(of page: String) throws -> String {
        let text = try String(contentsOf: catalogue.appending(path: "\(page).md"), encoding: .utf8)
        return text.prefix { $0 != "\n" }.filter { !"#`".contains($0) }.trimmingCharacters(in: .whitespaces)
    }

    @Test func aBrowserShowsThePagesWithTheirPicturesAndLinks() async throws {
        let folder = try await Self.site.value
        // Of every link and picture of a page that its own server does not have.
        let dead = """
            Promise.all([...document.querySelectorAll('main a[href], main img')].map(e => e.href || e.src)
                .filter(url => new URL(url).origin === location.origin)
                .map(url => fetch(url).then(answer => answer.ok ? '' : url)))
                .then(all => all.filter(url => url).join(' '))
            """
        try await Self.serving(folder.file("site")) { base in
            for page in ["Podswarm", "Breaks", "Results"] {
                let path = page == "Podswarm" ? "" : "/\(page.lowercased())"
                let url = try URL.parsed("\(base)/documentation/podswarm\(path)/")
                let title = try Self.title(of: page)
                let seen = try await Browser.inspect(
                    url,
                    ["--wait-for", "main h1", "--expect", title, "--fits", "--evaluate", dead]
                )
                #expect(seen.complaints == [], "\(page)")
                #expect(seen.value == "", "\(page)")
            }
            let front = try await Browser.inspect(
                try URL.parsed("\(base)/"),
                ["--wait-for", "main h1", "--expect", "Rehearse a live ad break"]
            )
            #expect(front.complaints == [])
            let picture = try await Browser.inspect(
                try URL.parsed("\(base)/documentation/podswarm/breaks/"),
                [
                    "--wait-for", "main img", "--evaluate",
                    "Promise.all([...document.querySelectorAll('main img')].filter(e => e.decode && e.alt).map(e => "
                        + "(e.loading = 'eager', e.decode().then(() => e.naturalWidth > 0))))"
                        + ".then(all => String(all.length > 0 && all.every(Boolean)))",
                ]
            )
            #expect(picture.complaints == [])
            #expect(picture.value == "true")
        }
    }

    /// What a page refers to, as far as docc tells one page from another.
    private struct Page: Decodable {
        struct Reference: Decodable {
            struct Variant: Decodable { var url: String }

            var type: String
            var url: String?
            var variants: [Variant]?
        }

        var references: [String: Reference]
    }

    @Test func everyPageIsReachedFromTheFrontPageAndEveryReferenceIsThere() async throws {
        let folder = try await Self.site.value
        let site = folder.file("site")
        let data = folder.files(in: "site/data/documentation").filter { $0.pathExtension == "json" }
        let sources = try FileManager.default.contentsOfDirectory(atPath: Self.catalogue.path)
            .filter { $0.hasSuffix(".md") }.map { $0.dropLast(3).lowercased() }
        #expect(data.count == sources.count)
        for file in data {
            let page = try JSONDecoder().decode(Page.self, from: Data(contentsOf: file))
            for (name, reference) in page.references {
                let files =
                    switch reference.type {
                    case "topic": [reference.url.map { "data\($0).json" }]
                    default: reference.variants?.map { $0.url } ?? []
                    }
                for path in files.compactMap(\.self) {
                    let target = site.appending(path: path).path
                    #expect(FileManager.default.fileExists(atPath: target), "\(file.lastPathComponent): \(name)")
                }
            }
        }
        let front = try #require(data.first { $0.lastPathComponent == "podswarm.json" })
        let reached = try JSONDecoder().decode(Page.self, from: Data(contentsOf: front)).references.values
            .compactMap { $0.url?.split(separator: "/").last.map(String.init) }
        #expect(Set(sources).subtracting(reached) == [])
    }
}
