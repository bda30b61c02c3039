import Foundation
import FoundationNetworking
import LibraryServing
import LiveView
import RunLibrary
import TestSupport
import Testing

/// The runs of a folder, as browsers and strangers meet them.
@Suite struct LibraryServerTests {
    private struct Answer {
        var status: Int
        var fields: [String: String]
        var body: String
    }

    /// A folder with two results, served at a free port, closed whatever happens.
    ///
    /// - Parameters:
    ///   - place: Where in the folder that the body is given the results lie; empty or with a slash at its end.
    ///   - body: Is told the folder and the URL.
    /// - Throws: What the body throws.
    private func serving(
        _ place: String = "",
        _ body: (TemporaryFolder, String) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            at: folder.file("\(place)quick"),
            withIntermediateDirectories: true
        )
        let golden = try Data(contentsOf: GoldenFile.result)
        try folder.write(golden, to: "\(place)quick/a.json")
        try folder.write(
            Data(String(decoding: golden, as: UTF8.self).replacing("1.4.2", with: "1.4.3").utf8),
            to: "\(place)quick/b b#1.json"
        )
        let results = "\(folder.path)/\(place)"
        let desk = LibraryDesk(folder: results, label: "release", shelf: RunShelf(folder: results, cache: nil))
        let server = try await LibraryServer(desk, at: try LiveAddress(parsing: "127.0.0.1:0"))
        do {
            try await body(folder, server.url)
            await server.stop()
        } catch {
            await server.stop()
            throw error
        }
    }

    private func get(_ url: String) async throws -> Answer {
        let (data, response) = try await URLSession.shared.data(from: try #require(URL(string: url)))
        let http = try #require(response as? HTTPURLResponse)
        let fields = http.allHeaderFields.reduce(into: [String: String]()) { fields, field in
            if let name = field.key as? String { fields[name] = field.value as? String }
        }
        return Answer(status: http.statusCode, fields: fields, body: String(decoding: data, as: UTF8.self))
    }

    /// What curl makes of a request, with the path exactly as it stands here.
    private func curl(_ url: String, _ options: [String] = []) async throws -> Int {
        let asked = ["-s", "-o", "/dev/null", "-w", "%{http_code}", "--path-as-is", "-m", "60"] + options + [url]
        return try #require(Int(try await ProgramOutput.whileOthersRun("/usr/bin/curl", asked).text))
    }

    @Test func allRunsAreOnOnePage() async throws {
        try await serving { _, url in
            let page = try await get(url)
            #expect(page.status == 200)
            #expect(page.body.contains("quick/b%20b%231.html"))
            #expect(page.fields["Content-Security-Policy"]?.hasPrefix("default-src 'none'; ") == true)
            #expect(page.fields["X-Content-Type-Options"] == "nosniff")
            #expect(page.fields["Cache-Control"] == "no-store")
        }
    }

    @Test func resultsThatComeLaterAreSeen() async throws {
        try await serving { folder, url in
            #expect(try await get(url).body.contains("<title>Results: 2 runs</title>"))
            try folder.write(Data(contentsOf: GoldenFile.capacity), to: "quick/capacity.json")
            try folder.write("{}", to: "quick/other.json")
            let page = try await get(url).body
            #expect(page.contains("<title>Results: 3 runs</title>"))
            #expect(page.contains("<code>quick/other.json</code>"))
            let list = try await get(url + "results.json")
            #expect(list.fields["Content-Type"] == "application/json")
            #expect(list.body.contains("quick/capacity.json"))
        }
    }

    @Test func aRunsPageIsMadeUnlessItLiesBesideIt() async throws {
        try await serving { folder, url in
            let made = try await get(url + "quick/b%20b%231.html")
            #expect(made.status == 200)
            #expect(made.body.contains("1.4.3"))
            try folder.write("<!doctype html><title>kept</title>", to: "quick/a.html")
            #expect(try await get(url + "quick/a.html").body == "<!doctype html><title>kept</title>")
            try folder.write(Data(contentsOf: GoldenFile.capacity), to: "quick/capacity.json")
            #expect(try await get(url + "quick/capacity.html").body.contains("2,140"))
        }
    }

    /// An é and an e with an accent behind it name two files.
    @Test func aPageIsThatOfTheFileThatWasNamed() async throws {
        try await serving { folder, url in
            let golden = try String(contentsOf: GoldenFile.result, encoding: .utf8)
            for (name, release) in [("\u{E9}", "1.5"), ("e\u{301}", "1.6")] {
                try folder.write(golden.replacing("1.4.2", with: release), to: "quick/\(name).json")
            }
            #expect(try await get(url + "quick/%C3%A9.html").body.contains("<dd>1.5</dd>"))
            #expect(try await get(url + "quick/e%CC%81.html").body.contains("<dd>1.6</dd>"))
            let both = try await get(url + "compare?base=quick%2F%C3%A9.json&candidate=quick%2Fe%CC%81.json").body
            #expect(both.contains("release=1.5") && both.contains("release=1.6"))
        }
    }

    @Test func twoRunsAreComparedWhenAsked() async throws {
        try await serving { folder, url in
            let page = try await get(url + "compare?base=quick%2Fa.json&candidate=quick%2Fb%20b%231.json")
            #expect(page.status == 200)
            #expect(page.body.contains("release=1.4.3"))
            #expect(try await get(url + "compare?base=quick%2Fa.json").status == 404)
            #expect(try await get(url + "compare?base=quick%2Fa.json&candidate=..%2Fx.json").status == 404)
            try folder.write(Data(contentsOf: GoldenFile.capacity), to: "quick/capacity.json")
            let mixed = try await get(url + "compare?base=quick%2Fa.json&candidate=quick%2Fcapacity.json")
            #expect(mixed.status == 422)
            #expect(mixed.body.contains("podswarm compare --capacity"))
        }
    }

    @Test func aResultThatIsDamagedBelowIsSaid() async throws {
        try await serving { folder, url in
            let golden = try String(contentsOf: GoldenFile.result, encoding: .utf8)
            try folder.write(golden.replacing("\"seed\"", with: "\"sead\""), to: "quick/damaged.json")
            let page = try await get(url + "quick/damaged.html")
            #expect(page.status == 422)
            #expect(page.body.contains("quick/damaged.json cannot be shown"))
        }
    }

    @Test(arguments: [
        "../secret.html", "..%2fsecret.html", "%2e%2e/secret.html", "quick/../../secret.html", "quick/a.json",
        "quick/link.html", "quick/secret.html", "%00", "%ff%fe", "quick/a.html%00.json", "//etc/passwd", "quick",
        "index.html",
    ])
    func nothingElseIsServed(path: String) async throws {
        try await serving("results/") { folder, url in
            let secret = try folder.write("secret", to: "secret.html")
            try folder.write("secret", to: "results/quick/secret.html")
            try FileManager.default.createSymbolicLink(
                atPath: folder.path + "/results/quick/link.html",
                withDestinationPath: secret
            )
            let found = try await curl(url + path)
            #expect(found == 404)
        }
    }

    @Test func aLinkInPlaceOfAPageIsNotFollowed() async throws {
        try await serving { folder, url in
            let elsewhere = try TemporaryFolder()
            let secret = try elsewhere.write("secret", to: "secret")
            try FileManager.default.createSymbolicLink(
                atPath: folder.path + "/quick/a.html",
                withDestinationPath: secret
            )
            let page = try await get(url + "quick/a.html")
            #expect(page.status == 200)
            #expect(page.body.contains("<!doctype html>"))
            withExtendedLifetime(elsewhere) {}
        }
    }

    @Test(arguments: [
        (["-X", "POST"], 405), (["-X", "DELETE"], 405), (["-X", "PUT"], 405), (["-I"], 200),
        (["-H", "Host: evil.example"], 421), (["-H", "Host: localhost:1"], 200), (["-d", "x"], 413),
        (["-H", "Transfer-Encoding: chunked", "-d", "x"], 413),
    ])
    func strangersAreRefused(options: [String], status: Int) async throws {
        try await serving { _, url in
            let found = try await curl(url, options)
            #expect(found == status)
        }
    }

    @Test func aPortInUseIsSaid() async throws {
        try await serving { folder, url in
            let desk = LibraryDesk(
                folder: folder.path,
                label: "release",
                shelf: RunShelf(folder: folder.path, cache: nil)
            )
            let taken = try LiveAddress(parsing: String(url.dropFirst("http://".count).dropLast()))
            let refusal = await #expect(throws: PageListener.CannotListen.self) {
                try await LibraryServer(desk, at: taken)
            }
            #expect(refusal?.description.contains("Address already in use") == true)
        }
    }
}
