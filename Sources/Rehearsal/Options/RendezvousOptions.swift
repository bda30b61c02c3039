import AdServing
package import ArgumentParser
import Foundation
package import Results

package struct RendezvousOptions: ParsableArguments {
    @Option(
        help: "Where the shards meet: a folder that all see, or the http:// or https:// address of podswarm rendezvous."
    )
    package var rendezvous: String?

    @Option(help: "File with the token that the rendezvous asks for; or PODSWARM_RENDEZVOUS_TOKEN.")
    package var rendezvousTokenFile: String?

    @Option(help: "PEM file of the authorities that are trusted for an https:// rendezvous.")
    package var rendezvousCA: String?

    package init() {}

    /// Opens the meeting point; nil where no option names one.
    ///
    /// Throws `CommandFailure` for an unusable one. `onlyLooksOn` neither creates a folder nor writes to it; `isThere` requires
    /// an existing folder.
    package func open(runID: String, onlyLooksOn: Bool = false, isThere: Bool = false) async throws -> OpenRendezvous? {
        guard let address = try address(runID: runID, isThere: isThere) else { return nil }
        Self.warn(of: address)
        return try await Self.open(address, onlyLooksOn: onlyLooksOn)
    }

    /// Prints the warnings about an address before it is used.
    package static func warn(of address: RendezvousAddress) {
        guard address.showsToken else { return }
        RunOutput.writeError("The token of the rendezvous goes over the network in the clear.\n")
    }

    package static func open(_ address: RendezvousAddress, onlyLooksOn: Bool = false) async throws -> OpenRendezvous {
        do {
            return try await address.open(onlyLooksOn: onlyLooksOn)
        } catch {
            throw CommandFailure(.badInput, "--rendezvous \(error)")
        }
    }

    /// The address of a run's meeting point, without contacting it; nil where no option names one.
    ///
    /// `isThere` requires an existing folder. Throws `CommandFailure` for an invalid address.
    package func address(runID: String, isThere: Bool = false) throws -> RendezvousAddress? {
        guard let rendezvous else { return nil }
        guard ShardMeeting.isRunID(runID) else {
            throw CommandFailure(.badInput, "--run-id \(runID): at most 80 letters, digits, '-', '_' and '.'")
        }
        guard
            !isThere || RendezvousAddress.isServer(rendezvous) || FileManager.default.fileExists(atPath: rendezvous)
        else { throw CommandFailure(.badInput, "--rendezvous \(rendezvous): there is no such folder") }
        do {
            return try RendezvousAddress(
                rendezvous,
                runID: runID,
                token: try RendezvousToken.ofThisProcess(file: rendezvousTokenFile),
                authorities: rendezvousCA
            )
        } catch {
            throw CommandFailure(.badInput, "--rendezvous \(error)")
        }
    }
}

extension RendezvousToken {
    /// The command's token, which this process redacts from then on.
    package static func ofThisProcess(file: String?) throws(Mistake) -> RendezvousToken? {
        let token = try read(file: file, environment: ProcessInfo.processInfo.environment)
        if let token { KnownSecrets.ofThisProcess = KnownSecrets.ofThisProcess.union(KnownSecrets([token.text])) }
        return token
    }
}
