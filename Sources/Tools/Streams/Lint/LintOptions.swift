import Foundation
package import Rules
import Transport
import Values

package struct LintOptions: Sendable {
    /// URL, path, or ``StreamReader/standardInput``.
    let place: String
    package let isLocal: Bool
    /// Nil: each playlist is read once.
    package var follow: Duration?
    package var failsFrom = Severity.wrong
    /// Findings that do not make the lint fail.
    package var allowed: Set<String> = []
    package var access = StreamAccess()

    package init(_ text: String) {
        place = text == "-" ? StreamReader.standardInput : text
        isLocal = !text.contains("://") || !["http", "https"].contains(text.prefix { $0 != ":" }.lowercased())
    }

    /// Nil for http, https and text that is not a URL, such as a path.
    package static func foreignScheme(of text: String) -> Substring? {
        guard LintOptions(text).isLocal, let end = text.firstRange(of: "://")?.lowerBound else { return nil }
        let scheme = text[..<end]
        let isScheme =
            !scheme.isEmpty && scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
        return isScheme && !FileManager.default.fileExists(atPath: text) ? scheme : nil
    }
}

struct TimedLoad: Sendable {
    let deadline: Instant
    /// Returns the next load; nil for the last.
    let load: @Sendable () async -> TimedLoad?

    /// Loads of one deadline go side by side; a cancelled task ends them early.
    static func follow(_ loads: [TimedLoad], for duration: Duration) async {
        let end = MonotonicClock.now().later(by: duration)
        await withTaskGroup(of: Void.self) { group in
            for load in loads { group.addTask { await load.follow(until: end) } }
        }
    }

    private func follow(until end: Instant) async {
        var next = Optional(self)
        while let load = next, load.deadline < end {
            let wait = max(0, load.deadline.nanoseconds(since: MonotonicClock.now()))
            do {
                try await Task.sleep(for: .nanoseconds(wait))
            } catch {
                return
            }
            next = await load.load()
        }
    }
}
