import Comparison
import Foundation
import Glibc
import Results
import TestSupport
import Testing

/// A search for a capacity by several processes: one decides what is asked, all do it, and breaks are judged as one.
///
/// Over sockets, because shards are processes that meet.
@Suite(.serialized, .fewWaiting) struct CapacityShardTests {
    /// The processes of one search, with folders of their own.
    private final class Shards: Sendable {
        let processes: [ChildProcess]
        private let folder: TemporaryFolder

        init(_ profile: String, _ folder: TemporaryFolder, count: Int = 3, _ more: [String]) throws {
            self.folder = folder
            processes = try (0..<count).map { index in
                let arguments = [
                    "capacity", profile, "--results", folder.file("results-\(index)").path, "--no-report", "--shard",
                    "\(index)/\(count)", "--rendezvous", folder.file("rendezvous").path, "--run-id", "search-1",
                    "--start-lead", "6s", "--silence", "15s", "--gather-within", "60s",
                ]
                return try ChildProcess(try PodswarmExecutable.path(), arguments + more)
            }
        }

        /// Returns once the first of them has judged a break.
        func hasJudged() async throws {
            try await processes[0].wait(for: "a judged break", within: .seconds(300)) {
                $0.errors.contains(" viewers: ")
            }
        }

        func ended() async throws -> [ChildProcess.End] {
            var ends: [ChildProcess.End] = []
            for process in processes { ends.append(try await process.ended(within: .seconds(600))) }
            return ends
        }

        func document() throws -> CapacityDocument { try LimitedServer.document(in: folder.file("results-0")) }
    }

    /// More than any break here asks for, so that what is missed is the server's doing.
    private static let pace = ["--spacing", "6s", "--rest", "0s", "--from", "60", "--ceiling", "150"]

    @Test func shardsFindTheCapacityOfALimitedServer() async throws {
        let (ends, document) = try await LimitedServer.serving { profile, folder in
            let shards = try Shards(profile, folder, Self.pace + ["--breaks", "3", "--runs", "2"])
            return (try await shards.ended(), try shards.document())
        }
        #expect(document.state == .ended, "\(ends)")
        #expect(document.search.shards == 3)
        // How sure the first is of it hangs on the machine; all say the same.
        #expect([0, 3].contains(ends[0].status), "\(ends[0])")
        #expect(ends.allSatisfy { $0.status == ends[0].status }, "\(ends.map(\.errors))")
        #expect(document.runs.count == 2)
        // What each break is told to be is what all shards have together.
        let held = document.breaks.filter { $0.outcome == .held }
        #expect(held.allSatisfy { Double($0.due) >= Double($0.planned) * 0.95 && $0.due <= UInt64($0.planned) })
        #expect(held.allSatisfy { Double($0.planned) <= LimitedServer.truth * 1.1 }, "\(document.breaks)")
        #expect(document.breaks.contains { $0.outcome == .missed }, "\(document.breaks)")
        #expect(document.runs.first?.endedBy == "two breaks in a row were missed")
    }

    /// The first one hears when all have seen enough of the channel's breaks.
    @Test func shardsWaitForBreaksOfTheChannelTogether() async throws {
        let (ends, document) = try await LimitedServer.serving(breaks: .channel) { profile, folder in
            let pace = ["--rest", "0s", "--from", "60", "--ceiling", "480", "--run-for", "2m"]
            let shards = try Shards(profile, folder, count: 2, pace + ["--breaks", "2", "--runs", "2"])
            return (try await shards.ended(), try shards.document())
        }
        #expect(document.state == .ended, "\(ends)")
        #expect(ends.allSatisfy { $0.status == ends[0].status }, "\(ends.map(\.errors))")
        #expect(document.runs.count == 2)
        #expect(document.breaks.count >= 4, "\(document.breaks)")
        let held = document.breaks.filter { $0.outcome == .held }
        #expect(held.allSatisfy { Double($0.due) >= Double($0.planned) * 0.95 && $0.due <= UInt64($0.planned) })
        #expect(held.allSatisfy { Double($0.planned) <= LimitedServer.truthForChannel * 1.1 })
        let reasons = ["enough breaks were judged", "two breaks in a row were missed"]
        #expect(document.runs.allSatisfy { reasons.contains($0.endedBy ?? "") }, "\(document.runs.map(\.endedBy))")
    }

    @Test(arguments: [(2, SIGKILL, "shard 2 of 3"), (1, SIGINT, "shard 1 of 3"), (0, SIGINT, "")])
    func aShardThatLeavesEndsTheSearchWithWhatIsKnown(index: Int, signal: Int32, reason: String) async throws {
        let (ends, document) = try await LimitedServer.serving { profile, folder in
            let shards = try Shards(profile, folder, Self.pace + ["--breaks", "3", "--runs", "2"])
            try await shards.hasJudged()
            shards.processes[index].send(signal)
            return (try await shards.ended(), try shards.document())
        }
        #expect(document.state == .interrupted, "\(ends[0])")
        #expect(!document.breaks.isEmpty)
        #expect(reason.isEmpty || document.answer.reason?.contains(reason) == true, "\(document.answer)")
        for (number, end) in ends.enumerated() where signal != SIGKILL || number != index {
            #expect(end.status == 130, "\(ends)")
        }
        // It began before any shard left, and the server carries it.
        guard document.breaks.first?.outcome == .held else {
            return StarvedMachine.isTooBusy(for: "an audience that this server carries")
        }
        // Viewers that no shard simulated any more are no failure of the target.
        let small = document.breaks.filter { Double($0.planned) < LimitedServer.truth * 0.9 }
        #expect(small.allSatisfy { $0.outcome != .missed })
    }

    /// Nobody is left who sees what the others do to the target.
    @Test func aFirstShardThatIsKilledEndsWhatTheOthersDo() async throws {
        let ends = try await LimitedServer.serving { profile, folder in
            let pace = ["--spacing", "20s", "--rest", "0s", "--from", "30", "--ceiling", "150"]
            let shards = try Shards(profile, folder, pace)
            try await shards.hasJudged()
            shards.processes[0].send(SIGKILL)
            return try await shards.ended()
        }
        #expect(ends.dropFirst().map(\.status) == [3, 3], "\(ends)")
        #expect(ends[1].errors.contains("shard 0 has said nothing"), "\(ends[1])")
    }
}
