import Foundation
import TestSupport
import Testing

/// The question of `podswarm init`: who sits at a terminal is asked for the URL, and nobody else.
@Suite struct InitQuestionTests {
    private static let question = "URL of the stream's playlist"

    /// Starts it without a URL, answers once it has asked, and waits for its end.
    private func answered(
        _ answer: (PseudoTerminal) throws -> Void,
        in folder: TemporaryFolder
    ) async throws -> ChildProcess.End {
        let terminal = try PseudoTerminal()
        let child = try ChildProcess(
            try PodswarmExecutable.path(),
            ["init", "--watch", "10s", "--output", folder.file("my-channel.yaml").path],
            terminal: terminal
        )
        try await child.wait(for: "question", within: .seconds(60)) { $0.errors.contains(Self.question) }
        try answer(terminal)
        return try await child.ended(within: .seconds(90))
    }

    @Test func theAnswerIsTheURL() async throws {
        let folder = try TemporaryFolder()
        try await RunningOrigin.serving(["--segment-seconds", "1"]) { origin in
            let url = "\(origin.url)/live/main/multivariant.m3u8"
            let end = try await answered({ try $0.type(" \(url) \n") }, in: folder)
            #expect(end.status == 0, "\(end.output)\(end.errors)")
            let yaml = try String(contentsOf: folder.file("my-channel.yaml"), encoding: .utf8)
            #expect(yaml.contains("content: \"\(url)\""), "\(yaml)")
        }
    }

    @Test func anEmptyAnswerAndTheEndOfTheInputAreNone() async throws {
        let folder = try TemporaryFolder()
        let empty = try await answered({ try $0.type("\n") }, in: folder)
        #expect(empty.status == 2)
        #expect(empty.errors.contains("the URL is empty"), "\(empty.errors)")
        let ended = try await answered({ try $0.end() }, in: folder)
        #expect(ended.status == 2)
        #expect(ended.errors.contains("no URL was given"), "\(ended.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder.file("my-channel.yaml").path))
    }

    @Test func whoSaysYesIsNotAsked() async throws {
        let terminal = try PseudoTerminal()
        let child = try ChildProcess(try PodswarmExecutable.path(), ["init", "--yes"], terminal: terminal)
        let end = try await child.ended(within: .seconds(60))
        #expect(end.status == 2)
        #expect(end.errors.contains("the URL of the stream is missing: podswarm init https://"), "\(end.errors)")
        #expect(!end.errors.contains(Self.question))
    }

    /// A script that forgot the URL fails: what it would read is meant for somebody else.
    @Test func aPipeIsNotAsked() async throws {
        let child = try ChildProcess(try PodswarmExecutable.path(), ["init"])
        let end = try await child.ended(within: .seconds(60))
        #expect(end.status == 2)
        #expect(end.errors.contains("the URL of the stream is missing"), "\(end.errors)")
        #expect(!end.errors.contains(Self.question))
    }

    @Test func whoGivesAURLIsNotAsked() async throws {
        let silent = try LoopbackPort(backlog: nil)
        let terminal = try PseudoTerminal()
        let folder = try TemporaryFolder()
        let output = folder.file("a.yaml").path
        let arguments = ["init", "http://127.0.0.1:\(silent.number)/a.m3u8", "--output", output]
        let child = try ChildProcess(try PodswarmExecutable.path(), arguments, terminal: terminal)
        let end = try await child.ended(within: .seconds(60))
        #expect(end.status == 4)
        #expect(!end.errors.contains(Self.question), "\(end.errors)")
    }
}
