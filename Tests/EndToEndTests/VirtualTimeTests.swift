import Foundation
import RunResult
import TestSupport
import Testing

/// Runs in virtual time: what they write, and when they end.
@Suite struct VirtualTimeTests {
    /// What a run wrote, by name.
    private static func files() async throws -> [String: Data] {
        let rehearsal = try Rehearsal(
            FastProfile.faulty.yaml,
            faults: "[{fault: pod_mismatch, share: 50%}, {fault: reset, share: 20%, kinds: [playlist]}]"
        )
        let folder = rehearsal.folder.url
        let outputs = ["junit", "csv", "hlog", "prometheus", "markdown"].flatMap {
            ["--output", "\($0)=\(folder.appending(path: $0).path)"]
        }
        let more = ["--intervals", "intervals", "--origin-truth", "truth"].map {
            $0.hasPrefix("--") ? $0 : folder.appending(path: $0).path
        }
        let outcome = try await rehearsal.inVirtualTime(outputs + more + ["--set", "playback.segments=all"])
        let page = outcome.resultFile.deletingPathExtension().appendingPathExtension("html")
        var files = ["json": try Data(contentsOf: outcome.resultFile), "html": try Data(contentsOf: page)]
        for name in ["junit", "csv", "hlog", "prometheus", "markdown", "intervals", "truth"] {
            files[name] = try Data(contentsOf: folder.appending(path: name))
        }
        return files
    }

    /// Each process has a hash seed of its own, so no order of a dictionary shows.
    @Test func equalRunsWriteEqualFiles() async throws {
        let (one, other) = (try await Self.files(), try await Self.files())
        for (name, data) in one { #expect(data == other[name], "\(name)") }
        #expect(one.count == 9 && one.values.allSatisfy { !$0.isEmpty })
    }

    /// A reader that is slower than the clock holds it up.
    @Test func aSlowReaderOfIntervalsLosesNone() async throws {
        let rehearsal = try Rehearsal(FastProfile.embedded.yaml)
        let arguments = ["--virtual-time", Rehearsal.virtualStart, "--duration", "10m", "--intervals", "-"]
        let script = #""$0" "$@" 2>/dev/null | (sleep 1; wc -l)"#
        let command = [try PodswarmExecutable.path()] + rehearsal.arguments(arguments + ["--viewers", "1"])
        let end = try await ExternalTool.bash.run(["-c", script] + command)
        let document = try rehearsal.outcome(of: end).document
        let lines = end.output.filter(\.isNumber)
        #expect(Int(lines) == document.journal?.intervalsKept, "\(lines) lines")
        #expect(document.notes?.contains { $0.contains("--intervals") } != true)
    }
}
