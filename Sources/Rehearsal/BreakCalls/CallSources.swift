package import AdServing
import Foundation
import Glibc
import HTTPTypes
import NIOCore
package import Profile
import Synchronization
import Transport
package import Values

/// The sources of calls in one run: opened before it begins, and closed when it is over.
package final class CallSources: Sendable {
    private struct Run: Sendable {
        let scheduler: CallScheduler
        let post: @Sendable (ScheduledBreak) async throws(CallRefusal) -> Void
        let now: @Sendable () -> WallTime
        let tell: @Sendable (String) -> Void

        /// Nil for text that is not a call.
        func take(_ text: [UInt8], isBlankOne: Bool) async throws(CallRefusal) -> ScheduledBreak? {
            let read: BreakCall?
            do {
                read = try BreakCall.reading(text)
            } catch {
                scheduler.refuse()
                throw error
            }
            guard let call = read ?? (isBlankOne ? BreakCall() : nil) else { return nil }
            let scheduled = try scheduler.take(call, at: now())
            do {
                try await post(scheduled)
            } catch {
                scheduler.withdraw()
                throw error
            }
            return scheduled
        }
    }

    /// Little compared with a lead of seconds.
    private static let period = Duration.milliseconds(20)
    /// A file can hold any number of invalid lines.
    private static let mostRefusalsTold = 20
    fileprivate static let field = "breaks.source.trigger: "

    /// Nil while no call is accepted.
    private let run = Mutex<Run?>(nil)
    private let refusalsTold = Mutex(0)
    /// Nil without one, and once it is stopped.
    private let server = Mutex<HTTPListener?>(nil)
    /// Open from the beginning: lines appended before the run accepts calls are not lost.
    private let places: [LinePlace]
    private let reading = Mutex<Task<Void, Never>?>(nil)

    /// Leaves no source open where it throws.
    package init(_ trigger: TriggerPlan, file: String?) async throws(CommandFailure) {
        let places = try file.map { path throws(CommandFailure) in [try LinePlace(file: path)] } ?? []
        self.places = places + (trigger.readsStandardInput ? [.standardInput] : [])
        guard let address = trigger.http else { return }
        var settings = ListenerSettings.pages(at: address, bodyLimit: BreakCall.longestText)
        let access = ClientAccess(token: trigger.token)
        settings.keepsBody = { access.refusal(of: $0) == nil }
        let opened = try await CommandFailure.awaiting(Self.field) { [settings] in
            try await HTTPListener(settings) { try await $0.deliver(await self.answer(to: $0, access)) }
        }
        server.withLock { $0 = opened }
    }

    /// One sentence per source on how to call.
    package var invitations: [String] {
        let posts = server.withLock { $0 }.map { ["POST http://\($0.authority)\(Self.path)"] } ?? []
        return posts + places.map { "a line on \($0.name)" }
    }

    /// Refuses a break that `post` cannot send to other processes; `now` is the run's wall clock.
    package func begin(
        _ scheduler: CallScheduler,
        post: @escaping @Sendable (ScheduledBreak) async throws(CallRefusal) -> Void = { _ in },
        now: @escaping @Sendable () -> WallTime,
        tell: @escaping @Sendable (String) -> Void
    ) {
        run.withLock { $0 = Run(scheduler: scheduler, post: post, now: now, tell: tell) }
        if !places.isEmpty { reading.withLock { $0 = $0 ?? Task { await self.follow() } } }
        tell("Breaks are called for by \(invitations.joined(separator: ", or ")).")
    }

    package func end() { run.withLock { $0 = nil } }

    /// Waits until calls in progress are answered; further calls do nothing.
    package func close() async {
        end()
        let reading = reading.withLock { $0 }
        reading?.cancel()
        await reading?.value
        let server = server.withLock { $0.take() }
        await server?.stop()
    }

    private func follow() async {
        var places = places
        while !Task.isCancelled {
            for index in places.indices {
                for line in places[index].next() { _ = await take(line, by: places[index].name, isBlankOne: false) }
            }
            try? await Task.sleep(for: Self.period)
        }
    }

    /// Nil for text that is not a call; `isBlankOne` makes an empty text one; `way` names the source in messages.
    private func take(_ text: [UInt8], by way: String, isBlankOne: Bool) async -> Result<ScheduledBreak, CallRefusal>? {
        guard let run = run.withLock({ $0 }) else { return .failure(.closed("No break is taken now.")) }
        do throws(CallRefusal) {
            guard let scheduled = try await run.take(text, isBlankOne: isBlankOne) else { return nil }
            run.tell(
                "Break \(scheduled.dateRangeID ?? "") of \(scheduled.duration.text) is called for by \(way) and begins at "
                    + "\(scheduled.start.iso8601)."
            )
            return .success(scheduled)
        } catch {
            let told = refusalsTold.withLock { told in
                told += 1
                return told
            }
            if told <= Self.mostRefusalsTold {
                let last = told == Self.mostRefusalsTold ? " Further ones are only counted." : ""
                run.tell("A call by \(way) is refused: \(error.text).\(last)")
            }
            return .failure(error)
        }
    }
}

extension CallSources {
    private static let path = "/breaks"

    /// `POST /breaks` gets 202 with the break, or 4xx with the reason.
    private func answer(to request: ServedRequest, _ access: ClientAccess) async -> ServedAnswer {
        let head = request.head
        if let refusal = ServedAnswer.refusal(of: head, by: access, "run") { return refusal }
        guard head.path == Self.path else { return .text(.notFound, "There is nothing here: POST \(Self.path).") }
        guard head.method == .post else { return .text(.methodNotAllowed, "POST only.", allowing: "POST") }
        do {
            let body = Array(try await request.body().readableBytesView)
            return ServedAnswer(await take(body, by: "HTTP", isBlankOne: true) ?? .failure(.malformed("is empty")))
        } catch is BodyTooLarge {
            return .text(.contentTooLarge, "At most \(BreakCall.longestText) bytes.")
        } catch {
            return .text(.badRequest, "The body did not come.")
        }
    }
}

extension ServedAnswer {
    fileprivate init(_ result: Result<ScheduledBreak, CallRefusal>) {
        switch result {
        case .success(let scheduled):
            guard let json = try? DocumentEncoding([.sortedKeys, .withoutEscapingSlashes]).encode(TakenCall(scheduled))
            else {
                self = .text(.internalServerError, "The break is called for, and cannot be written as JSON.")
                return
            }
            self.init(.accepted, "application/json", ByteBuffer(bytes: json + [0x0A]))
        case .failure(let refusal):
            self = .text(refusal.status, refusal.text)
            if refusal.status == .tooManyRequests { fields[.retryAfter] = "60" }
        }
    }
}

private struct TakenCall: Encodable {
    var id: String
    var start: String
    var durationMilliseconds: Int64
    var ordinal: Int
    var scte35: String?

    init(_ scheduled: ScheduledBreak) {
        id = scheduled.dateRangeID ?? scheduled.key
        start = scheduled.start.iso8601
        durationMilliseconds = scheduled.duration.nanosecondsHeld / 1_000_000
        ordinal = scheduled.ordinal
        scte35 = scheduled.scte35
    }
}

extension CallRefusal {
    fileprivate var status: HTTPResponse.Status {
        switch self {
        case .malformed: .badRequest
        case .outOfBounds: .unprocessableContent
        case .conflict: .conflict
        case .tooMany: .tooManyRequests
        case .closed: .serviceUnavailable
        }
    }
}

/// Lines no longer than one byte more than a call may have, by which an overlong one is refused.
struct LineCutter {
    private var begun: [UInt8] = []

    /// Lines ended by this piece, without their ends.
    mutating func take(_ piece: some Sequence<UInt8>) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        for byte in piece {
            if byte == UInt8(ascii: "\n") {
                lines.append(begun)
                begun = []
            } else if begun.count <= BreakCall.longestText {
                begun.append(byte)
            }
        }
        return lines
    }

    /// The last line if it has no end.
    mutating func end() -> [UInt8]? {
        defer { begun = [] }
        return begun.isEmpty ? nil : begun
    }
}

/// Standard input, a named pipe, or a file that is appended to.
struct LinePlace {
    let name: String
    private let file: FileHandle
    /// Shared with other processes, and blocking.
    private let isStandardInput: Bool
    /// Offset of the next read; nil for a pipe.
    private var position: off_t?
    private var cutter = LineCutter()
    private var isOver = false

    private static let pieceBytes = 16_384

    static var standardInput: LinePlace {
        LinePlace(name: "standard input", file: .standardInput, isStandardInput: true)
    }

    private init(name: String, file: FileHandle, isStandardInput: Bool) {
        (self.name, self.file, self.isStandardInput) = (name, file, isStandardInput)
    }

    /// Opens a file at its end, or a named pipe even without a writer.
    init(file path: String) throws(CommandFailure) {
        func failure(_ reason: String) -> CommandFailure { CommandFailure("\(CallSources.field)\(path): \(reason)") }
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(String(cString: strerror(errno))) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        self.init(name: path, file: file, isStandardInput: false)
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { throw failure(String(cString: strerror(errno))) }
        switch facts.st_mode & S_IFMT {
        case S_IFREG: position = facts.st_size
        case S_IFIFO: break
        default: throw failure("is neither a file nor a named pipe")
        }
    }

    /// Never blocks.
    mutating func next() -> [[UInt8]] {
        let descriptor = file.fileDescriptor
        var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard !isOver, poll(&wanted, 1, 0) > 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: Self.pieceBytes)
        let count: Int
        if let position {
            var facts = stat()
            // The writer truncated the file.
            let start = fstat(descriptor, &facts) == 0 && facts.st_size < position ? 0 : position
            count = pread(descriptor, &bytes, bytes.count, start)
            self.position = start + off_t(max(count, 0))
        } else {
            count = read(descriptor, &bytes, bytes.count)
        }
        guard count <= 0 else { return cutter.take(bytes.prefix(count)) }
        // A closed standard input never gets new bytes; a file may be appended to, and a pipe may get another writer.
        isOver = isStandardInput && (count == 0 || errno != EINTR && errno != EAGAIN)
        return count == 0 && position == nil ? cutter.end().map { [$0] } ?? [] : []
    }
}
