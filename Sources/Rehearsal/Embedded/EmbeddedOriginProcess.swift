package import Foundation
import Origin

/// The reference origin as a child process, so that it never shares a thread, a heap or a limit with the generator.
///
/// The child watches its standard input and ends when that closes: it cannot outlive podswarm, however that ends.
package final class EmbeddedOriginProcess {
    /// What the child says when it listens.
    package struct Ready: Codable {
        var url: String
        /// PEM file to trust; nil without TLS.
        var certificate: String?

        package init(url: String, certificate: String?) {
            self.url = url
            self.certificate = certificate
        }
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
    /// - Parameter settings: Handed over by a pipe: arguments, which everybody on the machine can read, would show a key.
    /// - Throws: `StartFailure` with the child's own words when it does not come up.
    init(_ settings: OriginConfiguration) throws {
        let process = Process()
        let output = Pipe()
        let lifeline = Pipe()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["origin", "--announce-ready", "--stop-when-input-closes", "--settings-from-input"]
        process.standardInput = lifeline
        process.standardOutput = output
        process.standardError = FileHandle.standardError
        // Before there is a child that could die: a pipe that nobody reads raises a signal.
        try lifeline.fileHandleForWriting.write(contentsOf: JSONEncoder().encode(settings) + Data("\n".utf8))
        try process.run()
        guard let line = output.fileHandleForReading.firstLine(),
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

    var isRunning: Bool { process.isRunning }
    var processIdentifier: Int32 { process.processIdentifier }

    /// Ends the child, waits for it, and takes its certificate away.
    func stop() {
        if process.isRunning {
            try? lifeline.fileHandleForWriting.close()
            process.terminate()
            process.waitUntilExit()
        }
        if let certificate = ready.certificate {
            try? FileManager.default.removeItem(atPath: certificate)
        }
    }
}

extension FileHandle {
    /// Waits for the first line, which no other may follow before it was read; nil where the input ends before.
    package func firstLine() -> Data? {
        var line = Data()
        while true {
            let more = availableData
            guard !more.isEmpty else { return nil }
            line.append(more)
            if let end = line.firstIndex(of: 0x0A) {
                return line[..<end]
            }
        }
    }
}
