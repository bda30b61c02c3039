package import LiveView
import NIOCore
import NIOPosix

/// Serves the runs of a folder until it is stopped.
package final class LibraryServer: Sendable {
    private let loops: MultiThreadedEventLoopGroup
    private let listener: PageListener
    /// Where a browser on this machine finds it.
    package let url: String

    /// Returns once connections are accepted.
    ///
    /// - Throws: `PageListener.CannotListen`, after which nothing is left open.
    package init(_ desk: LibraryDesk, at address: LiveAddress) async throws(PageListener.CannotListen) {
        let loops = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let responder = LibraryResponder(desk: desk)
        do {
            // In the shared pool, because a page of thousands of runs must not hold up the loop.
            listener = try await PageListener(address, on: loops, executor: nil) { try await responder.respond(to: $0) }
        } catch {
            try? await loops.shutdownGracefully()
            throw error
        }
        self.loops = loops
        url = listener.url
    }

    /// Ends every connection and the thread.
    package func stop() async {
        await listener.stop()
        try? await loops.shutdownGracefully()
    }
}
