import Foundation
import Results
import Rules
import Synchronization
import Values

/// Writes a line once its interval is in the journal, or to say that it is not.
final class IntervalLines: IntervalSink {
    struct Latency: Codable, Equatable {
        var count: UInt64
        var p50Microseconds: Int64?
        var p90Microseconds: Int64?
        var p99Microseconds: Int64?
        var maximumMicroseconds: Int64

        init?(_ histogram: SparseHistogram?) {
            guard let histogram, histogram.count > 0 else { return nil }
            count = histogram.count
            let percentiles = histogram.microseconds(atPercentiles: [50, 90, 99])
            (p50Microseconds, p90Microseconds, p99Microseconds) = (percentiles[0], percentiles[1], percentiles[2])
            maximumMicroseconds = histogram.maximumMicroseconds
        }
    }

    /// Since the start of the break.
    struct Break: Codable, Equatable {
        var key: String
        var manifests: Latency?
        var playlists: Latency?
        var segments: Latency?
    }

    /// Since the start of the run, warm-up included.
    struct Line: Codable, Equatable {
        var number: Int
        var startMilliseconds: Int64
        var endMilliseconds: Int64
        var requests: UInt64
        var errors: UInt64
        var findings: UInt64
        var podRequests: UInt64
        var due: UInt64
        var onTime: UInt64
        var late: UInt64
        var failed: UInt64
        var residentBytes: Int64
        /// Responses of this interval alone, by kind of request.
        var responses: [String: Latency]
        /// The latest of those that changed in this interval.
        var breaks: [Break]
        var isKept = false

        init(_ interval: RunInterval, of collector: RunCollector) {
            number = interval.number
            startMilliseconds = interval.startMicroseconds / 1_000
            endMilliseconds = interval.endMicroseconds / 1_000
            requests = collector.counts.requests
            errors = collector.counts.errors
            findings = collector.counts.findings
            podRequests = collector.counts.podRequests
            let sums = collector.breaksSoFar
            (due, onTime, late, failed) = (sums.due, sums.onTime, sums.late, sums.failed)
            residentBytes = interval.health.residentBytes
            responses = RequestKind.allCases.reduce(into: [:]) { responses, kind in
                responses[kind.name] = Latency(interval.sums.requests.latency(kind, .response))
            }
            let changed = interval.changes.flatMap(\.breaks).filter { !$0.isOverflow && $0.key.utf8.count <= 256 }
            let starts = Dictionary(changed.map { ($0.key, $0.startMicroseconds) }, uniquingKeysWith: max)
            let latest = starts.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.suffix(Self.mostBreaks).map(\.key)
            let records = latest.isEmpty ? [:] : collector.breaks { latest.contains($0.key) }
            self.breaks = latest.compactMap { records[$0] }.map {
                Break(
                    key: $0.key,
                    manifests: Latency($0.manifests),
                    playlists: Latency($0.playlists),
                    segments: Latency($0.segments)
                )
            }
        }

        /// Keeps a line below PIPE_BUF bytes.
        private static let mostBreaks = 3
    }

    private struct State {
        var file: FileHandle?
        var problem: String?
        var isLost = false

        /// A reader may be slow, or leave.
        mutating func failed(_ reason: Int32, _ place: String) {
            let loses = reason != EAGAIN && reason != EPIPE
            if problem == nil || loses && !isLost { problem = "\(place): \(String(cString: strerror(reason)))" }
            isLost = isLost || loses
        }
    }

    /// Nil for standard output, which cannot be opened again.
    private let path: String?
    private let state: Mutex<State>
    /// For a full pipe, as in virtual time.
    private let waits: Bool

    /// Appends; `-` is standard output; throws `CommandFailure`.
    init(path: String, waits: Bool = false) throws {
        self.path = path == "-" ? nil : path
        self.waits = waits
        guard let file = path == "-" ? .standardOutput : Self.opened(path) else {
            throw CommandFailure("--intervals \(path): \(String(cString: strerror(errno)))")
        }
        state = Mutex(State(file: file))
    }

    private static func opened(_ path: String) -> FileHandle? {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        return descriptor < 0 ? nil : FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    func telling(_ interval: RunInterval, of collector: RunCollector) -> @Sendable (_ isKept: Bool) -> Void {
        let line = Line(interval, of: collector)
        return { isKept in
            var line = line
            line.isKept = isKept
            self.write(line)
        }
    }

    private func write(_ line: Line) {
        guard var line = try? DocumentEncoding(.sortedKeys).encode(line) else { return }
        line.append(0x0a)
        state.withLock { state in
            guard let descriptor = state.file?.fileDescriptor else { return }
            // A slow reader must not hold up the journal; a writable pipe has room for PIPE_BUF bytes, more than a line.
            var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            guard poll(&ready, 1, waits ? -1 : 0) == 1, ready.revents & Int16(POLLOUT) != 0 else {
                return state.failed(EAGAIN, "--intervals")
            }
            var rest = [UInt8](line)[...]
            if !StandardStream.write(&rest, to: descriptor) { state.failed(errno, "--intervals") }
        }
    }

    /// Begins a new file, on SIGHUP.
    func rotate() {
        guard let path else { return }
        state.withLock { state in
            state.file = nil
            state.file = Self.opened(path)
            if state.file == nil { state.failed(errno, "--intervals \(path)") }
        }
    }

    /// Nil while lines are missing only where their reader was slow, or left.
    var unwritten: CommandFailure? {
        guard let problem = state.withLock({ $0.isLost ? $0.problem : nil }) else { return nil }
        return .ofOutput("\(problem); the result has the same figures")
    }

    /// As text for the result.
    var problem: String? { state.withLock(\.problem) }
}
