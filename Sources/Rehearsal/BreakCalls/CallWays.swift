package import AdServing
package import Profile
import Synchronization
import Transport
package import Values

/// The sources of calls in one run: opened before it begins, and closed when it is over.
package final class CallSources: Sendable {
    /// Between two reads of lines: little compared with a lead of seconds.
    private static let period = Duration.milliseconds(20)

    private let receiver = CallReceiver()
    private let server: ListeningThread?
    /// Open from the beginning, so that lines appended before the run accepts calls are not lost.
    private let places: [LinePlace]
    private let reading = Mutex<Task<Void, Never>?>(nil)
    private let isClosed = Mutex(false)
    /// A sentence for each source on how to call.
    package let invitations: [String]

    /// Opens all sources of a plan, and `file`; leaves none open where it throws.
    package init(_ trigger: TriggerPlan, file: String?) async throws(CannotTakeCalls) {
        var places: [LinePlace] = []
        if let file { places.append(try LinePlace(file: file)) }
        if trigger.readsStandardInput { places.append(.standardInput) }
        var invitations = places.map { "a line on \($0.name)" }
        if let address = trigger.http {
            do {
                let server = try await Self.serve(address, token: trigger.token, receiver)
                invitations.insert("POST http://\(server.authority)\(CallResponder.path)", at: 0)
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

    /// Accepts calls for a run.
    ///
    /// `post` sends a break that the scheduler has made to other processes; a break that it cannot send is refused. `now` is the
    /// run's own wall clock; `tell` writes a message for the user.
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

    /// Closes all sources once the calls in progress are answered; further calls do nothing.
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
        _ address: TriggerPlan.Address,
        token: String?,
        _ receiver: CallReceiver
    ) async throws(CannotTakeCalls) -> ListeningThread {
        let responder = CallResponder(access: ClientAccess(token: token)) { body in
            await receiver.take(body, by: "HTTP", isBlankOne: true) ?? .failure(.malformed("is empty"))
        }
        var settings = ListenerSettings.shortMessages(
            host: address.host,
            port: address.port,
            bodyLimit: BreakCall.longestText
        )
        settings.backlog = 64
        settings.connectionLimit = 64
        do {
            return try await ListeningThread(settings) { try await responder.respond(to: $0) }
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
