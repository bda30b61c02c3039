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
