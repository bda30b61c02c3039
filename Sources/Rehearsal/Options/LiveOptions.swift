package import ArgumentParser
import Foundation
import Profile
import Values

package struct LiveOptions: ParsableArguments {
    @Option(
        help: """
            Serve the run's figures to Prometheus at HOST:PORT, such as 127.0.0.1:9464; port 0 takes a free one, and the \
            URL is said on standard error.
            """
    )
    package var metrics: String?

    @Option(
        help: "Serve a page that shows the run as it goes at HOST:PORT; this may be the address of --metrics."
    )
    package var dashboard: String?

    @Option(
        help: "After the end, serve this long at most until open pages have the report and Prometheus the last figures."
    )
    package var linger = "15s"

    package init() {}

    /// Opens the servers of the options; nil without any.
    ///
    /// Throws `CommandFailure` for an unusable address, before any request is sent.
    package func open(_ output: RunOutput) async throws -> LiveBroadcast? {
        let metrics = try self.metrics.map { try LiveAddress($0, of: "--metrics") }
        let dashboard = try self.dashboard.map { try LiveAddress($0, of: "--dashboard") }
        guard let linger = Duration(text: self.linger) else {
            throw CommandFailure(.badInput, "--linger \(self.linger): a duration has a unit, such as 15s or 1m")
        }
        guard metrics != nil || dashboard != nil else { return nil }
        for address in Set([metrics, dashboard].compactMap(\.self)) { address.warnIfOpen() }
        let server: LiveServer
        do {
            server = try await LiveServer(metrics: metrics, dashboard: dashboard)
        } catch let error as PageListener.CannotListen {
            let option = error.address == metrics ? "--metrics" : "--dashboard"
            throw CommandFailure(.badInput, "\(option) \(error.address): \(error.reason)")
        }
        for (name, url, port) in [
            ("Dashboard", server.dashboardURL, dashboard?.port), ("Metrics", server.metricsURL, metrics?.port),
        ] {
            guard let url else { continue }
            // The user does not know a free port yet.
            port == 0 ? RunOutput.writeError("\(name): \(url)\n") : output.note("\(name): \(url)")
        }
        return LiveBroadcast(server: server, linger: linger)
    }
}

extension LiveAddress {
    /// Parses the value of an option.
    package init(_ text: String, of option: String) throws(CommandFailure) {
        do {
            self = try LiveAddress(parsing: text)
        } catch {
            throw CommandFailure(.badInput, "\(option): \(error)")
        }
    }

    /// Warns of an address that others can reach, which `--quiet` does not suppress.
    package func warnIfOpen() {
        guard !isLoopback else { return }
        RunOutput.writeError("Others can look on: \(self) is open to the network, without a password.\n")
    }
}
