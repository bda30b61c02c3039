import AdServing
package import ArgumentParser
import Console
import Foundation
package import Rendezvous
package import RendezvousClient

/// Where the shards of a run meet.
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

    /// Makes ready to meet there.
    ///
    /// - Parameters:
    ///   - runID: The run.
    ///   - onlyLooksOn: Whether a folder is neither made nor written to.
    ///   - isThere: Whether a folder has to be there already.
    /// - Returns: The place; nil where none was named.
    /// - Throws: `CommandFailure` for one that cannot be used.
    package func open(runID: String, onlyLooksOn: Bool = false, isThere: Bool = false) async throws -> OpenRendezvous? {
        guard let address = try address(runID: runID, isThere: isThere) else { return nil }
        Self.warn(of: address)
        return try await Self.open(address, onlyLooksOn: onlyLooksOn)
    }

    /// Says of an address what a person should know before it is used.
    package static func warn(of address: RendezvousAddress) {
        guard address.showsToken else { return }
        RunOutput.writeError("The token of the rendezvous goes over the network in the clear.\n")
    }

    /// Makes ready to meet at an address.
    ///
    /// - Throws: `CommandFailure` for one that cannot be used.
    package static func open(_ address: RendezvousAddress, onlyLooksOn: Bool = false) async throws -> OpenRendezvous {
        do {
            return try await address.open(onlyLooksOn: onlyLooksOn)
        } catch {
            throw CommandFailure(.badInput, "--rendezvous \(error)")
        }
    }

    /// The place of a run, which need not answer.
    ///
    /// - Parameters:
    ///   - runID: The run.
    ///   - isThere: Whether a folder has to be there already.
    /// - Returns: Nil where none was named.
    /// - Throws: `CommandFailure` for one that cannot be.
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
    /// The token that a command was given, which this process says nowhere from then on.
    package static func ofThisProcess(file: String?) throws(Mistake) -> RendezvousToken? {
        let token = try read(file: file, environment: ProcessInfo.processInfo.environment)
        if let token { KnownSecrets.ofThisProcess = KnownSecrets.ofThisProcess.union(KnownSecrets([token.text])) }
        return token
    }
}
