import Foundation

/// A wall clock that is wrong by what is asked, for a process that is started with it.
struct OffsetClock {
    private static let source = "Sources/Benchmarks/Spread/offset-clock.c"

    private let library: String

    /// Makes it ready.
    ///
    /// - Parameter folder: Where what is made of its source goes.
    /// - Throws: `BenchmarkError` where it cannot be made, such as away from the package's root.
    init(in folder: URL) throws(BenchmarkError) {
        library = folder.appendingPathComponent("offset-clock.so").path
        guard FileManager.default.isReadableFile(atPath: Self.source) else {
            throw .file("\(Self.source): no such file; start this at the package's root")
        }
        let arguments = ["clang", "-shared", "-fPIC", "-O1", "-o", library, Self.source]
        _ = try ChildProcess(try Tool.env.path(), ["env"] + arguments, in: folder).wait(atMostSeconds: 60)
    }

    /// Starts a program whose wall clock is wrong.
    ///
    /// - Parameters:
    ///   - offsetMicroseconds: What it is wrong by.
    ///   - path: The program's.
    ///   - arguments: Without its name.
    ///   - folder: Where its output goes.
    /// - Returns: The process.
    /// - Throws: `BenchmarkError` where it cannot be started.
    func start(
        offsetMicroseconds: Int,
        _ path: String,
        _ arguments: [String],
        in folder: URL
    ) throws(BenchmarkError) -> ChildProcess {
        let environment = ["LD_PRELOAD=\(library)", "OFFSET_CLOCK_US=\(offsetMicroseconds)"]
        return try ChildProcess(try Tool.env.path(), ["podswarm"] + environment + [path] + arguments, in: folder)
    }
}
