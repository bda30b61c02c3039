import Foundation
import RunResult
import TestSupport
import Testing

/// `podswarm init`: from the URL of a stream to a first rehearsal, against servers and streams of all kinds.
@Suite(.fewAtOnce) struct InitTests {
    private static let multivariant = "/live/main/multivariant.m3u8"
    /// A run of a few seconds on a machine that does other things besides.
    ///
    /// A draft without breaks has no grace.
    private static func brief(_ yaml: String) -> [String] {
        let settings = [
            "audience.ramp=2s", "generator={maximumLateness: 10s, maximumLoopDelay: 30s, maximumCoreWait: 30s}",
            "allowFindings={\"*\": any}",
        ]
        return (settings + (yaml.contains("\nbreaks: none") ? [] : ["breaks.grace=30s"])).flatMap { ["--set", $0] }
    }

    /// For segments of one second: three of them, as it looks by itself, are nothing for a machine that stands still.
    private static let longer = ["--watch", "10s"]

    private func drafted(_ arguments: [String], in folder: TemporaryFolder) async throws -> (
        end: ChildProcess.End, file: String
    ) {
        let file = folder.file("my-channel.yaml").path
        let end = try await PodswarmExecutable.run(["init"] + arguments + ["--output", file], limit: .seconds(90))
        return (end, file)
    }

    /// Drafts a profile for a stream, has it validated, and rehearses it with its ten viewers.
    private func rehearsal(
        of url: String,
        _ arguments: [String] = [],
        for duration: String = "10s",
        environment: [String: String] = [:]
    ) async throws -> (draft: ChildProcess.End, yaml: String, outcome: Rehearsal.Outcome) {
        let folder = try TemporaryFolder()
        let (end, file) = try await drafted([url] + arguments, in: folder)
        try #require(end.status == 0, "\(end.output)\(end.errors)")
        let yaml = try String(contentsOfFile: file, encoding: .utf8)
        let rehearsal = try Rehearsal(yaml)
        let valid = try await PodswarmExecutable.run(["profile", "validate", file], environment: environment)
        #expect(valid.status == 0, "\(valid.errors)")
        let outcome = try await rehearsal.run(
            ["--duration", duration] + Self.brief(yaml),
            environment: environment,
            limit: .seconds(240)
        )
        for command in ["podswarm profile validate", "podswarm check", "podswarm run"] {
            #expect(end.output.contains("\(command) \(file)"), "\(end.output)")
        }
        return (end, yaml, outcome)
    }

    private func expectTenViewers(_ outcome: Rehearsal.Outcome) {
        #expect(outcome.end.status == 0, "\(outcome.end.output)\(outcome.end.errors)")
        #expect(outcome.findings == [])
        #expect(outcome.document.viewers["joined"] == 10)
        #expect(outcome.document.requests["playlist"]?.errors == 0)
    }

    @Test func aStreamOfFfmpegBehindNginxIsRehearsed() async throws {
        let shape = ForeignStream.Shape(container: .fragmentedMP4, variants: 2)
        try await ForeignStream.serving(shape) { stream in
            let (draft, yaml, outcome) = try await rehearsal(of: stream.url)
            expectTenViewers(outcome)
            #expect(draft.output.contains("2 variants"), "\(draft.output)")
            #expect(draft.output.contains("No break was announced"))
            #expect(yaml.contains("\nbreaks: none\n"))
            let profile = outcome.folder.file("profile.yaml").path
            let check = try await PodswarmExecutable.run(["check", profile, "--patience", "5s"], limit: .seconds(90))
            let verdict = "The profile has no breaks, 0 failed requests"
            #expect(check.output.contains(verdict), "\(check.output)")
        }
    }

    @Test func breaksOfPodServingAreRehearsedWithTheEventThatWasNamed() async throws {
        let breaks = [
            "--break-interval-milliseconds", "10000", "--break-milliseconds", "4000", "--ad-milliseconds", "2000",
        ]
        try await RunningOrigin.serving(["--segment-seconds", "1"] + breaks) { origin in
            let event = ["--ad-server", origin.url, "--network-code", "21775744923", "--asset-key", "sgai-hls-live"]
            let url = origin.url + Self.multivariant
            let (draft, yaml, outcome) = try await rehearsal(of: url, event + ["--watch", "30s"], for: "30s")
            expectTenViewers(outcome)
            #expect(draft.output.contains("EXT-X-DATERANGE of the class com.podswarm.break"), "\(draft.output)")
            #expect(yaml.contains("class: \"com.podswarm.break\""))
            #expect(outcome.document.breaks.due > 0, "\(outcome.end.output)")
            #expect(outcome.document.requests["pod_manifest"]?.errors == 0)
        }
    }

    @Test func withoutAnEventTheChannelIsRehearsedAndTheRestIsMarked() async throws {
        try await RunningOrigin.serving([
            "--segment-seconds", "1", "--break-interval-milliseconds", "10000", "--break-milliseconds", "4000",
        ]) {
            origin in
            let (_, yaml, outcome) = try await rehearsal(of: origin.url + Self.multivariant, ["--watch", "20s"])
            expectTenViewers(outcome)
            #expect(yaml.contains("#   podServing:"))
            #expect(yaml.contains("#   source: {dateRange: {class: \"com.podswarm.break\"}}"))
        }
    }

    @Test func interstitialsArePlayed() async throws {
        let folder = try TemporaryFolder()
        let plan = "interstitials: [{id: 'mid-{start}', every: 10s, assetDuration: 2s, announce: 12s}]"
        let channel = try folder.write(plan, to: "channel.yaml")
        let quiet = ["--break-interval-milliseconds", "0", "--segment-seconds", "1"]
        try await RunningOrigin.serving(quiet + ["--channel", channel]) { origin in
            let (draft, yaml, outcome) = try await rehearsal(
                of: origin.url + Self.multivariant,
                ["--watch", "30s"],
                for: "30s"
            )
            expectTenViewers(outcome)
            #expect(draft.output.contains("Interstitials (X-ASSET-LIST)"), "\(draft.output)")
            #expect(draft.output.contains("one every 10s"), "\(draft.output)")
            #expect(yaml.contains("interstitials: true"))
            #expect(outcome.document.requests["asset_list"]?.errors == 0)
            #expect(outcome.document.breaks.due > 0, "\(outcome.end.output)")
        }
    }

    @Test func aGuidedSessionOfMediaTailorsShapeIsRehearsed() async throws {
        let breaks = [
            "--break-interval-milliseconds", "10000", "--break-milliseconds", "4000", "--ad-milliseconds", "2000",
        ]
        try await RunningOrigin.serving(["--segment-seconds", "1"] + breaks) { origin in
            let url = "\(origin.url)/v1/master/podswarm/live/index.m3u8?aws.insertionMode=GUIDED&ads.region=north"
            let (_, yaml, outcome) = try await rehearsal(of: url, Self.longer, for: "20s")
            expectTenViewers(outcome)
            #expect(yaml.contains("mediaTailor:"))
            #expect(yaml.contains("\"region\": \"north\""))
            #expect(outcome.document.requests["asset_list"]?.errors == 0)
        }
    }

    @Test func sessionsInTheQueryAreSeenAndTokensStayOut() async throws {
        let breaks = ["--break-interval-milliseconds", "10000", "--break-milliseconds", "4000"]
        try await RunningOrigin.serving(["--segment-seconds", "1", "--ad-milliseconds", "2000"] + breaks) { origin in
            let token = "s3cr3ts3cr3ts3cr3t"
            // Its playlists name the session, and no field of a profile asks for them so: the address stays as it is.
            let mode = "aws.insertionMode=GUIDED&aws.guidedPrefetchMode=MANIFEST"
            let url = "\(origin.url)/v1/master/podswarm/live/index.m3u8?\(mode)&token=\(token)"
            let (draft, yaml, outcome) = try await rehearsal(
                of: url,
                Self.longer,
                for: "20s",
                environment: ["STREAM_TOKEN": token]
            )
            expectTenViewers(outcome)
            #expect(draft.output.contains("two requests differ in the query (aws.sessionId)"), "\(draft.output)")
            #expect(yaml.contains("ignore: [\"?aws.sessionId\"]"))
            #expect(yaml.contains("${STREAM_TOKEN}"))
            for text in [yaml, draft.output, draft.errors] { #expect(!text.contains(token)) }
            #expect(draft.output.contains("export STREAM_TOKEN="))
        }
    }

    /// Neither the profile, nor what is printed, nor anything that a run keeps has the token that stands in the path.
    @Test func aTokenInThePathStaysOut() async throws {
        try await ForeignStream.serving { stream in
            let token = "9f86d081884c7d659a2feaa0c55ad015"
            let url = stream.url.replacing("/multivariant", with: "/for/\(token)/multivariant")
            let (draft, yaml, outcome) = try await rehearsal(of: url, environment: ["STREAM_PATH_TOKEN": token])
            expectTenViewers(outcome)
            #expect(yaml.contains("/for/${STREAM_PATH_TOKEN}/multivariant.m3u8"), "\(yaml)")
            #expect(
                draft.output.contains("export STREAM_PATH_TOKEN='…'   # piece 2 of the URL's path"),
                "\(draft.output)"
            )
            #expect(draft.output.contains("What may be a secret is not in it: piece 2 of the URL's path."))
            #expect(draft.output.contains("podswarm init --keep-path --force"))
            for end in [draft, outcome.end] {
                for text in [end.output, end.errors] { #expect(!text.contains(token), "\(text)") }
            }
            #expect(!yaml.contains(token))
            for file in outcome.folder.files(in: "results") {
                #expect(!String(decoding: try Data(contentsOf: file), as: UTF8.self).contains(token), "\(file)")
            }
        }
    }

    @Test func aHeaderIsSentAndItsValueStaysOut() async throws {
        try await ForeignStream.serving { stream in
            let url = stream.url.replacing("/multivariant", with: "/keyed/multivariant")
            let folder = try TemporaryFolder()
            let (refused, _) = try await drafted([url], in: folder)
            #expect(refused.status == 4)
            #expect(refused.errors.contains("403; it may want a token in its URL, or a header"), "\(refused.errors)")
            let value = "Bearer \(ForeignStream.key)"
            let headers = ["--header", "Authorization: \(value)", "--header", "User-Agent: Example/1.0"]
            let (draft, yaml, outcome) = try await rehearsal(
                of: url,
                headers,
                environment: ["STREAM_AUTHORIZATION": value]
            )
            expectTenViewers(outcome)
            #expect(yaml.contains("\"Authorization\": \"${STREAM_AUTHORIZATION}\""), "\(yaml)")
            #expect(yaml.contains("\"User-Agent\": \"Example/1.0\""))
            #expect(draft.output.contains("export STREAM_AUTHORIZATION="), "\(draft.output)")
            for text in [yaml, draft.output, draft.errors, outcome.end.output, outcome.end.errors] {
                #expect(!text.contains(ForeignStream.key), "\(text)")
            }
        }
    }

    /// A run would send it to the ad server as well, who has no business with it.
    @Test(arguments: ["Authorization: Bearer hunter2", "X-Key: ${INIT_TEST_KEY}"])
    func aHeaderThatMayBeSecretIsNotForAnAdServer(header: String) async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("my-channel.yaml")
        let end = try await PodswarmExecutable.run(
            [
                "init", "http://127.0.0.1:9/a.m3u8", "--network-code", "1", "--asset-key", "a", "--header", header,
                "--output", file.path,
            ],
            environment: ["INIT_TEST_KEY": "hunter2"]
        )
        #expect(end.status == 2)
        #expect(end.errors.contains("and --network-code do not go together"), "\(end.errors)")
        #expect(!end.errors.contains("hunter2"), "\(end.errors)")
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test func otherHostsWaitForConsent() async throws {
        var profile = FastProfile.embedded
        profile.target += "    redirectMultivariant: true\n"
        let origin = try Rehearsal(profile.yaml)
        try await RunningOrigin.serving(["--profile", origin.profile]) { origin in
            // Of this machine another name of the same port is the stream's own; another port is not.
            let (_, _, outcome) = try await rehearsal(of: origin.url + Self.multivariant, Self.longer)
            expectTenViewers(outcome)
            let folder = try TemporaryFolder()
            let media = "\(origin.url)/live/main/360p/media.m3u8"
            try folder.write("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n\(media)\n", to: "multivariant.m3u8")
            try await ForeignStream.serving(folder) { stream in
                let (end, file) = try await drafted([stream.url], in: folder)
                #expect(end.status == 2, "\(end.output)\(end.errors)")
                let other = origin.url.trimmingPrefix("http://")
                #expect(end.errors.contains("--allow-host \(other)"), "\(end.errors)")
                #expect(!FileManager.default.fileExists(atPath: file))
                let (draft, _, outcome) = try await rehearsal(
                    of: stream.url,
                    ["--allow-host", String(other)] + Self.longer
                )
                expectTenViewers(outcome)
                #expect(draft.output.contains("Another host, \(other): media playlists"), "\(draft.output)")
            }
        }
    }

    @Test func theNextVariantIsTriedWhereTheFirstCannotBeRead() async throws {
        try await RunningOrigin.serving(["--segment-seconds", "1"]) { origin in
            let folder = try TemporaryFolder()
            let media = "\(origin.url)/live/main/360p/media.m3u8"
            let variants = { (uris: [String]) in
                "#EXTM3U\n" + uris.map { "#EXT-X-STREAM-INF:BANDWIDTH=1\n\($0)\n" }.joined()
            }
            try folder.write(variants(["none.m3u8", media]), to: "multivariant.m3u8")
            try folder.write(variants((0..<9).map { "none-\($0).m3u8" }), to: "none-at-all.m3u8")
            try await ForeignStream.serving(folder) { stream in
                let other = String(origin.url.trimmingPrefix("http://"))
                let (end, _) = try await drafted([stream.url, "--allow-host", other], in: folder)
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

    @Test(arguments: [
        ("page.html", "is a web page, no playlist", Int32(2)), ("empty.m3u8", "is empty", 2),
        ("vod.m3u8", "is a recording", 2),
        ("large.m3u8", "is larger than 8 MiB", 2), ("manifest.mpd", "is a manifest of DASH", 2),
        ("still.m3u8", "brought nothing new", 2), ("text.m3u8", "is no playlist", 2),
        ("none.m3u8", "answers with status 404", 4),
        ("bare.m3u8", "has no segment yet", 2), ("elsewhere.m3u8", "say --allow-host cdn.example.com", 2),
    ])
    func whatIsNoLiveStreamIsSaid(file: String, message: String, status: Int32) async throws {
        let folder = try TemporaryFolder()
        let segments = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\na.ts\n"
        try folder.write("<!DOCTYPE html><html><body>Watch live</body></html>", to: "page.html")
        try folder.write("", to: "empty.m3u8")
        try folder.write(segments + "#EXT-X-ENDLIST\n", to: "vod.m3u8")
        try folder.write(segments, to: "still.m3u8")
        try folder.write("#EXTM3U\n#EXT-X-TARGETDURATION:1\n", to: "bare.m3u8")
        try folder.write("<?xml version=\"1.0\"?>\n<MPD></MPD>", to: "manifest.mpd")
        try folder.write("hello", to: "text.m3u8")
        if file == "large.m3u8" {
            try folder.write(Data("#EXTM3U\n".utf8) + Data(repeating: UInt8(ascii: "#"), count: 50 << 20), to: file)
        }
        try await ForeignStream.serving(folder) { stream in
            let url = stream.url.replacing("multivariant.m3u8", with: file)
            let (end, profile) = try await drafted([url], in: folder)
            #expect(end.status == status, "\(end.output)\(end.errors)")
            #expect(end.errors.contains(message), "\(end.errors)")
            #expect(!FileManager.default.fileExists(atPath: profile))
        }
    }

    @Test func whoDoesNotAnswerIsSaid() async throws {
        let folder = try TemporaryFolder()
        let silent = try LoopbackPort(backlog: nil)
        let (refused, _) = try await drafted(["http://127.0.0.1:\(silent.number)/a.m3u8"], in: folder)
        #expect(refused.status == 4)
        #expect(refused.errors.contains("the connection is refused"), "\(refused.errors)")
        let nowhere = ["init", "http://127.0.0.1:\(silent.number)/a.m3u8", "--output", folder.file("none/a.yaml").path]
        let unwritable = try await PodswarmExecutable.run(nowhere)
        #expect(unwritable.status == 2)
        #expect(unwritable.errors.contains("there is no folder \(folder.file("none").path)"), "\(unwritable.errors)")
        let (unknown, _) = try await drafted(["http://no-such-host.invalid/a.m3u8"], in: folder)
        #expect(unknown.status == 4)
        #expect(unknown.errors.contains("there is no such host"), "\(unknown.errors)")
        let certificate = folder.file("origin.pem").path
        let settings = ["--segment-seconds", "1", "--break-interval-milliseconds", "0"]
        try await RunningOrigin.serving(settings + ["--tls", "--certificate-file", certificate]) { origin in
            let url = origin.url + Self.multivariant
            let (distrusted, _) = try await drafted([url], in: folder)
            #expect(distrusted.status == 4)
            #expect(distrusted.errors.contains("its certificate is not trusted"), "\(distrusted.errors)")
            for trust in [["--ca-file", certificate], ["--insecure"]] {
                let (_, _, outcome) = try await rehearsal(of: url, trust + Self.longer)
                expectTenViewers(outcome)
            }
        }
    }

    @Test func aFileThatIsThereStays() async throws {
        let folder = try TemporaryFolder()
        try folder.write("mine", to: "my-channel.yaml")
        try await RunningOrigin.serving(["--segment-seconds", "1"]) { origin in
            let url = origin.url + Self.multivariant
            let (kept, file) = try await drafted([url], in: folder)
            #expect(kept.status == 2)
            #expect(kept.errors.contains("is there already; --force writes over it"), "\(kept.errors)")
            #expect(try String(contentsOfFile: file, encoding: .utf8) == "mine")
            #expect(try await drafted([url, "--force"] + Self.longer, in: folder).end.status == 0)
            #expect(try String(contentsOfFile: file, encoding: .utf8).contains("FILL IN"))
        }
    }
}
