import Comparison
import Foundation
import Results
import TestSupport
import Testing

/// The capacity of a server whose capacity follows from arithmetic, as ``LimitedServer`` says.
///
/// Over sockets, because it is the capacity of another server that is found.
@Suite(.serialized, .fewWaiting) struct CapacityRunTests {
    private static let truth = LimitedServer.truth

    private struct Search {
        let end: ChildProcess.End
        let document: CapacityDocument
    }

    private static let pace = ["--spacing", "6s", "--rest", "0s", "--from", "60", "--ceiling", "400"]

    private static func start(_ profile: String, _ folder: TemporaryFolder, _ more: [String]) throws -> ChildProcess {
        let arguments = ["capacity", profile, "--results", folder.file("results").path, "--no-report"]
        return try ChildProcess(try PodswarmExecutable.path(), arguments + pace + more)
    }

    private static func search(_ end: ChildProcess.End, _ folder: TemporaryFolder) throws -> Search {
        Search(end: end, document: try LimitedServer.document(in: folder.file("results")))
    }

    @Test func theCapacityOfALimitedServerIsFound() async throws {
        let found = try await LimitedServer.serving { profile, folder in
            let search = try Self.start(profile, folder, ["--breaks", "6", "--within", "20%", "--runs", "6"])
            return try Self.search(try await search.ended(within: .seconds(900)), folder)
        }
        let document = found.document
        #expect(document.state == .ended)
        // Whatever else the machine has to do: nobody is handed more than nginx hands on.
        #expect(document.breaks.allSatisfy { $0.outcome != .held || Double($0.planned) <= Self.truth + 2 })
        #expect(document.runs.allSatisfy { $0.result != nil })
        // Nobody was refused: everybody was answered, most too late.
        #expect(document.gaveFirst?.form == .latency)
        #expect((document.answer.value ?? 0) <= Self.truth * 1.1, "\(document.answer.text)")
        guard document.breaks.allSatisfy({ $0.outcome == .held || Double($0.planned) > Self.truth - 4 }) else {
            return StarvedMachine.isTooBusy(for: "the audiences that this server carries")
        }
        #expect(found.end.status == 0, "\(found.end)")
        #expect(document.answer.kind == .found)
        let value = try #require(document.answer.value)
        #expect(value >= Self.truth * 0.9, "\(document.answer.text)")
        #expect(try #require(document.answer.lower) <= value)
        #expect(value <= (try #require(document.answer.upper)))
    }

    @Test func anInterruptedSearchGoesOn() async throws {
        try await LimitedServer.serving { profile, folder in
            let more = ["--breaks", "3", "--runs", "2"]
            let first = try Self.start(profile, folder, more)
            try await first.wait(for: "a judged break", within: .seconds(300)) { $0.errors.contains(" viewers: ") }
            first.send(SIGINT)
            let interrupted = try Self.search(try await first.ended(), folder)
            #expect(interrupted.end.status == 130, "\(interrupted.end)")
            #expect(interrupted.document.state == .interrupted)
            #expect(interrupted.document.breaks.count >= 1)
            #expect(interrupted.document.answer.kind != .found, "\(interrupted.document.answer)")

            let second = try Self.start(profile, folder, more)
            let ended = try Self.search(try await second.ended(within: .seconds(600)), folder)
            #expect(ended.end.errors.contains("Going on with the search"), "\(ended.end)")
            #expect(ended.document.state == .ended)
            #expect(ended.document.search.id == interrupted.document.search.id)
            #expect(ended.document.runs.first == interrupted.document.runs.first)
            #expect(ended.document.runs.count == 2)
        }
    }
}
