import NIOCore
import NIOPosix

package final class LibraryServer: Sendable {
    private let loops: MultiThreadedEventLoopGroup
    private let listener: PageListener
    /// URL for a browser on this machine.
    package let url: String

    /// Returns once connections are accepted.
    ///
    /// - Throws: `PageListener.CannotListen`, after which nothing is left open.
    package init(_ documents: LibraryDocuments, at address: LiveAddress) async throws(PageListener.CannotListen) {
        let loops = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let responder = LibraryResponder(documents: documents)
        do {
            // In the shared pool, because rendering a page of thousands of runs must not block the loop.
            listener = try await PageListener(address, on: loops, executor: nil) { try await responder.respond(to: $0) }
        } catch {
            try? await loops.shutdownGracefully()
            throw error
        }
        self.loops = loops
        url = listener.url
    }

    package func stop() async {
        await listener.stop()
        try? await loops.shutdownGracefully()
    }
}
