import Comparison
import Foundation
import Rehearsal
import TestSupport
import Testing
import Transport
import Values

/// The runs of a folder, as browsers and strangers meet them.
///
/// Over sockets, because browsers and strangers have no other way in.
@Suite struct LibraryServerTests {
    /// A folder with two results, served at a free port, closed whatever happens.
    ///
    /// `place` is where in the folder the results lie; empty or with a slash at its end.
    private func serving(
        _ place: String = "",
        _ body: (TemporaryFolder, PageClient) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let golden = try Data(contentsOf: GoldenFile.result)
        try folder.write(golden, to: "\(place)quick/a.json")
        try folder.write(
            Data(String(decoding: golden, as: UTF8.self).replacing("1.4.2", with: "1.4.3").utf8),
            to: "\(place)quick/b b#1.json"
        )
        let results = "\(folder.path)/\(place)"
        let documents = LibraryDocuments(
            folder: results,
            label: "release",
            shelf: RunShelf(folder: results)
        )
        let server = try await documents.serve(at: ListeningAddress(host: "127.0.0.1", port: 0))
        do {
            try await body(folder, PageClient(base: server.url))
            await server.stop()
        } catch {
            await server.stop()
            throw error
        }
    }

    @Test func allRunsAreOnOnePage() async throws {
        try await serving { _, client in
            let page = try await client.get("")
            #expect(page.status == 200)
            #expect(page.body.contains("quick/b%20b%231.html"))
            #expect(page.fields["Content-Security-Policy"]?.hasPrefix("default-src 'none'; ") == true)
            #expect(page.fields["X-Content-Type-Options"] == "nosniff")
            #expect(page.fields["Cache-Control"] == "no-store")
        }
    }

    @Test func resultsThatComeLaterAreSeen() async throws {
        try await serving { folder, client in
            #expect(try await client.get("").body.contains("<title>Results: 2 runs</title>"))
            try folder.write(Data(contentsOf: GoldenFile.capacity), to: "quick/capacity.json")
            try folder.write("{}", to: "quick/other.json")
            let page = try await client.get("").body
            #expect(page.contains("<title>Results: 3 runs</title>"))
            #expect(page.contains("<code>quick/other.json</code>"))
            let list = try await client.get("results.json")
            #expect(list.fields["Content-Type"] == "application/json")
            #expect(list.body.contains("quick/capacity.json"))
        }
    }

    @Test func aRunsPageIsMadeUnlessItLiesBesideIt() async throws {
        try await serving { folder, client in
            let made = try await client.get("quick/b%20b%231.html")
            #expect(made.status == 200)
            #expect(made.body.contains("1.4.3"))
            try folder.write("<!doctype html><title>kept</title>", to: "quick/a.html")
            #expect(try await client.get("quick/a.html").body == "<!doctype html><title>kept</title>")
            try folder.write(Data(contentsOf: GoldenFile.capacity), to: "quick/capacity.json")
            #expect(try await client.get("quick/capacity.html").body.contains("2,140"))
        }
    }

    /// An é and an e with an accent behind it name two files.
    @Test func aPageIsThatOfTheFileThatWasNamed() async throws {
        try await serving { folder, client in
            let golden = try String(contentsOf: GoldenFile.result, encoding: .utf8)
            for (name, release) in [("\u{E9}", "1.5"), ("e\u{301}", "1.6")] {
                try folder.write(golden.replacing("1.4.2", with: release), to: "quick/\(name).json")
            }
            #expect(try await client.get("quick/%C3%A9.html").body.contains("<dd>1.5</dd>"))
            #expect(try await client.get("quick/e%CC%81.html").body.contains("<dd>1.6</dd>"))
            let both = try await client.get("compare?base=quick%2F%C3%A9.json&candidate=quick%2Fe%CC%81.json").body
            #expect(both.contains("release=1.5") && both.contains("release=1.6"))
        }
    }

    @Test func twoRunsAreComparedWhenAsked() async throws {
        try await serving { folder, client in
            let page = try await client.get("compare?base=quick%2Fa.json&candidate=quick%2Fb%20b%231.json")
            #expect(page.status == 200)
            #expect(page.body.contains("release=1.4.3"))
            #expect(try await client.get("compare?base=quick%2Fa.json").status == 404)
            #expect(try await client.get("compare?base=quick%2Fa.json&candidate=..%2Fx.json").status == 404)
            try folder.write(Data(contentsOf: GoldenFile.capacity), to: "quick/capacity.json")
            let mixed = try await client.get("compare?base=quick%2Fa.json&candidate=quick%2Fcapacity.json")
            #expect(mixed.status == 422)
            #expect(mixed.body.contains("podswarm compare --capacity"))
        }
    }

    @Test func aResultThatIsDamagedBelowIsSaid() async throws {
        try await serving { folder, client in
            let golden = try String(contentsOf: GoldenFile.result, encoding: .utf8)
            try folder.write(golden.replacing("\"seed\"", with: "\"sead\""), to: "quick/damaged.json")
            let page = try await client.get("quick/damaged.html")
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
        try await serving("results/") { folder, client in
            let secret = try folder.write("secret", to: "secret.html")
            try folder.write("secret", to: "results/quick/secret.html")
            try FileManager.default.createSymbolicLink(
                atPath: folder.path + "/results/quick/link.html",
                withDestinationPath: secret
            )
            let request = "GET /\(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
            #expect(try await client.raw(request).hasPrefix("HTTP/1.1 404 "))
        }
    }

    @Test func aLinkInPlaceOfAPageIsNotFollowed() async throws {
        try await serving { folder, client in
            let elsewhere = try TemporaryFolder()
            let secret = try elsewhere.write("secret", to: "secret")
            try FileManager.default.createSymbolicLink(
                atPath: folder.path + "/quick/a.html",
                withDestinationPath: secret
            )
            let page = try await client.get("quick/a.html")
            #expect(page.status == 200)
            #expect(page.body.contains("<!doctype html>"))
            withExtendedLifetime(elsewhere) {}
        }
    }
}
