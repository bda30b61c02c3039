import Foundation
import TestSupport
import Testing

/// `podswarm lint` and `podswarm explain` as a packager's CI meets them.
@Suite(.fewAtOnce) struct LintTests {
    private static let multivariant = "/live/main/multivariant.m3u8"

    private static let legal = """
        #EXTM3U
        #EXT-X-VERSION:3
        #EXT-X-TARGETDURATION:4
        #EXT-X-MEDIA-SEQUENCE:7
        #EXT-X-PROGRAM-DATE-TIME:2026-11-21T20:00:00.000Z
        #EXTINF:4.000,
        a7.ts
        #EXTINF:4.000,
        a8.ts
        #EXTINF:4.000,
        a9.ts
        #EXTINF:4.000,
        a10.ts

        """

    private func lint(_ arguments: String...) async throws -> ChildProcess.End {
        try await PodswarmExecutable.run(["lint"] + arguments)
    }

    /// The JSON document of a lint.
    private func document(_ end: ChildProcess.End) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(end.output.utf8)) as? [String: Any])
    }

    private func codes(_ document: [String: Any]) throws -> [String] {
        try #require(document["findings"] as? [[String: Any]]).compactMap { $0["code"] as? String }
    }

    @Test func aCleanChannelIsFollowedWithoutAFinding() async throws {
        try await RunningOrigin.serving(["--segment-seconds", "2"]) { origin in
            let end = try await lint(origin.url + Self.multivariant, "--follow", "16s", "--format", "json")
            #expect(end.status == 0, "\(end.output)\(end.errors)")
            let document = try document(end)
            let findings = try #require(document["findings"] as? [[String: Any]])
            #expect(findings.allSatisfy { $0["severity"] as? String == "advice" }, "\(end.output)")
            let playlists = try #require(document["playlists"] as? [[String: Any]])
            #expect(playlists.count == 3)
            let followed = playlists.filter { $0["kind"] as? String == "media" }
            #expect(followed.allSatisfy { ($0["versions"] as? Int ?? 0) > 2 }, "\(end.output)")
        }
    }

    @Test func aPlannedFaultIsFoundByItsCode() async throws {
        let folder = try TemporaryFolder()
        let faults = try folder.write("- {fault: rendition_target_duration_differs, path: 180p/}\n", to: "faults.yaml")
        try await RunningOrigin.serving(["--segment-seconds", "1", "--faults", faults]) { origin in
            let end = try await lint(origin.url + Self.multivariant, "--format", "json")
            #expect(end.status == 1, "\(end.output)\(end.errors)")
            #expect(try codes(document(end)).contains("rendition_target_duration_differs"))
            let text = try await lint(origin.url + Self.multivariant)
            #expect(text.status == 1)
            #expect(text.output.contains("wrong rendition_target_duration_differs"))
            #expect(text.output.contains("FAILED: "))
            let allowed = try await lint(origin.url + Self.multivariant, "--allow", "rendition_target_duration_differs")
            #expect(allowed.status == 0, "\(allowed.output)")
            let broken = try await lint(origin.url + Self.multivariant, "--severity", "broken")
            #expect(broken.status == 0, "\(broken.output)")
        }
    }

    @Test func aPlaylistThatStandsStillIsFoundWhileItIsFollowed() async throws {
        let folder = try TemporaryFolder()
        let faults = try folder.write("- {fault: stale_playlist, delay: 60s}\n", to: "faults.yaml")
        let arguments = ["--segment-seconds", "1", "--break-interval-milliseconds", "0", "--faults", faults]
        try await RunningOrigin.serving(arguments) { origin in
            let once = try await lint(origin.url + Self.multivariant)
            #expect(once.status == 0, "\(once.output)")
            let end = try await lint(origin.url + Self.multivariant, "--follow", "5s", "--format", "json")
            #expect(end.status == 1, "\(end.output)\(end.errors)")
            #expect(try codes(document(end)).contains("playlist_stale"))
        }
    }

    /// That segments were removed, only two versions tell.
    @Test(arguments: ["live_playlist_typed", "live_window_short"])
    func whatOnlyVersionsProveIsFoundWhileTheyAreFollowed(fault: String) async throws {
        let folder = try TemporaryFolder()
        let faults = try folder.write("- {fault: \(fault)}\n", to: "faults.yaml")
        let arguments = [
            "--segment-seconds", "1", "--break-interval-milliseconds", "6000", "--break-milliseconds", "2000",
            "--faults", faults,
        ]
        try await RunningOrigin.serving(arguments) { origin in
            let end = try await lint(origin.url + Self.multivariant, "--follow", "10s", "--format", "json")
            #expect(try codes(document(end)).contains(fault), "\(end.output)\(end.errors)")
        }
    }

    @Test func aFileIsCheckedAsItStands() async throws {
        let folder = try TemporaryFolder()
        let end = try await lint(folder.write(Self.legal, to: "legal.m3u8"))
        #expect(end.status == 0, "\(end.output)\(end.errors)")
        #expect(end.output.contains("PASSED"))
        let long = Self.legal.replacing("#EXTINF:4.000,\na9.ts", with: "#EXTINF:5.000,\na9.ts")
        let broken = try await lint(folder.write(long, to: "long.m3u8"))
        #expect(broken.status == 1)
        #expect(broken.output.contains("target_duration_exceeded"))
        #expect(broken.output.contains("line 10"), "\(broken.output)")
    }

    @Test func aMultivariantFileBringsThePlaylistsBesideIt() async throws {
        let folder = try TemporaryFolder()
        let multivariant = try folder.write(
            """
            #EXTM3U
            #EXT-X-STREAM-INF:BANDWIDTH=1000000,CODECS="avc1.4d401f",RESOLUTION=640x360
            low.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=2000000,CODECS="avc1.4d401f",RESOLUTION=1280x720
            high.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=3000000,CODECS="avc1.4d401f",RESOLUTION=1920x1080
            gone.m3u8

            """,
            to: "multivariant.m3u8"
        )
        try folder.write(Self.legal, to: "low.m3u8")
        try folder.write(Self.legal.replacing("TARGETDURATION:4", with: "TARGETDURATION:5"), to: "high.m3u8")
        let end = try await lint(multivariant, "--format", "json")
        #expect(end.status == 1, "\(end.output)\(end.errors)")
        let document = try document(end)
        #expect(try codes(document).contains("rendition_target_duration_differs"))
        #expect((document["playlists"] as? [Any])?.count == 3)
        #expect((document["notes"] as? [String])?.first?.hasPrefix("1 of the playlists") == true)
    }

    /// A playlist that somebody sent leads to nothing else on this machine.
    @Test func aFileLeadsToNothingOutsideOfItsFolder() async throws {
        let (outside, folder) = (try TemporaryFolder(), try TemporaryFolder())
        let secret = try outside.write("secret of this machine", to: "secret.txt")
        let above = "../\(URL(fileURLWithPath: outside.path).lastPathComponent)/secret.txt"
        let variant = "#EXT-X-STREAM-INF:BANDWIDTH=1"
        let channel = try folder.write("#EXTM3U\n\(variant)\n\(above)\n\(variant)\n\(secret)\n", to: "main.m3u8")
        let end = try await lint(channel)
        #expect(end.status == 0, "\(end.output)\(end.errors)")
        #expect(!end.output.contains("not_a_playlist") && end.output.contains("2 of the playlists"), "\(end.output)")
    }

    /// What somebody calls a file steers no terminal.
    @Test func controlCharactersOfArgumentsAreNotPrinted() async throws {
        let end = try await lint("no\u{1B}[31msuch.m3u8")
        #expect(end.status == 2 && !end.errors.contains("\u{1B}") && end.errors.contains("such.m3u8"), "\(end.errors)")
    }

    @Test func garbageIsNoPlaylist() async throws {
        let folder = try TemporaryFolder()
        for body in [Data("<html>busy</html>".utf8), Data(), Data((0...255).map { UInt8($0) })] {
            let end = try await lint(folder.write(body, to: "garbage.m3u8"))
            #expect(end.status == 1, "\(end.output)\(end.errors)")
            #expect(end.output.contains("broken not_a_playlist"))
        }
    }

    @Test func whatCannotBeReadIsToldFromWhatIsWrong() async throws {
        let folder = try TemporaryFolder()
        let port = try LoopbackPort(backlog: nil)
        let missing = try await lint(folder.path + "/none.m3u8")
        #expect(missing.status == 2 && missing.errors.contains("no such file"))
        let foreign = try await lint("ftp://user:hidden@127.0.0.1/a.m3u8")
        #expect(foreign.status == 2 && foreign.errors.contains("http and https") && !foreign.errors.contains("hidden"))
        let unreachable = try await lint("http://127.0.0.1:\(port.number)/a.m3u8")
        #expect(unreachable.status == 4 && unreachable.errors.contains("cannot be reached"), "\(unreachable.errors)")
        let local = try await lint(folder.write(Self.legal, to: "a.m3u8"), "--follow", "5s")
        #expect(local.status == 2 && local.errors.contains("--follow needs the URL"))
        for (option, value) in [("--ca-file", "/nope"), ("--header", "a: b"), ("--timeout", "5s")] {
            let idle = try await lint(folder.path + "/a.m3u8", option, value)
            #expect(idle.status == 2 && idle.errors.contains("\(option) needs the URL"), "\(idle.errors)")
        }
        let unknown = try await lint("-", "--allow", "target_duration_exceded")
        #expect(unknown.status == 2 && unknown.errors.contains("did you mean target_duration_exceeded"))
        try await RunningOrigin.serving { origin in
            let absent = try await lint(origin.url + "/live/none/multivariant.m3u8")
            #expect(absent.status == 4 && absent.errors.contains("answers with status 404"), "\(absent.errors)")
        }
    }

    @Test func whatItPrintsSatisfiesItsSchema() async throws {
        let folder = try TemporaryFolder()
        let long = Self.legal.replacing("#EXTINF:4.000,\na9.ts", with: "#EXTINF:5.000,\na9.ts?token=hidden")
        let end = try await lint(folder.write(long, to: "long.m3u8"), "--format", "json")
        #expect(!end.output.contains("hidden"))
        let document = Data(end.output.utf8)
        #expect(try await PrintedSchema.complaints(by: "--lint", about: document) == "")
        #expect(try await PrintedSchema.complaints(by: "--lint", about: document) { $0["strange"] = 1 } != "")
    }

    @Test func noSecretOfAPlaylistIsPrinted() async throws {
        let playlist = """
            #EXTM3U
            #EXT-X-VERSION:8
            #EXT-X-TARGETDURATION:6
            #EXT-X-DEFINE:NAME="tok",VALUE="SECRET1"
            #EXT-X-DEFINE:NAME="tok",VALUE="SECRET2"
            #EXT-X-KEY:METHOD=BOGUS,URI="https://k/x?a=1,SECRET3",IV=0x00112233445566778899aabbccddeeff
            s.ts?token=aaa,SECRET4
            #EXTINF:abc,
            https://cdn/tok=SECRET5/s.ts?x=SECRET6
            #EXT-X-DATERANGE:ID="i",CLASS="com.apple.hls.interstitial",START-DATE="2026-01-01T00:00:00Z",\
            X-ASSET-URI="rel/pod.m3u8?auth-token=SECRET7~hmac=abc def",X-SESSION="SECRET8"
            /session/0b0e9e3c-1111-2222-3333-444455556666/x.ts
            """
        let folder = try TemporaryFolder()
        let path = try folder.write(playlist + "\n", to: "secrets.m3u8")
        for format in ["json", "text"] {
            let end = try await lint(path, "--format", format)
            #expect(end.status == 1 && end.output.contains("tag_"), "\(end.output)\(end.errors)")
            for secret in ["SECRET", "444455556666"] { #expect(!end.output.contains(secret), "\(end.output)") }
        }
    }

    @Test func everyFindingIsExplained() async throws {
        let list = try await PodswarmExecutable.run(["explain"])
        #expect(list.status == 0)
        #expect(list.output.contains("  media_sequence_backwards"))
        let one = try await PodswarmExecutable.run(["explain", "media_sequence_backwards"])
        #expect(one.status == 0)
        for part in ["Rule", "Likely causes", "Where to look", "planned fault"] {
            #expect(one.output.contains(part), "\(part) is missing")
        }
        let json = try await PodswarmExecutable.run(["explain", "--json"])
        let rows = try #require(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [[String: Any]])
        #expect(rows.count > 80)
        #expect(rows.allSatisfy { $0.count == 10 })
        // The list says each meaning whole, over several lines where one is too short.
        let words = list.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        for row in rows { #expect(words.contains(try #require(row["meaning"] as? String))) }
        let unknown = try await PodswarmExecutable.run(["explain", "media_sequence_backward"])
        #expect(unknown.status == 2 && unknown.errors.contains("did you mean media_sequence_backwards"))
        let farFetched = try await PodswarmExecutable.run(["explain", "nope_code"])
        #expect(farFetched.status == 2 && farFetched.errors.contains("podswarm explain lists all"))
        #expect(!farFetched.errors.contains("did you mean"))
    }
}
