import Foundation
import Glibc
import TestSupport
import Testing

/// A server that a test started is asked to end, and killed only where it hangs.
@Suite struct SpawnedProgramTests {
    private func start(_ name: String, _ arguments: String...) throws -> (SpawnedProgram, FileHandle) {
        let nothing = try #require(FileHandle(forUpdatingAtPath: "/dev/null"))
        let output = Pipe()
        let program = try SpawnedProgram(
            try InstalledProgram(name).path,
            arguments,
            input: nothing.fileDescriptor,
            output: output.fileHandleForWriting.fileDescriptor,
            errors: nothing.fileDescriptor
        )
        return (program, output.fileHandleForReading)
    }

    @Test func itsEndIsItsOwnAlsoWhereTheTestIsCancelled() async throws {
        // Neither bash, which may end by itself where the signal comes while it starts, nor tail, which ends without a reader.
        let (program, _) = try start("sleep", "infinity")
        let stopping = Task { await program.stop(within: Patience.limit) }
        stopping.cancel()
        let end = await stopping.value
        #expect(end.isSignal && end.status == SIGTERM)
    }

    @Test func whatDoesNotHearIsKilled() async throws {
        let (program, output) = try start("bash", "-c", "trap '' TERM; echo deaf; exec tail -f /dev/null")
        #expect(try output.read(upToCount: 5) == Data("deaf\n".utf8))
        let end = await program.stop(within: .milliseconds(50))
        #expect(end.isSignal && end.status == SIGKILL)
    }
}
