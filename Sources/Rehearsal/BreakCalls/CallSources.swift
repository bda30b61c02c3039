package import AdServing
import Foundation
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
