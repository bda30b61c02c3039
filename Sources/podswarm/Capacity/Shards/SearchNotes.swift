import CapacityResult
import Console
import Foundation
import Rendezvous
import RunResult

/// What the shards of a search tell each other, besides what those of each run do.
///
/// The first shard decides what is asked, and says it; the others do it. Each run is one of shards like any other, under a
/// name of its own, so that all of it begins at one instant or none does.
enum SearchNote {
    /// A shard is there, and can carry so many viewers of the whole.
    struct Hello: PlacedNote {
        var instance: String
        var profileDigest: String
        var podswarmVersion: String
        var question: CapacityQuestion
    }

    /// The question as it is put to all, within what the least of them can carry.
    struct Agreed: PlacedNote {
        var question: CapacityQuestion
        /// Why there is no search, with what to do; nil where there is one.
        var refusal: String?
    }

    /// What is to be run next.
    struct Step: PlacedNote {
        var kind: String
        var sizes: [Double]
    }

    /// Enough was seen of a run.
    struct Stop: PlacedNote {
        var reason: String
    }

    /// The search is over.
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

/// Where the shards of a search tell each other what is next; it waits for as long as the others may take.
struct SearchNotes: Sendable {
    private static let period = Duration.milliseconds(250)

    let place: any RendezvousPlace

    /// Puts a note, however often the place does not answer.
    ///
    /// - Parameters:
    ///   - note: What it says.
    ///   - name: Nobody else's.
    ///   - patience: For a place that does not answer.
    /// - Returns: Whether it stands there now.
    /// - Throws: `CommandFailure` where the place does not answer in time.
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
                // It may be there from a put whose answer was lost.
                return try await read(Note.self, name) == note
            } catch {
                guard clock.now < giveUp, !error.isLasting else { throw Self.silent(error) }
                try? await Task.sleep(for: Self.period)
            }
        }
    }

    /// Reads a note; nil where it is not there.
    func read<Note: PlacedNote>(_ type: Note.Type, _ name: String) async throws(RendezvousError) -> Note? {
        Note(placed: try await place.contents(of: SearchNote.group)[name])
    }

    /// Waits until something can be made of the notes.
    ///
    /// - Parameters:
    ///   - patience: How long, at most.
    ///   - requests: Whoever asks for the end ends the waiting.
    ///   - find: Nil as long as it is not there.
    /// - Returns: What was found; nil where the patience is over.
    /// - Throws: `CommandFailure` where somebody asked for the end, or the place does not answer at the end of the patience.
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
    /// The note under a name; nil for what is none.
    func note<Note: PlacedNote>(_ type: Note.Type, _ name: String) -> Note? { Note(placed: self[name]) }
}
