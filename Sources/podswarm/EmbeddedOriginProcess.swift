import Foundation

/// The reference origin as a child process, so that it never shares a thread, a heap or a limit with the generator.
///
/// The child watches its standard input and ends when that closes: it cannot outlive podswarm, however that ends.
final class EmbeddedOriginProcess {
    /// What the child says when it listens.
    struct Ready: Codable {
        var url: String
        /// PEM file to trust; nil without TLS.
        var certificate: String?
    }

    struct StartFailure: Error, CustomStringConvertible {
        var description: String
        /// Exit status of the child.
        var status: Int32
    }

    let ready: Ready
    private let process: Process
    private let lifeline: Pipe

    /// Starts the child and returns when it listens.
    ///
    /// - Parameters:
    ///   - arguments: Of `podswarm origin`.
    ///   - secrets: Environment variables for the child; arguments can be read by everybody on the machine.
    /// - Throws: `StartFailure` with the child's own words when it does not come up.
    init(arguments: [String], secrets: [String: String] = [:]) throws {
        let process = Process()
        let output = Pipe()
        let lifeline = Pipe()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["origin", "--announce-ready", "--stop-when-input-closes"] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(secrets) { $1 }
        process.standardInput = lifeline
        process.standardOutput = output
        process.standardError = FileHandle.standardError
        try process.run()
        guard let line = Self.firstLine(of: output.fileHandleForReading),
            let ready = try? JSONDecoder().decode(Ready.self, from: line)
        else {
            process.waitUntilExit()
            throw StartFailure(
                description: "the embedded origin did not start (exit status \(process.terminationStatus)); "
                    + "run `podswarm origin` to see why",
                status: process.terminationStatus
            )
        }
        self.process = process
        self.lifeline = lifeline
        self.ready = ready
    }

    var isRunning: Bool { self.process.isRunning }

    /// Ends the child, waits for it, and takes its certificate away.
    func stop() {
        if self.process.isRunning {
            try? self.lifeline.fileHandleForWriting.close()
            self.process.terminate()
            self.process.waitUntilExit()
        }
        if let certificate = self.ready.certificate {
            try? FileManager.default.removeItem(atPath: certificate)
        }
    }

    private static func firstLine(of handle: FileHandle) -> Data? {
        var line = Data()
        while true {
            let more = handle.availableData
            guard !more.isEmpty else { return nil }
            line.append(more)
            if let end = line.firstIndex(of: 0x0A) {
                return line[..<end]
            }
        }
    }
}
