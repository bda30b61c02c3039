import Foundation
import Rehearsal
import Results

/// Notes that the shards of a search exchange, besides those of each run.
///
/// Shard 0 decides each run, and the others take part. Each run is an ordinary run of shards with a run id of its own, so
/// that all shards begin it at one instant or none does.
enum SearchNote {
    /// A shard's presence and its question, whose ceiling is what the shard can carry of the whole audience.
    struct Hello: PlacedNote {
        var instance: String
        var profileDigest: String
        var podswarmVersion: String
        var question: CapacityQuestion
    }

    /// Question for all shards, within the limits of the weakest.
    struct Agreed: PlacedNote {
        var question: CapacityQuestion
        /// Reason why there is no search, and the fix; nil if there is one.
        var refusal: String?
    }

    /// The next run.
    struct Step: PlacedNote {
        var kind: String
        var sizes: [Double]
    }

    /// Early end of a run, because enough was seen of it.
    struct Stop: PlacedNote {
        var reason: String
    }

    struct End: PlacedNote {
        var exitStatus: Int32
        var text: String
    }

    static let group = "search"
    static let agreed = "agreed"
    static let end = "end"

    static func hello(_ index: Int) -> String { "hello-\(index)" }
    static func step(_ number: Int) -> String { "step-\(number)" }
    static func stop(_ number: Int) -> String { "stop-\(number)" }
}

/// Reads and writes the notes of a search, and waits for them.
struct SearchNotes: Sendable {
    private static let period = Duration.milliseconds(250)

    let place: any RendezvousPlace

    /// Puts a note and retries for `patience` if the place does not answer; then throws `CommandFailure`.
    ///
    /// Returns false if another process has put a different note under this name.
    func put<Note: PlacedNote>(
        _ note: Note,
        as name: String,
        patience: Duration = .seconds(30)
    ) async throws -> Bool {
        let clock = ContinuousClock()
        let giveUp = clock.now + patience
        let content = try note.placed()
        while true {
            do {
                if try await place.put(content, in: SearchNote.group, as: name) { return true }
                // The note may stem from a put whose answer was lost.
                return try await read(Note.self, name) == note
            } catch {
                guard clock.now < giveUp, !error.isLasting else { throw Self.silent(error) }
                try? await Task.sleep(for: Self.period)
            }
        }
    }

    func read<Note: PlacedNote>(_ type: Note.Type, _ name: String) async throws(RendezvousError) -> Note? {
        Note(placed: try await place.contents(of: SearchNote.group)[name])
    }

    /// Waits until `find` returns a value; nil once `patience` is over.
    ///
    /// Throws `CommandFailure` for an interruption, and if the place does not answer at the end of `patience`.
    func awaited<Found>(
        within patience: Duration,
        requests: RunRequests,
        _ find: ([String: Data]) -> Found?
    ) async throws -> Found? {
        let clock = ContinuousClock()
        let giveUp = clock.now + patience
        while true {
            if requests.end == .interrupted { throw CommandFailure(.interrupted, "interrupted") }
            do {
                let contents = try await place.contents(of: SearchNote.group)
                if let found = find(contents) { return found }
                guard clock.now < giveUp else { return nil }
            } catch {
                guard clock.now < giveUp, !error.isLasting else { throw Self.silent(error) }
            }
            try? await Task.sleep(for: Self.period)
        }
    }

    private static func silent(_ error: RendezvousError) -> CommandFailure {
        CommandFailure(.unreachable, "the rendezvous does not answer: \(error)")
    }
}

extension [String: Data] {
    /// Nil for a missing or invalid note.
    func note<Note: PlacedNote>(_ type: Note.Type, _ name: String) -> Note? { Note(placed: self[name]) }
}
