import Foundation

struct EngineProcess {
    let child: ChildProcess
    private let order: EngineOrder

    /// Starts this program again as an engine, on one core, under callgrind where it is given.
    init(_ order: EngineOrder, core: Int, in folder: URL, under callgrind: Callgrind? = nil) throws {
        self.order = order
        let text = String(decoding: try JSONEncoder().encode(order), as: UTF8.self)
        child = try ChildProcess(
            try Tool.taskset.path(),
            ["taskset", "-c", "\(core)"] + (callgrind?.wrapper ?? [])
                + [try callgrind?.ownProgram ?? Self.ownProgram(), "engine", text],
            in: folder
        )
    }

    static func ownProgram() throws(BenchmarkError) -> String {
        guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else {
            throw .file("cannot read /proc/self/exe")
        }
        return path
    }

    /// The engine's report; any failed request makes the figures unusable.
    func finish() throws -> (report: EngineReport, resources: ChildProcess.Resources, output: String) {
        let (output, resources) = try child.wait(atMostSeconds: order.limitSeconds + 10)
        let line = output.split(separator: "\n").last { $0.hasPrefix("{") } ?? ""
        guard let report = try? JSONDecoder().decode(EngineReport.self, from: Data(line.utf8)) else {
            throw BenchmarkError.unusable(program: "podswarm", reason: "no report in its output\n\(output)")
        }
        guard report.failures == 0 else {
            throw BenchmarkError.unusable(program: "podswarm", reason: "\(report.failures) requests failed")
        }
        return (report, resources, output)
    }
}

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
