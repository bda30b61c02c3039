import Foundation
import LiveView
import Measurement
import Report

/// A run that is shown to others while it goes.
struct LiveBroadcast: Sendable {
    let server: LiveServer
    /// How long readers may take to fetch what the run ended with.
    let linger: Duration

    /// Shows the end, and serves on until readers have it.
    ///
    /// - Parameters:
    ///   - state: The final state, with its result.
    ///   - output: Is told what is waited for.
    ///   - stop: A request to stop ends the waiting.
    func end(_ state: LiveState, output: RunOutput, stop: StopRequest) async {
        guard let document = state.result else { return }
        let before = stop.requested
        await self.server.end(state, report: Self.page(document))
        // A page that is open asks for its report at once; only longer waits are worth a line.
        await self.server.linger(atMost: min(.seconds(1), self.linger)) { stop.requested != before }
        let awaited = self.server.awaited
        if !awaited.isEmpty, self.linger > .seconds(1), stop.requested == before {
            output.note(
                "Waiting up to \(self.linger.formatted(.units(allowed: [.minutes, .seconds], width: .narrow))) for \(awaited.joined(separator: " and "))."
            )
            await self.server.linger(atMost: self.linger - .seconds(1)) { stop.requested != before }
        }
        await self.server.stop()
    }

    private static func page(_ document: ResultDocument) -> String {
        let text = TextSummary(of: document, path: nil).render()
            .replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        return "<!doctype html><html lang=\"en\"><title>podswarm</title><pre>\(text)</pre></html>\n"
    }
}
