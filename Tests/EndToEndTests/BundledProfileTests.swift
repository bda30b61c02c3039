import Foundation
import TestSupport
import Testing

/// Profiles that podswarm comes with, by name, wherever it is started.
@Suite(.fewAtOnce) struct BundledProfileTests {
    private static func shipped() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: PackageFolder.file("Profiles").path)
            .filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }.sorted()
    }

    @Test func eachIsListedWithWhatItIsForAndReadByItsNameFromAnywhere() async throws {
        let executable = try PodswarmExecutable.path()
        func run(_ arguments: [String]) async throws -> ChildProcess.End {
            try await ChildProcess.run("/usr/bin/env", ["-C", "/", executable] + arguments, limit: .seconds(60))
        }
        let lines = try await run(["profile", "list"]).output.split(separator: "\n")
        let unknown = try await run(["run", "qiuck"])
        for name in try Self.shipped() {
            let line = try #require(lines.first { $0.hasPrefix("\(name) ") }, "\(name) is missing")
            let summary = line.dropFirst(name.count).drop { $0 == " " }
            #expect(summary.count > 10 && !summary.contains("yaml-language-server"))
            #expect(unknown.errors.contains(name))
            let valid = try await run(["profile", "validate", name])
            #expect(valid.status == 0 && valid.output.contains("\(name): valid"), "\(valid.output)\(valid.errors)")
        }
        let quick = "The first thing to run: one minute, 500 viewers,"
        #expect(lines.contains { $0.hasPrefix("quick ") && $0.contains(quick) }, "\(lines)")
    }

    @Test(arguments: ["bin", "lib/podswarm"]) func anInstallationHasThemUnderItsPrefix(place: String) async throws {
        let home = try TemporaryFolder()
        try home.write("# What is mine. And more.\nname: mine\n", to: "share/podswarm/profiles/mine.yaml")
        try home.write("", to: "\(place)/podswarm")
        let executable = home.file("\(place)/podswarm").path
        let built = URL(filePath: try PodswarmExecutable.path()).resolvingSymlinksInPath()
        // By another process: what is started while this one has the copy open for writing keeps it from being run.
        let copying = try await ChildProcess.run(
            "/bin/cp",
            ["--remove-destination", built.path, executable],
            limit: .seconds(60)
        )
        try #require(copying.status == 0, "\(copying.errors)")
        let end = try await ChildProcess.run(
            executable,
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
