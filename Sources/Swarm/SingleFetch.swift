import EventLoop
package import LoadProfile
import Measurement
package import Transport

/// One request outside of any run: is the target there, and what does its ground truth say.
package enum SingleFetch {
    /// Name and version of the library that carries requests.
    package static var libraryVersion: String { HTTPTransport.libraryVersion }

    /// What came back.
    package struct Answer: Sendable {
        /// nil when an answer came, whatever its status.
        package var failure: TransferFailure?
        package var status: Int
        package var body: [UInt8]

        /// The stable code of the failure, as results spell it; nil when an answer came.
        package var failureCode: String? { self.failure.map { TransportFailure($0).code } }
    }

    /// Asks once over a connection of its own, with the plan's TLS settings and time limits.
    ///
    /// - Throws: A harness failure, never one of the target.
    package static func get(
        _ url: String,
        connection: ConnectionPlan,
        authorisedHosts: AuthorisedHosts
    ) async throws -> Answer {
        let loop = try EventLoop(label: "podswarm.fetch", index: 0)
        let answer: Answer = try await withCheckedThrowingContinuation { continuation in
            loop.execute {
                do {
                    let configuration = TransportConfiguration(connection, permitting: authorisedHosts)
                    let fetch = try OneFetch(loop: loop, configuration: configuration) {
                        continuation.resume(returning: $0)
                    }
                    fetch.start(url)
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            loop.shutDown { continuation.resume() }
        }
        return answer
    }
}

/// The transport of a single fetch; keeps itself alive until its transport is shut down.
private final class OneFetch: TransferHandler {
    private let transport: HTTPTransport
    private let owner: ConnectionOwner
    private let done: (SingleFetch.Answer) -> Void
    private var isKept: OneFetch?

    init(
        loop: EventLoop,
        configuration: TransportConfiguration,
        done: @escaping (SingleFetch.Answer) -> Void
    ) throws {
        self.transport = try HTTPTransport(loop: loop, configuration: configuration, expectedOwners: 1)
        self.owner = self.transport.makeOwner(sourceAddressIndex: 0)
        self.done = done
    }

    func start(_ url: String) {
        self.isKept = self
        self.transport.handler = self
        self.transport.start(
            TransferRequest(
                PreparedRequest(url: url),
                owner: self.owner,
                plannedAt: MonotonicClock.now(),
                token: 0
            )
        )
    }

    func transferFinished(token: UInt64, _ result: borrowing TransferResult) {
        let answer = SingleFetch.Answer(failure: result.failure, status: result.status, body: Array(result.body))
        self.transport.shutDown {
            self.isKept = nil
            self.done(answer)
        }
    }
}
