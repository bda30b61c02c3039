import Foundation
import TestSupport
import Testing

/// Profiles that podswarm comes with, by name, wherever it is started.
@Suite(.fewAtOnce) struct BundledProfileTests {
    /// Runs podswarm in a folder.
    private static func run(
        _ arguments: [String],
        in folder: String = "/",
        profiles: String? = nil
    ) async throws -> ChildProcess.End {
        let environment = profiles.map { ["PODSWARM_PROFILES": $0] } ?? [:]
        return try await ChildProcess.run(
            "/usr/bin/env",
            ["-C", folder, try PodswarmExecutable.path()] + arguments,
            environment: environment,
            limit: .seconds(90)
        )
    }

    private static func shipped() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: PackageFolder.file("Profiles").path)
            .filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }.sorted()
    }

    @Test func allAreListedWithWhatTheyAreFor() async throws {
        let end = try await Self.run(["profile", "list"])
        #expect(end.status == 0, "\(end.errors)")
        let lines = end.output.split(separator: "\n")
        for name in try Self.shipped() {
            let line = try #require(lines.first { $0.hasPrefix("\(name) ") }, "\(name) is missing")
            let summary = line.dropFirst(name.count).drop { $0 == " " }
            #expect(summary.count > 10 && !summary.contains("yaml-language-server"))
        }
        let quick = "The first thing to run: one minute, 500 viewers,"
        #expect(lines.contains { $0.hasPrefix("quick ") && $0.contains(quick) }, "\(end.output)")
    }

    @Test func eachIsReadByItsNameFromAnywhere() async throws {
        for name in try Self.shipped() {
            let end = try await Self.run(["profile", "validate", name])
            #expect(end.status == 0 && end.output.contains("\(name): valid"), "\(end.output)\(end.errors)")
        }
    }

    @Test(arguments: [
        ["plan", "interstitials", "--viewers", "5", "--json"], ["capacity", "quick", "--dry"],
    ])
    func commandsTakeAName(arguments: [String]) async throws {
        let end = try await Self.run(arguments)
        #expect(end.status == 0, "\(end.output)\(end.errors)")
    }

    @Test(arguments: [
        ["run"], ["soak"], ["check"], ["plan"], ["capacity"], ["profile", "validate"], ["origin", "--profile"],
        ["run", "quick", "--repeat", "2", "--interleave"],
    ])
    func anUnknownNameIsToldWithTheNearestAndAll(command: [String]) async throws {
        let end = try await Self.run(command + ["qiuck"])
        #expect(end.status == 2)
        #expect(end.errors.contains("qiuck: no such file"), "\(end.errors)")
        #expect(end.errors.contains("the nearest name is quick"), "\(end.errors)")
        for name in try Self.shipped() { #expect(end.errors.contains(name)) }
    }

    /// What is relative in a bundled profile lies beside it, not where somebody works.
    @Test func aBundledProfileFindsItsFilesAndWritesWhereSomebodyWorks() async throws {
        let home = try TemporaryFolder()
        for folder in ["profiles", "work"] {
            try FileManager.default.createDirectory(at: home.file(folder), withIntermediateDirectories: true)
        }
        try home.write(FastProfile.faulty.yaml, to: "profiles/mine.yaml")
        try home.write("[{fault: not_a_playlist}]", to: "profiles/faults.yaml")
        let profiles = home.file("profiles").path
        let work = home.file("work").path
        let checked = try await Self.run(["check", "mine"], in: work, profiles: profiles)
        #expect(checked.status == 1 && checked.output.contains("not_a_playlist"), "\(checked.output)\(checked.errors)")
        let arguments = ["run", "mine", "--quiet", "--virtual-time", Rehearsal.virtualStart]
        let run = try await Self.run(arguments, in: work, profiles: profiles)
        #expect(run.status == 1, "\(run.output)\(run.errors)")
        #expect(home.results(in: "work/results").count == 1)
    }

    @Test func aFileOfThatNameIsMeantBeforeABundledProfile() async throws {
        let home = try TemporaryFolder()
        try home.write("name: mine\nno: profile\n", to: "quick")
        let end = try await Self.run(["profile", "validate", "quick"], in: home.path)
        #expect(end.status == 2 && end.errors.contains("quick:2:"), "\(end.errors)")
    }

    @Test func aFolderThatHasNoneIsTold() async throws {
        let home = try TemporaryFolder()
        for folder in [home.path, home.file("missing").path] {
            let end = try await Self.run(["run", "quick"], profiles: folder)
            let hint = "quick: no such file, and there are no profiles in PODSWARM_PROFILES=\(folder)"
            #expect(end.status == 2 && end.errors.contains(hint), "\(end.errors)")
            #expect(try await Self.run(["profile", "list"], profiles: folder).status == 2)
        }
    }

    @Test(arguments: ["bin", "lib/podswarm"]) func anInstallationHasThemUnderItsPrefix(place: String) async throws {
        let home = try TemporaryFolder()
        for folder in [place, "share/podswarm/profiles"] {
            try FileManager.default.createDirectory(at: home.file(folder), withIntermediateDirectories: true)
        }
        try home.write("# What is mine. And more.\nname: mine\n", to: "share/podswarm/profiles/mine.yaml")
        let executable = home.file("\(place)/podswarm")
        let built = URL(filePath: try PodswarmExecutable.path()).resolvingSymlinksInPath()
        // By another process: whatever is started while this one has the copy open for writing keeps it from being run.
        let copying = try await ChildProcess.run("/bin/cp", [built.path, executable.path], limit: .seconds(60))
        try #require(copying.status == 0, "\(copying.errors)")
        let end = try await ChildProcess.run(
            executable.path,
            ["profile", "list"],
            environment: ["LD_LIBRARY_PATH": try Self.libraries()],
            limit: .seconds(30)
        )
        #expect(end.status == 0, "\(end.errors)")
        #expect(end.output.hasPrefix("mine  What is mine.\n"), "\(end.output)")
    }

    /// Where the executable under test finds Swift, which a copy elsewhere may not.
    private static func libraries() throws -> String {
        let maps = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
        let line = maps.split(separator: "\n").first { $0.hasSuffix("/libswiftCore.so") }
        let file = line?.split(separator: " ").last.map { URL(filePath: String($0)) }
        return file?.deletingLastPathComponent().path ?? ""
    }
}
