import Foundation
import TestSupport
import Testing

/// The command line as a user meets it.
@Suite(.fewAtOnce) struct CommandLineTests {
    @Test(arguments: CommandLineMistake.all) func aMistakeIsToldAndNeverTraps(mistake: CommandLineMistake) async throws
    {
        let folder = try TemporaryFolder()
        let port = try LoopbackPort(backlog: nil)
        try CommandLineMistake.prepare(folder)
        try CommandLineMistake.writeTarget(folder, port: port)
        let end = try await PodswarmExecutable.run(mistake.resolved(folder: folder, port: port), limit: .seconds(30))
        #expect(!end.isSignal)
        #expect(end.status == mistake.status, "\(end.output)\(end.errors)")
        let message = mistake.message.replacing("{port}", with: String(port.number))
        #expect(end.errors.contains(message), "\(end.errors)")
        #expect(!end.errors.contains("Fatal error"))
        #expect(!end.errors.contains("Optional("))
    }

    @Test(arguments: [
        ([], ["run", "compare", "check", "plan", "explain", "lint", "origin", "profile", "result", "--version"]),
        (
            ["init"],
            ["--output", "--force", "--yes", "--watch", "--allow-host", "--network-code", "--ca-file", "Exit status"]
        ),
        (["lint"], ["--follow", "--format", "--severity", "--allow", "--header", "--ca-file", "Exit status"]),
        (["explain"], ["[<code>]", "--json", "broken"]),
        (
            ["run"],
            [
                "--duration", "--viewers", "--seed", "--set", "--label", "--results", "--quiet", "--insecure",
                "Exit status",
            ]
        ),
        (
            ["compare"],
            [
                "<base>", "--against", "--gate", "--margin", "--floor", "--tolerance", "--allow-different",
                "--leave-unfit", "--json", "--markdown", "inconclusive",
            ]
        ),
        (["check"], ["--patience", "150s", "--insecure", "--set", "Exit status"]),
        (
            ["origin"],
            [
                "--host", "--port", "--tls", "--http2", "--faults", "--break-interval-milliseconds",
                "--announce-breaks", "--profile", "--set",
            ]
        ),
        (["profile"], ["validate"]),
        (["profile", "validate"], ["--set", "Exit status"]),
        (["result"], ["show", "schema"]),
        (["result", "show"], ["<file>", "Exit status"]),
        (["result", "schema"], ["JSON Schema", "--comparison", "--lint", "--bill", "--sizing"]),
        (["plan"], ["--at", "--json", "--set", "--segment-duration", "--break-interval", "Exit status"]),
    ])
    func helpNamesWhatCanBeAsked(command: [String], names: [String]) async throws {
        let end = try await PodswarmExecutable.run(command + ["--help"])
        #expect(end.status == 0)
        #expect(end.errors == "")
        for name in names {
            #expect(end.output.contains(name), "\(name) is missing")
        }
        #expect(!end.output.contains("announce-ready"), "internal options are hidden")
    }

    @Test func theVersionIsThatOfTheResults() async throws {
        let end = try await PodswarmExecutable.run(["--version"])
        #expect(end.status == 0)
        #expect(end.output.wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil, "\(end.output)")
    }

    @Test(arguments: ["quick", "prime-time", "guide-sample", "pod-serving-template"])
    func theShippedProfilesAreValid(name: String) async throws {
        let profile = try Rehearsal(shipped: name).profile
        let end = try await PodswarmExecutable.run(["profile", "validate", profile])
        #expect(end.status == 0, "\(end.errors)")
        #expect(end.output.contains("\(name).yaml: valid"))
    }

    @Test func everyMistakeOfAProfileIsReportedAtOnce() async throws {
        let yaml = FastProfile.embedded.yaml.replacing("viewers: 20", with: "veiwers: 20")
            .replacing("podDuration: 2s", with: "podDuration: two").replacing("seed: 7", with: "seed: -7")
        let rehearsal = try Rehearsal(yaml)
        let end = try await PodswarmExecutable.run(["profile", "validate", rehearsal.profile])
        #expect(end.status == 2)
        for place in ["profile.yaml:3:", "profile.yaml:9:", "profile.yaml:12:"] {
            #expect(end.errors.contains(place), "\(end.errors)")
        }
        #expect(end.errors.contains("viewers"))
    }

    @Test func aReaderThatGoesAwayDoesNotEndTheRun() async throws {
        let rehearsal = try Rehearsal(FastProfile.embedded.yaml)
        let command = [try PodswarmExecutable.path()] + rehearsal.arguments(["--virtual-time", Rehearsal.virtualStart])
        let script = #""$0" "$@" 2>&1 | head -n 1; exit "${PIPESTATUS[0]}""#
        let end = try await ExternalTool.bash.run(["-c", script] + command)
        #expect(end.status == 0, "\(end.output)\(end.errors)")
        #expect(rehearsal.resultFiles.count == 1)
    }

    @Test func aQuietRunPrintsThePathOfItsResultAlone() async throws {
        let rehearsal = try Rehearsal(FastProfile.embedded.yaml)
        let outcome = try await rehearsal.inVirtualTime(["--quiet"])
        #expect(outcome.end.status == 0)
        #expect(outcome.end.errors == "")
        #expect(outcome.end.output == outcome.resultFile.path + "\n")
    }

    @Test func aWalkThroughTheTargetIsToldInWords() async throws {
        let words = [
            "The viewer selects the channel.", "The ad server registered the session", "offers 2 variants",
            "The live playlist has", "The pod was in hand in time.", "AD_BREAK_STARTED", "COMPLETE", "AD_BREAK_END",
            "1 of 1 break in time, 0 failed requests, 0 findings.",
        ]
        let end = try await Patience.agreeing {
            let rehearsal = try Rehearsal(FastProfile.faulty.yaml, faults: "[]")
            return try await PodswarmExecutable.run(["check", rehearsal.profile])
        } on: { end in
            end.status == 0 && words.allSatisfy { end.output.contains($0) }
        }
        #expect(end.status == 0, "\(end.output)\(end.errors)")
        for word in words { #expect(end.output.contains(word), "\(word) is missing in:\n\(end.output)") }
        let broken = try Rehearsal(FastProfile.faulty.yaml, faults: "[{fault: not_a_playlist}]")
        let told = try await PodswarmExecutable.run(["check", broken.profile])
        #expect(told.status == 1)
        #expect(told.output.contains("not_a_playlist"), "\(told.output)")
    }
}
