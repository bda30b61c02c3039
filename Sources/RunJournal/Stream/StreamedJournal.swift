package import Foundation
import Glibc
package import Recording
import Rendezvous
import RunResult

/// The journal of a shard as it comes in pieces: kept in a file, and folded as far as it has come.
package struct StreamedJournal: ~Copyable {
    /// Why a shard cannot be followed any further; what came before counts.
    package struct Stop: Error, Equatable, CustomStringConvertible {
        package let description: String
    }

    /// Where its pieces are kept, one behind the other.
    package let file: URL
    private let descriptor: Int32
    private var lines: JournalLines
    private var isHeaded = false
    private(set) var lastName: String?
    /// What the shard did so far; nil before it says anything.
    package private(set) var collector: RunCollector?
    package private(set) var latest: RunInterval?
    /// Why nothing is folded any more.
    package private(set) var stop: Stop?

    /// Begins an empty file.
    ///
    /// - Parameter file: Nobody else's.
    /// - Throws: `JournalReadingError` where there can be no such file.
    package init(file: URL) throws(JournalReadingError) {
        self.file = file
        descriptor = open(file.path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .file(JournalError(operation: "create", path: file.path, code: errno)) }
        do throws(JournalReadingError) {
            lines = try JournalLines.opened(file)
        } catch {
            _ = close(descriptor)
            throw error
        }
    }

    deinit { _ = close(descriptor) }

    /// Whether the shard has said how its run ended.
    package var hasEnded: Bool { collector?.ending != nil }

    /// Keeps the next pieces and folds what is whole.
    ///
    /// - Parameters:
    ///   - pieces: What follows the last one, in order.
    ///   - observe: Handed each interval that was told by itself, and the shard with it.
    mutating func take(_ pieces: [RendezvousListing.Entry], observe: (RunInterval, RunCollector) -> Void) {
        guard stop == nil else { return }
        for piece in pieces {
            guard keep(piece.content) else {
                stop = Stop(description: "\(file.path): \(String(cString: strerror(errno)))")
                return
            }
            lastName = piece.name
        }
        lines.resume()
        while stop == nil, let record = lines.next() { fold(record, observe) }
        if case .damaged(let what) = lines.ending {
            stop = stop ?? Stop(description: "its journal is damaged: \(what)")
        }
    }

    private mutating func fold(_ record: JournalRecord, _ observe: (RunInterval, RunCollector) -> Void) {
        do {
            switch record.kind {
            case .header:
                typealias Header = JournalHeader<CollectorSettings>
                guard !isHeaded, try JournalCoding.value(Header.self, of: record.payload).isOfThisVersion else {
                    stop = Stop(description: "its journal is of another version of podswarm")
                    return
                }
                isHeaded = true
            case .checkpoint: collector = try JournalCoding.value(RunCollector.self, of: record.payload)
            case .interval:
                let interval = try JournalCoding.value(RunInterval.self, of: record.payload)
                collector?.fold(interval)
                latest = interval
                if let collector { observe(interval, collector) }
            }
        } catch {
            stop = Stop(description: "its journal holds what means nothing to podswarm \(PodswarmVersion.current)")
        }
    }

    private func keep(_ content: Data) -> Bool {
        content.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let written = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if written < 0, errno == EINTR { continue }
                guard written > 0 else { return false }
                rest = rest.dropFirst(written)
            }
            return true
        }
    }
}
