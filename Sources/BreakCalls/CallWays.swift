package import AdServing
import HTTPServing
package import LoadProfile
import Synchronization
package import Time

/// The ways by which breaks are called for in one run: opened before it begins, and closed when it is over.
package final class CallWays: Sendable {
    /// Between two looks at lines: nothing beside a lead of seconds.
    private static let period = Duration.milliseconds(20)

    private let office = CallOffice()
    private let server: ListeningThread?
    /// Open from the beginning, so that nothing that is appended before a run takes calls is lost.
    private let places: [LinePlace]
    private let reading = Mutex<Task<Void, Never>?>(nil)
    private let isClosed = Mutex(false)
    /// How to call, in words, by each way.
    package let invitations: [String]

    /// Opens all that a plan names.
    ///
    /// - Parameters:
    ///   - trigger: The plan.
    ///   - file: Where its file is.
    /// - Throws: `CannotTakeCalls`; nothing is left open.
    package init(_ trigger: TriggerPlan, file: String?) async throws(CannotTakeCalls) {
        var places: [LinePlace] = []
        if let file { places.append(try LinePlace(file: file)) }
        if trigger.readsStandardInput { places.append(.standardInput) }
        var invitations = places.map { "a line on \($0.name)" }
        if let address = trigger.http {
            do {
                let server = try await Self.serve(address, token: trigger.token, office)
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

    /// Takes calls for a run.
    ///
    /// - Parameters:
    ///   - desk: Of the run.
    ///   - post: Tells other processes of a break that the desk has made; one that cannot be told is not taken.
    ///   - now: The run's own wall clock.
    ///   - tell: Whoever looks on.
    package func begin(
        _ desk: CallDesk,
        post: @escaping @Sendable (ScheduledBreak) async throws(CallRefusal) -> Void = { _ in },
        now: @escaping @Sendable () -> WallTime,
        tell: @escaping @Sendable (String) -> Void
    ) {
        office.serve(CallOffice.Run(desk: desk, post: post, now: now, tell: tell))
        reading.withLock { [places, office] reading in
            if reading == nil, !places.isEmpty { reading = Task { await Self.follow(places, office) } }
        }
        tell(invitation)
    }

    private var invitation: String { "Breaks are called for by \(invitations.joined(separator: ", or "))." }

    /// Takes no more calls.
    package func end() { office.serve(nil) }

    /// Closes all that was opened, once what is being answered has been; the second time nothing is left to close.
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
        _ office: CallOffice
    ) async throws(CannotTakeCalls) -> ListeningThread {
        let responder = CallResponder(access: ClientAccess(token: token)) { body in
            await office.take(body, by: "HTTP", isBlankOne: true) ?? .failure(.malformed("is empty"))
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

    private static func follow(_ places: [LinePlace], _ office: CallOffice) async {
        var places = places
        while !Task.isCancelled {
            for index in places.indices {
                for line in places[index].next() {
                    switch line {
                    case .whole(let text): _ = await office.take(text, by: places[index].name, isBlankOne: false)
                    case .overlong: office.refuseOverlong(by: places[index].name)
                    }
                }
            }
            try? await Task.sleep(for: period)
        }
        for place in places { place.close() }
    }
}
