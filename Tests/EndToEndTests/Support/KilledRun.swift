import Foundation
import Measurement

/// A run that is killed at some instant, with what it had told until then.
struct KilledRun: Sendable {
    /// A line of `--intervals`; counts are since the start of the run.
    struct Line: Codable, Sendable {
        var number: Int
        var requests: UInt64
        var errors: UInt64
        var due: UInt64
        var onTime: UInt64
        var late: UInt64
        var kept: Bool

        enum CodingKeys: String, CodingKey {
            case number
            case requests
            case errors
            case due
            case onTime = "on_time"
            case late
            case kept
        }
    }

    let rehearsal: Rehearsal
    let lines: [Line]

    /// Starts a run and kills it.
    ///
    /// - Parameters:
    ///   - profile: What is run.
    ///   - delay: How long after its first interval, or after its start.
    ///   - hasInterval: Whether the first interval is waited for.
    /// - Returns: What the run left.
    /// - Throws: What a test fails by.
    static func of(
        _ profile: FastProfile,
        killedAfter delay: Duration,
        ofFirstInterval hasInterval: Bool
    ) async throws -> KilledRun {
        let rehearsal = try Rehearsal(profile.yaml)
        let run = try rehearsal.start(["--intervals", rehearsal.intervalsFile, "--quiet"])
        if hasInterval {
            try await run.wait(for: "an interval", within: .seconds(60)) { _ in try !rehearsal.intervalLines.isEmpty }
        }
        try await ContinuousClock().sleep(for: delay)
        run.kill()
        _ = try await run.ended(within: .seconds(20))
        return KilledRun(rehearsal: rehearsal, lines: try rehearsal.intervalLines)
    }
}

extension Rehearsal {
    var intervalsFile: String { folder.url.appending(path: "intervals").path }

    /// The whole lines of `--intervals` so far.
    var intervalLines: [KilledRun.Line] {
        get throws {
            let text = (try? String(contentsOfFile: intervalsFile, encoding: .utf8)) ?? ""
            return try text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map {
                try JSONDecoder().decode(KilledRun.Line.self, from: Data($0.utf8))
            }
        }
    }
}
