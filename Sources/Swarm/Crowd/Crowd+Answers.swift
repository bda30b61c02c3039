import AdServing
import Audit
import HLS
import Profile
import Results
import Rules
import Transport
import Values
import Viewer

extension Crowd: TransferHandler {
    func transportFailed(_ reason: String) { harnessFailure = harnessFailure ?? reason }

    func connectFailed(at address: String) { recorder.connectFailed(at: address) }

    func transferFinished(token: UInt64, _ result: borrowing TransferResult) {
        guard let (token, role, viewer) = asker(token) else { return }
        if role == .preflight { return preflightFinished(token, result, viewer) }
        // Before its next requests.
        if connection.keepsCookies { requests.keepCookies(of: result, viewer) }
        if isRefusedByBrowser(role, result, viewer) {
            finished(role, token, result.refusedByBrowser(), viewer)
        } else {
            finished(role, token, result, viewer)
        }
    }

    /// Sends the request that waited, or tells the viewer that it gets nothing.
    private func preflightFinished(_ token: CrowdToken, _ result: borrowing TransferResult, _ viewer: ViewerSlot) {
        let isRefused = auditor.context.pages?.refusal(ofPreflight: result) != nil
        let answer = isRefused ? result.refusedByBrowser() : copy result
        record(.preflight, answer, breakSlot: .outside, viewer)
        guard let book = viewer.preflights,
            case (var transfer, let history, let permission)? = book.take(token.request),
            let (unsent, role, _) = asker(transfer.token)
        else { return }
        guard answer.failure == nil, viewer.machine.isPresent else {
            let end = answer.ending(transfer, after: history)
            return understand(role, unsent, end, viewer, isSent: history.sends > 0)
        }
        book.keep(permission, by: answer)
        guard history.sends == 0 else { return transport.start(transfer, after: history) }
        // The target's time for the preflight is not a delay of the generator.
        transfer.plannedAt = answer.doneAt
        transport.start(transfer)
    }

    /// Sends a preflight in place of a request that needs one.
    @inline(never)
    func holds(_ next: TransferRequest, after history: TransferHistory) -> Bool {
        guard let (_, role, viewer) = asker(next.token), let pages = auditor.context.pages,
            let preflight = pages.preflight(before: next.request, to: role, viewer.machine.personaIndex),
            let asked = viewer.asking(preflight, for: next, after: history, at: clock.now)
        else { return false }
        transport.start(asked)
        return true
    }

    @inline(__always)
    private func asker(_ token: UInt64) -> (CrowdToken, ViewerRole, ViewerSlot)? {
        let token = CrowdToken(rawValue: token)
        guard let role = ViewerRole(rawValue: token.detail), token.index < viewers.count else { return nil }
        return (token, role, viewers[token.index])
    }

    private func isRefusedByBrowser(
        _ role: ViewerRole,
        _ result: borrowing TransferResult,
        _ viewer: ViewerSlot
    ) -> Bool {
        guard hasPages else { return false }
        return auditor.context.pages?.refusal(of: result, to: role, persona: viewer.machine.personaIndex) != nil
    }

    private func finished(
        _ role: ViewerRole,
        _ token: CrowdToken,
        _ result: borrowing TransferResult,
        _ viewer: ViewerSlot
    ) {
        if let event = repeated(role, token, result, viewer) {
            deliver(event, to: viewer, now: result.doneAt, handling: ownDelay(result))
        } else if end.beganAt != nil {
            finishAtEnd(role, token, result, viewer)
            return
        } else {
            understand(role, token, result, viewer)
        }
        if result.failure == nil, auditor.context.endsSession(role, status: result.status) {
            deliver(.sessionEnded, to: viewer, now: result.doneAt, handling: ownDelay(result))
        }
    }

    func redirected(
        to url: String,
        token: UInt64,
        after result: borrowing TransferResult
    ) throws(TransportFailure) -> RedirectedViewer {
        guard let (_, role, viewer) = asker(token) else { return (nil, false) }
        if role == .preflight { throw .corsRefused }
        if connection.keepsCookies {
            requests.keepCookies(of: result, viewer)
        } else {
            auditor.context.noteCookies(of: result)
        }
        if isRefusedByBrowser(role, result, viewer) { throw .corsRefused }
        let isPage = auditor.context.pages?.isPage(viewer.machine.personaIndex) ?? false
        return (connection.keepsCookies ? requests.cookies(for: url, viewer) : nil, isPage)
    }

    /// Nanoseconds of parsing after the end: more than good answers need, and a part of the second in which it must be over.
    private static let understandingAtEnd: Int64 = 250_000_000
    private static let longestAtEnd = 128 << 10

    private func finishAtEnd(
        _ role: ViewerRole,
        _ token: CrowdToken,
        _ result: borrowing TransferResult,
        _ viewer: ViewerSlot
    ) {
        guard understoodAtEnd < Self.understandingAtEnd, result.body.count <= Self.longestAtEnd else {
            record(role, result, breakSlot: slot(of: token, viewer), viewer)
            let event = ViewerEvent.requestFinished(role, index: token.request, succeeded: result.isSuccess)
            return deliver(event, to: viewer, now: result.doneAt, handling: ownDelay(result))
        }
        let began = clock.now
        understand(role, token, result, viewer)
        understoodAtEnd &+= clock.now &- began
    }

    /// The event of an unchanged playlist, which nearly all polls bring; nil for anything else.
    private func repeated(
        _ role: ViewerRole,
        _ token: CrowdToken,
        _ result: borrowing TransferResult,
        _ viewer: ViewerSlot
    ) -> ViewerEvent? {
        guard
            role == .playlist, result.isSuccess, result.redirects == 0, result.flaws.rawValue == 0,
            let poll = viewer.machine.poll(ofRequest: token.request),
            auditor.repeated(
                result.body,
                after: poll.latest,
                changedAt: poll.changedAt,
                asked: result.sentAt,
                viewer.record
            )
        else { return nil }
        record(role, result, breakSlot: .outside, viewer)
        let age = poll.wantsAge ? UInt8(clamping: result.ageSeconds ?? 0) : 0
        return .playlist(poll.latest, plannedAt: result.plannedAt, index: token.request, age: age)
    }

    private func understand(
        _ role: ViewerRole,
        _ token: CrowdToken,
        _ result: TransferResult,
        _ viewer: ViewerSlot,
        isSent: Bool = true
    ) {
        recorder.exchanges.begin()
        if isSent { record(role, result, breakSlot: slot(of: token, viewer), viewer) }
        if result.failure == nil, !result.isSuccess, result.header("retry-after") != nil {
            recorder.count(.retryAfterAnswers)
        }
        let findings = viewer.record.findings
        let event = auditor.examine(
            role,
            index: token.request,
            breakSerial: token.breakSerial,
            result,
            isOwnDelay: isOwnDelay(role, result, persona: viewer.machine.personaIndex),
            facts: viewer.machine,
            viewer.record
        )
        if tracing.isOn, Outcome(result).isError || viewer.record.findings != findings { viewer.suspect(role) }
        let ownDelay = ownDelay(result)
        let asked = ownDelay &- result.handling
        if let arrival = viewer.hold(event, role, result, ownDelay: asked) {
            let held: ViewerEvent =
                token.breakSerial == 0
                ? .mediaOnLine(index: token.request)
                : .breakAnswered(BreakAnswer(role, serial: token.breakSerial, index: token.request, .onLine))
            deliver(held, to: viewer, now: result.doneAt, handling: ownDelay)
            schedule(CrowdToken.arrival, index: viewer.seat, at: arrival)
        } else {
            deliver(event, to: viewer, now: result.doneAt, handling: ownDelay, answer: result)
        }
        if !recorder.exchanges.found.isEmpty { keepFound(isSent ? role : .preflight, result, viewer) }
    }

    private func slot(of token: CrowdToken, _ viewer: ViewerSlot) -> BreakSlot {
        guard token.breakSerial != 0, let planned = viewer.machine.planned(ofSerial: token.breakSerial) else {
            return .outside
        }
        return auditor.context.slot(of: planned, viewer.record)
    }

    private func record(
        _ role: ViewerRole,
        _ result: borrowing TransferResult,
        breakSlot: BreakSlot,
        _ viewer: ViewerSlot
    ) {
        // The target decides how long connecting takes; only the rest is the generator's delay.
        let history = result.history
        let waiting = history.connectMicroseconds &+ history.tlsMicroseconds &+ Int64(history.awaitedMicroseconds)
        if result.sentAt &- result.plannedAt &- waiting &* 1000 > lateAfterNanoseconds { lateStarts += 1 }
        if result.failure == .localResources || result.failure?.isOfProxy == true { droppedStarts += 1 }
        // The host of a refused redirect answered.
        let halted = result.failure == .unauthorisedHost && history.sends > 0 ? 1 : 0
        let repeated = max(Int(history.sends) - 1 - result.redirects, 0)
        if repeated + halted > 0 { resends[Int(role.kind.rawValue)] += repeated + halted }
        if repeated > 0 { recorder.countRepeated(role.kind, by: UInt64(repeated)) }
        if let key = auditor.context.authorisation.key(role.kind, of: result) { recorder.sums.leftOut.count(key) }
        let slot = edge(of: result)
        let sample = RequestSample(
            result,
            kind: role.kind,
            breakSlot: breakSlot,
            edgeSlot: slot,
            cache: caches.cacheUse(result, kind: role.kind, slot: slot),
            groups: viewer.groups
        )
        if watchesAnswers { watch(role, result, viewer) }
        if recorder.record(sample) { keepSlow(role, result, breakSlot: breakSlot, viewer) }
    }

    /// Nanoseconds by which podswarm delayed an answer: it was read late, and after a stall requested late.
    private func ownDelay(_ result: borrowing TransferResult) -> Int64 {
        isOfStall(result) ? result.handling &+ max(result.sentAt &- result.plannedAt, 0) : result.handling
    }

    private func isOfStall(_ result: borrowing TransferResult) -> Bool {
        guard let stall = clock.lastStall else { return false }
        return stall.endedAt >= result.plannedAt && stall.beganAt <= result.doneAt
    }

    /// True after a stall of this machine: the answer may have been there in time.
    private func isOwnDelay(_ role: ViewerRole, _ result: borrowing TransferResult, persona: UInt8) -> Bool {
        guard let failure = result.failure else { return false }
        if isOfStall(result) { return true }
        let limits = limits[persona, role]
        let (began, own, usual): (Instant, TransferLimits.Time, Duration)
        switch failure {
        case .connectTimeout, .proxyTimeout:
            (began, own, usual) = (result.plannedAt, limits.connect, connection.connectTimeout)
        case .firstByteTimeout: (began, own, usual) = (result.sentAt, limits.firstByte, connection.firstByteTimeout)
        case .totalTimeout: (began, own, usual) = (result.plannedAt, limits.total, connection.totalTimeout)
        default: return false
        }
        let limit = own.nanoseconds(otherwise: usual.nanosecondsHeld)
        return result.doneAt &- began > limit.addingClamped(lateAfterNanoseconds)
    }
}

struct CacheNamings {
    /// Answers of an edge and kind whose heads are searched for a cache; if none of them names one, later ones are not.
    private static let searchedAnswers: UInt8 = 32
    private static let kinds = RequestKind.allCases.count

    private enum CacheNaming {
        case searched(UInt8)
        case by(CacheHeader)
    }

    private var namings = [CacheNaming](repeating: .searched(0), count: (EdgeSlot.limit + 2) * kinds)

    /// Reads what the answer says of caches, as far as answers of this edge and kind say anything.
    @inline(__always)
    mutating func cacheUse(_ result: borrowing TransferResult, kind: RequestKind, slot: UInt16) -> CacheUse {
        let index = Int(slot) &* Self.kinds &+ Int(kind.rawValue)
        if case .searched(Self.searchedAnswers) = namings[index] { return .unsaid }
        return result.status > 0 ? readCacheUse(result, index) : .unsaid
    }

    @inline(never)
    private mutating func readCacheUse(_ result: TransferResult, _ index: Int) -> CacheUse {
        switch namings[index] {
        case .by(let header): return header.use(result.readHeader) ?? .unsaid
        case .searched(let answers):
            for header in CacheHeader.allCases {
                guard let use = header.use(result.readHeader) else { continue }
                // Others may have a plainer header, which this one lacks.
                if header != .age { namings[index] = .by(header) }
                return use
            }
            if result.isSuccess { namings[index] = .searched(answers + 1) }
            return .unsaid
        }
    }
}

extension Crowd {
    /// Noted with the connection, which leads to one edge.
    @inline(__always)
    func edge(of result: borrowing TransferResult) -> UInt16 {
        result.connection.note != EdgeSlot.none ? result.connection.note : readEdge(of: result)
    }

    @inline(never)
    private func readEdge(of result: TransferResult) -> UInt16 {
        guard result.connection.remote != 0 else { return EdgeSlot.none }
        // A failed request names no point of presence; the next answer on this connection may.
        let pop = result.status > 0 ? PointOfPresence.name(result.readHeader) : ""
        let slot = recorder.edgeSlot(of: Edge(address: result.remoteAddress, pop: pop))
        if result.status > 0 { result.noteConnection(slot) }
        return slot
    }

    /// Text is made later, if the answer is still among the slowest.
    @inline(never)
    func keepSlow(_ role: ViewerRole, _ result: TransferResult, breakSlot: BreakSlot, _ viewer: ViewerSlot) {
        let response = (result.doneAt &- result.handling &- result.plannedAt) / 1_000
        let wall = plan.timebase.wall(at: result.plannedAt).microseconds
        let outcome = Outcome(result)
        recorder.keepSlow(role.kind, breakSlot: breakSlot, wallMicroseconds: wall, responseMicroseconds: response) {
            let (head, url, address, trace) = (result.copyHead(), result.url, result.remoteAddress, result.trace)
            let (own, number) = (viewer.machine.streamID, viewer.machine.number)
            return { breakKey in
                SlowAnswer(
                    kind: role.kind,
                    breakKey: breakKey,
                    responseMicroseconds: response,
                    outcome: outcome.code,
                    at: ViewerMoment(viewer: number, wallMicroseconds: wall),
                    Evidence(
                        url: Redaction.url(url, own: own),
                        served: ServedBy(own: own, address: address, traceID: trace?.traceID) { head.read($0, $1) }
                    )
                )
            }
        }
    }

    func start(
        _ role: ViewerRole,
        _ request: PreparedRequest,
        plannedAt: Instant,
        request number: UInt8 = 0,
        breakSerial: UInt16 = 0,
        keepsBody: Bool,
        _ viewer: ViewerSlot
    ) {
        let (seat, detail) = (viewer.seat, role.rawValue)
        let transfer = TransferRequest(
            tracing.isOn ? traced(request, role, viewer) : request,
            owner: viewer.owner,
            plannedAt: plannedAt,
            token: CrowdToken(index: seat, detail: detail, breakSerial: breakSerial, request: number).rawValue,
            keepBody: keepsBody,
            limits: limits[viewer.machine.personaIndex, role]
        )
        guard hasPages, holds(transfer, after: TransferHistory()) else { return transport.start(transfer) }
    }

    /// Traces a share of all requests, and each after a failed one of its kind or one with a finding.
    func traced(_ request: PreparedRequest, _ role: ViewerRole, _ viewer: ViewerSlot) -> PreparedRequest {
        viewer.requestNumber &+= 1
        let isSuspect = viewer.takesSuspicion(of: role)
        let trace = tracing.context(viewer.requestNumber, ofViewer: viewer.machine.number, isChosen: isSuspect)
        return trace.map(request.carrying) ?? request
    }
}

/// Chooses the traced requests and their ids by the seed, the viewer and the request's number.
struct RequestTracing {
    /// 53 bits; 0 traces no request.
    private let threshold: UInt64
    private let seed: UInt64

    init(share: Double, seed: UInt64) {
        threshold = UInt64(max(0, min(share, 1)) * 0x1p53)
        self.seed = seed
    }

    @inline(__always)
    var isOn: Bool { threshold > 0 }

    /// Requests are numbered from 1 for each viewer; nil for one that is neither drawn nor `isChosen`.
    func context(_ number: UInt32, ofViewer viewer: Int, isChosen: Bool = false) -> TraceContext? {
        let ofViewer = seed &+ (UInt64(truncatingIfNeeded: viewer) &+ 1) &* 0xD1B5_4A32_D192_ED03
        var numbers = SplitMix64(seed: ofViewer ^ UInt64(number) &* 0x9FB2_1C65_1E98_DF25)
        guard numbers.next() >> 11 < threshold || isChosen else { return nil }
        return TraceContext(traceHigh: numbers.next(), traceLow: numbers.next(), parent: numbers.next())
    }
}
