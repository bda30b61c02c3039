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
    /// Little compared with a lead of seconds.
    private static let period = Duration.milliseconds(20)

    private let receiver = CallReceiver()
    private let server: ListeningThread?
    /// Open from the beginning: lines appended before the run accepts calls are not lost.
    private let places: [LinePlace]
    private let reading = Mutex<Task<Void, Never>?>(nil)
    private let isClosed = Mutex(false)
    /// One sentence per source on how to call.
    package let invitations: [String]

    /// Leaves no source open where it throws.
    package init(_ trigger: TriggerPlan, file: String?) async throws(CannotTakeCalls) {
        var places: [LinePlace] = []
        if let file { places.append(try LinePlace(file: file)) }
        if trigger.readsStandardInput { places.append(.standardInput) }
        var invitations = places.map { "a line on \($0.name)" }
        if let address = trigger.http {
            do {
                let server = try await Self.serve(address, token: trigger.token, receiver)
                invitations.insert("POST http://\(server.authority)\(CallReceiver.path)", at: 0)
                self.server = server
            } catch {
                for place in places { place.close() }
                throw error
            }
        } else {
            server = nil
        }
        self.invitations = invitations
        self.places = places
    }

    /// Refuses a break that `post` cannot send to other processes; `now` is the run's wall clock.
    package func begin(
        _ scheduler: CallScheduler,
        post: @escaping @Sendable (ScheduledBreak) async throws(CallRefusal) -> Void = { _ in },
        now: @escaping @Sendable () -> WallTime,
        tell: @escaping @Sendable (String) -> Void
    ) {
        receiver.serve(CallReceiver.Run(scheduler: scheduler, post: post, now: now, tell: tell))
        reading.withLock { [places, receiver] reading in
            if reading == nil, !places.isEmpty { reading = Task { await Self.follow(places, receiver) } }
        }
        tell(invitation)
    }

    private var invitation: String { "Breaks are called for by \(invitations.joined(separator: ", or "))." }

    package func end() { receiver.serve(nil) }

    /// Waits until calls in progress are answered; further calls do nothing.
    package func close() async {
        end()
        let isFirst = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return !isClosed
        }
        guard isFirst else { return }
        if let reading = reading.withLock({ $0 }) {
            reading.cancel()
            await reading.value
        } else {
            for place in places { place.close() }
        }
        await server?.stop()
    }

    // MARK: HTTP

    private static func serve(
        _ address: ListeningAddress,
        token: String?,
        _ receiver: CallReceiver
    ) async throws(CannotTakeCalls) -> ListeningThread {
        var settings = ListenerSettings.shortMessages(at: address, bodyLimit: BreakCall.longestText)
        settings.backlog = 64
        settings.connectionLimit = 64
        let access = ClientAccess(token: token)
        settings.keepsBody = { access.refusal(of: $0) == nil }
        do {
            return try await ListeningThread(settings) { try await $0.deliver(await receiver.answer(to: $0, access)) }
        } catch {
            throw CannotTakeCalls(error.description)
        }
    }

    // MARK: Lines

    private static func follow(_ places: [LinePlace], _ receiver: CallReceiver) async {
        var places = places
        while !Task.isCancelled {
            for index in places.indices {
                for line in places[index].next() {
                    switch line {
                    case .whole(let text): _ = await receiver.take(text, by: places[index].name, isBlankOne: false)
                    case .overlong: receiver.refuseOverlong(by: places[index].name)
                    }
                }
            }
            try? await Task.sleep(for: period)
        }
        for place in places { place.close() }
    }
}

/// Thread-safe.
final class CallReceiver: Sendable {
    struct Run: Sendable {
        let scheduler: CallScheduler
        let post: @Sendable (ScheduledBreak) async throws(CallRefusal) -> Void
        let now: @Sendable () -> WallTime
        let tell: @Sendable (String) -> Void

        func take(_ call: BreakCall) async throws(CallRefusal) -> ScheduledBreak {
            let scheduled = try scheduler.take(call, at: now())
            do {
                try await post(scheduled)
                return scheduled
            } catch {
                scheduler.withdraw()
                throw error
            }
        }
    }

    /// A file can hold any number of invalid lines.
    private static let mostRefusalsTold = 20

    private let run = Mutex<Run?>(nil)
    private let refusalsTold = Mutex(0)

    /// Nil accepts no more calls.
    func serve(_ next: Run?) { run.withLock { $0 = next } }

    /// Nil for text that is not a call; `isBlankOne` makes an empty text one; `way` names the source in messages.
    func take(_ text: [UInt8], by way: String, isBlankOne: Bool) async -> Result<ScheduledBreak, CallRefusal>? {
        guard let run = run.withLock({ $0 }) else { return .failure(.closed("No break is taken now.")) }
        let call: BreakCall
        do {
            guard let read = try BreakCall.reading(text) ?? (isBlankOne ? BreakCall() : nil) else { return nil }
            call = read
        } catch {
            run.scheduler.refuse()
            tell(error, by: way, run)
            return .failure(error)
        }
        do {
            let scheduled = try await run.take(call)
            run.tell(
                "Break \(scheduled.dateRangeID ?? "") of \(scheduled.duration.text) is called for by \(way) and begins at "
                    + "\(scheduled.start.iso8601)."
            )
            return .success(scheduled)
        } catch {
            tell(error, by: way, run)
            return .failure(error)
        }
    }

    func refuseOverlong(by way: String) {
        guard let run = run.withLock({ $0 }) else { return }
        run.scheduler.refuse()
        tell(.malformed("is longer than \(BreakCall.longestText) bytes"), by: way, run)
    }

    private func tell(_ refusal: CallRefusal, by way: String, _ run: Run) {
        let told = refusalsTold.withLock { told in
            told += 1
            return told
        }
        guard told <= Self.mostRefusalsTold else { return }
        let last = told == Self.mostRefusalsTold ? " Further ones are only counted." : ""
        run.tell("A call by \(way) is refused: \(refusal.text).\(last)")
    }
}

// MARK: - HTTP

extension CallReceiver {
    static let path = "/breaks"

    /// `POST /breaks` gets 202 with the break, or 4xx with the reason.
    func answer(to request: ServedRequest, _ access: ClientAccess) async -> ServedAnswer {
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

struct TakenCall: Codable, Equatable, Sendable {
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

/// Discards lines too long for a call.
struct LineCutter {
    enum Line: Equatable {
        case whole([UInt8])
        case overlong
    }

    private var begun: [UInt8] = []
    private var isOverlong = false

    /// Lines ended by this piece, without their ends.
    mutating func take(_ piece: some Sequence<UInt8>) -> [Line] {
        var lines: [Line] = []
        for byte in piece {
            if byte == UInt8(ascii: "\n") {
                lines.append(cut())
            } else if begun.count == BreakCall.longestText {
                isOverlong = true
            } else {
                begun.append(byte)
            }
        }
        return lines
    }

    /// The last line if it has no end.
    mutating func end() -> Line? { begun.isEmpty && !isOverlong ? nil : cut() }

    private mutating func cut() -> Line {
        defer { (begun, isOverlong) = ([], false) }
        return isOverlong ? .overlong : .whole(begun)
    }
}

/// Standard input, a named pipe, or a file that is appended to.
struct LinePlace {
    let name: String
    private let descriptor: Int32
    /// Standard input is shared and blocks: it is read only when bytes are available.
    private let isStandardInput: Bool
    /// Offset of the next read; nil for a pipe.
    private var position: off_t?
    private var cutter = LineCutter()
    private(set) var isOver = false

    private static let pieceBytes = 16_384

    static var standardInput: LinePlace {
        LinePlace(name: "standard input", descriptor: STDIN_FILENO, isStandardInput: true, position: nil)
    }

    private init(name: String, descriptor: Int32, isStandardInput: Bool, position: off_t?) {
        (self.name, self.descriptor, self.isStandardInput) = (name, descriptor, isStandardInput)
        self.position = position
    }

    /// Opens a file at its end, or a named pipe even without a writer.
    init(file path: String) throws(CannotTakeCalls) {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw CannotTakeCalls(path, errno) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else {
            let error = errno
            Glibc.close(descriptor)
            throw CannotTakeCalls(path, error)
        }
        let kind = facts.st_mode & S_IFMT
        let isPlainFile = kind == S_IFREG
        guard isPlainFile || kind == S_IFIFO else {
            Glibc.close(descriptor)
            throw CannotTakeCalls("\(path): is neither a file nor a named pipe")
        }
        self.init(
            name: path,
            descriptor: descriptor,
            isStandardInput: false,
            position: isPlainFile ? facts.st_size : nil
        )
    }

    /// Never blocks.
    mutating func next() -> [LineCutter.Line] {
        guard !isOver, isReadable else { return [] }
        let bytes = read()
        guard let bytes else { return [] }
        guard bytes.isEmpty else { return cutter.take(bytes) }
        // An appended file continues; a pipe's writer has closed it, and another may follow.
        guard position == nil else { return [] }
        isOver = isStandardInput
        return cutter.end().map { [$0] } ?? []
    }

    private var isReadable: Bool {
        guard isStandardInput else { return true }
        var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&wanted, 1, 0) > 0
    }

    /// Empty at the end; nil without available bytes.
    private mutating func read() -> [UInt8]? {
        var failed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.pieceBytes) { buffer, count in
            let read: Int
            if let position {
                var facts = stat()
                // The writer truncated the file.
                let start = fstat(descriptor, &facts) == 0 && facts.st_size < position ? 0 : position
                read = pread(descriptor, buffer.baseAddress, buffer.count, start)
                self.position = start + off_t(max(read, 0))
            } else {
                read = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            }
            failed = read < 0
            count = max(read, 0)
        }
        guard failed else { return bytes }
        // A closed standard input never gets new bytes; the others may.
        if isStandardInput, errno != EINTR, errno != EAGAIN { isOver = true }
        return nil
    }

    func close() { if !isStandardInput { Glibc.close(descriptor) } }
}

package struct CannotTakeCalls: Error, CustomStringConvertible {
    package let description: String

    init(_ place: String, _ number: Int32) { description = "\(place): \(String(cString: strerror(number)))" }

    init(_ description: String) { self.description = description }
}
