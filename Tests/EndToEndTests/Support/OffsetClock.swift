import Foundation
import TestSupport

/// A wall clock that is wrong, for a process that is started with its environment.
struct OffsetClock {
    private let folder: TemporaryFolder
    private let library: String

    init() async throws {
        folder = try TemporaryFolder()
        library = folder.file("offset-clock.so").path
        let source = PackageFolder.file("Tests/EndToEndTests/Clock/offset-clock.c").path
        let options = ["-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-O1", "-o", library, source]
        _ = try await ExternalTool.clang.run(options).succeeded()
    }

    /// What a process must find in its environment.
    func environment(wrongBy microseconds: Int64, thenBy step: Int64 = 0) -> [String: String] {
        [
            "LD_PRELOAD": library, "OFFSET_CLOCK_US": "\(microseconds)", "OFFSET_CLOCK_STEP_US": "\(step)",
            "OFFSET_CLOCK_STEP_FILE": folder.file("jump").path,
        ]
    }

    /// Has the clocks jump of all processes that were told to.
    func jump() throws { try folder.write("", to: "jump") }
}
