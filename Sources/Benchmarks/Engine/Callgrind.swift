import Foundation

struct Callgrind {
    let wrapper: [String]
    /// This program without its debugging information, which valgrind 3.19 cannot read.
    let ownProgram: String

    init(in folder: URL) throws {
        let profile = folder.appendingPathComponent("callgrind.out").path
        wrapper = [try Tool.valgrind.path(), "--tool=callgrind", "--callgrind-out-file=\(profile)"]
        ownProgram = folder.appendingPathComponent("podswarm-benchmarks").path
        let strip = try ChildProcess(
            try Tool.strip.path(),
            ["strip", "--strip-debug", "-o", ownProgram, try EngineProcess.ownProgram()],
            in: folder
        )
        _ = try strip.wait(atMostSeconds: 60)
    }

    static func instructions(in output: String) throws(BenchmarkError) -> Double {
        guard let match = output.firstMatch(of: /Collected : (\d+)/), let count = Double(match.1) else {
            throw .unusable(program: "valgrind", reason: "no count of instructions in its output\n\(output)")
        }
        return count
    }
}
