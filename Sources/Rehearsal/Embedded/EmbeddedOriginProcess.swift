package import Foundation
import Origin
import Swarm
import Transport
import Values

/// Shares no thread, heap or limit with the generator; ends when its standard input closes.
///
/// `@unchecked Sendable`: Foundation's process and pipe are safe to use from any thread.
package final class EmbeddedOriginProcess: @unchecked Sendable {
    package struct Ready: Codable, Sendable {
        var url: String
        /// PEM file to trust; nil without TLS.
        var certificate: String?

        package init(url: String, certificate: String?) { (self.url, self.certificate) = (url, certificate) }
    }

    struct StartFailure: Error, CustomStringConvertible {
        var description: String
        var status: Int32
    }

    /// Whether this machine has a loopback device that is up: a datagram socket looks for a way without sending.
    static var isReachable: Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        guard descriptor >= 0 else { return true }
        defer { close(descriptor) }
        var address = sockaddr_in()
        (address.sin_family, address.sin_port) = (sa_family_t(AF_INET), 9)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    let ready: Ready
    private let process: Process
    private let lifeline: Pipe

    /// Returns when the child listens; throws `StartFailure` with its text.
    ///
    /// Settings go through a pipe: every user of the machine can read arguments, which would show a key.
    init(_ settings: OriginConfiguration) throws {
        let process = Process()
        let output = Pipe()
        let lifeline = Pipe()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["origin", "--announce-ready", "--stop-when-input-closes", "--settings-from-input"]
        process.standardInput = lifeline
        process.standardOutput = output
        process.standardError = FileHandle.standardError
        // Before the child exists and could die: writing to a pipe without a reader raises a signal.
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
        (self.process, self.lifeline, self.ready) = (process, lifeline, ready)
    }

    var isRunning: Bool { process.isRunning }
    var processIdentifier: Int32 { process.processIdentifier }

    /// A sentence without its full stop; nil while the child serves.
    var failure: String? {
        guard process.isRunning else {
            let kind = process.terminationReason == .uncaughtSignal ? "signal" : "exit status"
            return "the embedded origin ended during the run (\(kind) \(process.terminationStatus))"
        }
        return switch ProcessState(of: processIdentifier) {
        case .running: nil
        case .stopped: "the embedded origin was stopped during the run (SIGSTOP, a debugger)"
        case .gone: "the embedded origin ended during the run"
        }
    }

    /// Ends the child, waits for it, and removes its certificate.
    ///
    /// A stopped child would see neither its closed input nor a signal that it could handle.
    func stop() {
        if process.isRunning {
            try? lifeline.fileHandleForWriting.close()
            let isStopped = ProcessState(of: processIdentifier) == .stopped
            let patience = MonotonicClock.now().later(by: isStopped ? .zero : .seconds(5))
            while process.isRunning, MonotonicClock.now() < patience { usleep(2_000) }
            if process.isRunning { kill(processIdentifier, SIGKILL) }
            process.waitUntilExit()
        }
        if let certificate = ready.certificate {
            try? FileManager.default.removeItem(atPath: certificate)
        }
    }
}

extension FileHandle {
    /// Must be the only line so far; nil if the input ends before.
    package func firstLine() -> Data? {
        var line = Data()
        while true {
            let more = availableData
            guard !more.isEmpty else { return nil }
            line.append(more)
            if let end = line.firstIndex(of: 0x0A) { return line[..<end] }
        }
    }
}
