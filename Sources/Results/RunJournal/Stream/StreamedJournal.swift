package import Foundation
import Glibc
package import Recording

/// Received journal of a shard: stored in a file and folded as far as it has arrived.
package struct StreamedJournal: ~Copyable {
    /// Reason why a shard cannot be followed further; earlier records count.
    package struct Stop: Error, Equatable, CustomStringConvertible {
        package let description: String
    }

    package let file: URL
    private let descriptor: Int32
    private var lines: JournalLines
    private var isHeaded = false
    private(set) var lastName: String?
    /// State so far; nil before the first record.
    package private(set) var collector: RunCollector?
    package private(set) var latest: RunInterval?
    package private(set) var stop: Stop?

    /// Creates an empty file, used by no other process.
    ///
    /// - Throws: `JournalReadingError` if the file cannot be created.
    package init(file: URL) throws(JournalReadingError) {
        self.file = file
        descriptor = open(file.path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .file(FileError(operation: "create", path: file.path, code: errno)) }
        do throws(JournalReadingError) {
            lines = try JournalLines.opened(file)
        } catch {
            _ = close(descriptor)
            throw error
        }
    }

    deinit { _ = close(descriptor) }

    package var hasEnded: Bool { collector?.ending != nil }

    /// Stores the next pieces, in order, and folds whole records; `observe` gets each interval with the state after it.
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
