import Foundation
import Results
import TestSupport
import Testing

/// `podswarm init` before servers and streams that were not written here; those of the reference origin are transcripts.
///
/// Over sockets, because a profile is drafted from what servers answer.
@Suite(.fewWaiting) struct InitTests {
    private func drafted(
        _ arguments: [String],
        in folder: TemporaryFolder
    ) async throws -> (end: ChildProcess.End, file: String) {
        let file = folder.file("my-channel.yaml").path
        let end = try await PodswarmExecutable.run(["init"] + arguments + ["--output", file])
        return (end, file)
    }

    /// Drafts a profile for a stream, and rehearses it for a few seconds with its ten viewers.
    private func rehearsal(
        of url: String,
        _ arguments: [String] = [],
        environment: [String: String] = [:]
    ) async throws -> (draft: ChildProcess.End, yaml: String, outcome: Rehearsal.Outcome) {
        let folder = try TemporaryFolder()
        let (end, file) = try await drafted([url] + arguments, in: folder)
        try #require(end.status == 0, "\(end.output)\(end.errors)")
        let yaml = try withExtendedLifetime(folder) { try String(contentsOfFile: file, encoding: .utf8) }
        let settings = [
            "duration=6s", "audience.ramp=1s", "allowFindings={\"*\": any}",
            StarvedMachine.budgets.replacing(": {", with: "={"),
            "connection.\(StarvedMachine.timeouts.replacing(": {", with: "={"))",
        ]
        let outcome = try await Rehearsal(yaml).run(settings.flatMap { ["--set", $0] }, environment: environment)
        #expect(outcome.end.status == 0, "\(outcome.end.output)\(outcome.end.errors)")
        #expect(outcome.findings == [])
        #expect(outcome.document.viewers["joined"] == 10)
        #expect(outcome.document.requests["playlist"]?.errors == 0)
        return (end, yaml, outcome)
    }

    /// Neither the profile, nor what is printed, nor anything that a run keeps has a token of the path or of a header.
    @Test func aStreamOfFfmpegIsRehearsedAndTokensInThePathAndInHeadersStayOut() async throws {
        let shape = ForeignStream.Shape(container: .fragmentedMP4, variants: 2)
        try await ForeignStream.serving(shape) { stream in
            async let path: Void = pathIsDrafted(stream)
            async let header: Void = headerIsDrafted(stream)
            _ = try await (path, header)
        }
    }

    private func pathIsDrafted(_ stream: ForeignStream) async throws {
        let token = "9f86d081884c7d659a2feaa0c55ad015"
        let path = stream.url.replacing("/multivariant", with: "/for/\(token)/multivariant")
        let environment = ["STREAM_PATH_TOKEN": token]
        let (draft, yaml, outcome) = try await rehearsal(of: path, environment: environment)
        #expect(
            yaml.contains("/for/${STREAM_PATH_TOKEN}/multivariant.m3u8") && yaml.contains("\nbreaks: none\n"),
            "\(yaml)"
        )
        for words in [
            "2 variants", "No break seen", "export STREAM_PATH_TOKEN='…'   # piece 2 of the URL's path",
            "podswarm init --keep-path --force", "Possible secrets are not in it: piece 2 of the URL's path.",
        ] {
            #expect(draft.output.contains(words), "\(draft.output)")
        }
        try expectNoWord(of: token, draft, yaml, outcome)
        let command = ["check", outcome.folder.file("profile.yaml").path, "--patience", "5s"]
        let check = try await PodswarmExecutable.run(command, environment: environment)
        #expect(check.output.contains("The profile has no breaks, 0 failed requests"), "\(check.output)")
    }

    private func headerIsDrafted(_ stream: ForeignStream) async throws {
        let keyed = stream.url.replacing("/multivariant", with: "/keyed/multivariant")
        let (refused, _) = try await drafted([keyed], in: try TemporaryFolder())
        #expect(refused.status == 4)
        #expect(refused.errors.contains("403; it may want a token in its URL, or a header"), "\(refused.errors)")
        let value = "Bearer \(ForeignStream.key)"
        let (headed, profile, run) = try await rehearsal(
            of: keyed,
            ["--header", "Authorization: \(value)", "--header", "User-Agent: Example/1.0"],
            environment: ["STREAM_AUTHORIZATION": value]
        )
        #expect(profile.contains("\"Authorization\": \"${STREAM_AUTHORIZATION}\""), "\(profile)")
        #expect(profile.contains("\"User-Agent\": \"Example/1.0\""))
        #expect(headed.output.contains("export STREAM_AUTHORIZATION="), "\(headed.output)")
        try expectNoWord(of: ForeignStream.key, headed, profile, run)
    }

    private func expectNoWord(
        of secret: String,
        _ draft: ChildProcess.End,
        _ yaml: String,
        _ outcome: Rehearsal.Outcome
    ) throws {
        let files = outcome.folder.files(in: "results")
        let kept = try files.map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
        for text in [yaml, draft.output, draft.errors, outcome.end.output, outcome.end.errors] + kept {
            #expect(!text.contains(secret), "\(text)")
        }
    }

    /// Of this machine another port is another host.
    @Test func anotherHostWaitsForConsentAndTheNextVariantIsTriedWhereTheFirstCannotBeRead() async throws {
        try await RunningOrigin.serving(["--set", "target.embedded.segmentDuration=1s", "--set", "breaks=none"]) {
            origin in
            let folder = try TemporaryFolder()
            let media = "\(origin.url)/live/main/360p/media.m3u8"
            func write(_ uris: [String], to name: String) throws {
                let variants = uris.map { "#EXT-X-STREAM-INF:BANDWIDTH=1\n\($0)\n" }.joined()
                try folder.write("#EXTM3U\n" + variants, to: name)
            }
            try write([media], to: "multivariant.m3u8")
            try write(["none.m3u8", media], to: "second.m3u8")
            try write((0..<9).map { "none-\($0).m3u8" }, to: "none-at-all.m3u8")
            try await ForeignStream.serving(folder) { stream in
                let other = String(origin.url.trimmingPrefix("http://"))
                let consent = ["--allow-host", other, "--watch", "6s"]
                let (asked, file) = try await drafted([stream.url], in: folder)
                #expect(asked.status == 2, "\(asked.output)\(asked.errors)")
                #expect(asked.errors.contains("--allow-host \(other)"), "\(asked.errors)")
                #expect(!FileManager.default.fileExists(atPath: file))
                let (draft, _, _) = try await rehearsal(of: stream.url, consent)
                #expect(draft.output.contains("Another host, \(other): media playlists"), "\(draft.output)")

                let second = stream.url.replacing("multivariant", with: "second")
                let (end, _) = try await drafted([second] + consent, in: folder)
                #expect(end.status == 0, "\(end.output)\(end.errors)")
                #expect(end.output.contains("Variant 2 was followed: the media playlist at "), "\(end.output)")
                #expect(end.output.contains("answers with status 404"), "\(end.output)")
                let nowhere = stream.url.replacing("multivariant", with: "none-at-all")
                let (none, _) = try await drafted([nowhere, "--force"], in: folder)
                #expect(none.status == 4, "\(none.output)\(none.errors)")
                #expect(none.errors.contains("nor can the next 3 variants be read"), "\(none.errors)")
            }
        }
    }

    @Test func aFileThatIsNoLiveStreamIsToldByWhatItIs() async throws {
        let segments = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\na.ts\n"
        let large = "#EXTM3U\n" + String(repeating: "#", count: 9 << 20)
        let rows: [(file: String, text: String?, message: String, status: Int32)] = [
            ("page.html", "<!DOCTYPE html><html><body>Watch live</body></html>", "is a web page, no playlist", 2),
            ("empty.m3u8", "", "is empty", 2), ("vod.m3u8", segments + "#EXT-X-ENDLIST\n", "is a recording", 2),
            ("large.m3u8", large, "is larger than 8 MiB", 2), ("still.m3u8", segments, "brought nothing new", 2),
            ("manifest.mpd", "<?xml version=\"1.0\"?>\n<MPD></MPD>", "is a manifest of DASH", 2),
            ("text.m3u8", "hello", "is not a playlist", 2), ("none.m3u8", nil, "answers with status 404", 4),
            ("bare.m3u8", "#EXTM3U\n#EXT-X-TARGETDURATION:1\n", "has no segment yet", 2),
            ("elsewhere.m3u8", nil, "say --allow-host cdn.example.com", 2),
        ]
        let folder = try TemporaryFolder()
        for row in rows { if let text = row.text { try folder.write(text, to: row.file) } }
        try await ForeignStream.serving(folder) { stream in
            for row in rows {
                let url = stream.url.replacing("multivariant.m3u8", with: row.file)
                let (end, profile) = try await drafted([url], in: folder)
                #expect(end.status == row.status && end.errors.contains(row.message), "\(row.file): \(end.errors)")
                #expect(!FileManager.default.fileExists(atPath: profile))
            }
        }
    }
}
