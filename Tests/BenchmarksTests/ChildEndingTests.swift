import Foundation
import TestSupport
import Testing

@testable import Benchmarks

@Suite struct ChildEndingTests {
    private func failure(of script: String) throws -> String? {
        let folder = try TemporaryFolder()
        let child = try ChildProcess("/bin/sh", ["sh", "-c", script], in: folder.url)
        do throws(BenchmarkError) {
            _ = try child.wait(atMostSeconds: 60)
            return nil
        } catch {
            return error.description
        }
    }

    @Test func anExitStatusIsToldAsTheProgramGaveIt() throws {
        let failure = try #require(try failure(of: "echo bad profile; exit 2"))
        #expect(failure == "sh ended with exit status 2\nbad profile\n")
        #expect(try self.failure(of: "exit 0") == nil)
    }

    @Test func aSignalIsNoExitStatus() throws {
        let failure = try #require(try failure(of: "kill -9 $$"))
        #expect(failure.hasPrefix("sh ended with signal 9 (Killed)"))
    }
}
