import AdServing
import HLS
import Results
import Rules
import Transport
import Values
import Viewer

/// One answer; valid during the call.
struct Examination: ~Copyable {
    let role: ViewerRole
    let index: UInt8
    let answer: TransferResult
    /// This machine stood still, so that the answer may have been there.
    let isOwnDelay: Bool
    let viewer: AuditedViewer
    let checks: CheckMemory
    /// Outside of breaks also once the request's break is over.
    let breakSlot: BreakSlot

    var isOrdinary: Bool { answer.isSuccess && answer.status != 202 && answer.redirects == 0 && answer.flaws.isEmpty }

    /// Whether the cause is this machine, its limits, its user or the user's proxy.
    ///
    /// Also for answers that a browser refuses, which have a finding of their own.
    var isOwnFailure: Bool {
        switch answer.failure {
        case nil: false
        case .unauthorisedHost, .redirectLimit, .localResources, .abandoned, .corsRefused: true
        case .some(let failure): failure.isOfProxy || isOwnDelay
        }
    }

    func problem(where isProblem: (Int) -> Bool) -> String? {
        guard let failure = answer.failure else { return isProblem(answer.status) ? "status \(answer.status)" : nil }
        return isOwnFailure ? nil : "no answer: \(failure.code)"
    }

    var endsSession: Bool { answer.failure == nil && context.endsSession(role, status: answer.status) }

    /// In seconds.
    var retryAfter: Int? { answer.retryAfter(now: context.seconds(answer)) }

    var context: AuditContext { viewer.context }

    func memory(ofTimesBody factor: Int) -> KeptMemory? { KeptMemory(factor * answer.body.count, context.account) }

    var wallTime: WallTime { context.plan.timebase.wall(at: answer.doneAt) }

    var nearSlot: BreakSlot {
        guard breakSlot == .outside else { return breakSlot }
        return viewer.breakSlot(nearTo: wallTime, isOfBreak: role == .verification)
    }

    /// Remembers why a joining viewer was rejected; `code` is the finding if no better answer comes.
    ///
    /// A nil `problem` stands for the status or failure.
    func noteUnreached(_ code: FindingCode, _ problem: String? = nil) {
        let refusal = context.authorisation.refusal(role.kind, of: answer)
        guard !isOwnFailure || refusal != nil else {
            viewer.record.unreached[code] = nil
            return
        }
        let wait = retryAfter.map { ", Retry-After \($0)" } ?? ""
        let outcome = answer.failure.map { "no answer: \($0.code)" } ?? "status \(answer.status)\(wait)"
        let isRefusal = answer.failure == nil && (answer.status == 401 || answer.status == 403)
        let problem = refusal ?? problem ?? outcome + (isRefusal ? context.missedCookies(answer) : "")
        viewer.record.unreached[code] = (answer.url, problem, servedBy)
    }

    var playlistSlot: BreakSlot { viewer.playlistSlot(at: answer.doneAt) }

    /// Texts must be redacted; nil stands for `nearSlot`.
    func found(_ code: FindingCode, expected: String, observed: String, breakSlot: BreakSlot? = nil) {
        let evidence = evidence(expected: expected, observed: observed)
        viewer.found(code, evidence, breakSlot: breakSlot ?? nearSlot, at: answer.doneAt)
    }

    func found(_ violations: [Violation], breakSlot: BreakSlot? = nil) {
        guard !violations.isEmpty else { return }
        viewer.found(violations, url: answer.url, served: servedBy, breakSlot: breakSlot ?? nearSlot, at: answer.doneAt)
    }

    func foundNoPlaylist(_ error: PlaylistError, breakSlot: BreakSlot) {
        if case .multivariant? = try? Playlist.parse(answer.body, url: answer.url) {
            return found([RoleChecks.misplaced], breakSlot: breakSlot)
        }
        let (body, imports) = (answer.body, viewer.facts.multivariant?.exports)
        let violations = PlaylistChecks.violations(in: body, refusedWith: error, url: answer.url, importing: imports)
        found(violations, breakSlot: breakSlot)
    }

    private func hasHeader(_ name: StaticString, _ value: StaticString) -> Bool {
        var isSame = false
        answer.readHeader(name) { bytes in
            isSame =
                bytes?.elementsEqual(UnsafeBufferPointer(start: value.utf8Start, count: value.utf8CodeUnitCount))
                ?? false
        }
        return isSame
    }

    /// The usual head takes a fast path.
    func headViolations(offersGzip: Bool) -> [Violation] {
        let isUsual = hasHeader("content-type", "application/vnd.apple.mpegurl")
        if isUsual, !offersGzip || hasHeader("content-encoding", "gzip") { return [] }
        let (url, bytes) = (answer.url, answer.body.count)
        return ResponseChecks.violations(acceptedGzip: offersGzip, url: url, bodyBytes: bytes) { answer.header($0) }
    }

    /// Returns whether there is another viewer's session.
    ///
    /// `body` is the answer's own, or the whole that it is a part of.
    ///
    /// `isCompared`: an answer without a foreign session is compared with those of other viewers.
    @discardableResult
    func lookForForeignSession(
        in body: UnsafeRawBufferPointer,
        breakSlot slot: BreakSlot? = nil,
        isCompared: Bool = false
    ) -> Bool {
        let slot = slot ?? breakSlot
        let (sessions, number) = (context.sessions, viewer.number)
        // A session that was given to others as well is found when it is given.
        let own = viewer.facts.streamID?.rawValue
        var foreign = sessions.foreign(in: body, to: number).map { ($0, "the body") }
        readPlacesBesideBody { text, place in
            foreign += sessions.foreign(in: text, to: number).map { ($0, place) }
        }
        guard let (id, place) = foreign.first(where: { $0.0 != own }) else {
            noteStrangers(sessions.strangers(in: body), breakSlot: slot, isCompared: isCompared)
            return false
        }
        found(
            .foreignStreamID,
            expected: expectedSession,
            observed: "in \(place) the session \(StreamID(id).redacted), which this run was given for another viewer",
            breakSlot: slot
        )
        return true
    }

    private var expectedSession: String {
        "no session but the viewer's own\(viewer.facts.streamID.map { ", \($0.redacted)" } ?? "")"
    }

    private func readPlacesBesideBody(_ read: (_ text: UnsafeRawBufferPointer, _ place: String) -> Void) {
        answer.readHeader("set-cookie") { if let value = $0 { read(value, "a cookie") } }
        guard answer.redirects > 0 else { return }
        var url = answer.url
        url.withUTF8 { read(UnsafeRawBufferPointer($0), "the address that a redirect led to") }
    }

    /// The words may be sessions of another process's viewers.
    func noteStrangers(_ inBody: StrangeWords, breakSlot slot: BreakSlot, isCompared: Bool = false) {
        let sessions = context.sessions
        guard sessions.areShared else { return }
        var (words, place) = (inBody, "the body")
        readPlacesBesideBody { text, otherPlace in
            if words == .none { place = otherPlace }
            words.formUnion(sessions.strangers(in: text))
        }
        guard words != .none else { return }
        let recorder = context.recorder
        recorder.strays[role.kind, default: StraySightings(room: StraySightings.roomOfLoop)].record(
            words.digests,
            reach: words.reach,
            breakKey: recorder.breakKey(of: slot),
            isCompared: isCompared,
            at: viewer.moment(answer.doneAt)
        ) { evidence(expected: expectedSession, observed: "in \(place)") }
    }

    private static var shownBytes: Int { 4 * ServerWarnings.textLimit }

    /// Ignores the heads of other servers than the ad server.
    func noteWarning() {
        guard role.traits.contains(.asksAdServer) else { return }
        // `WireName.warningHeader` in the form that header lookup needs.
        answer.readHeader("x-ad-manager-dai-warning") { value in
            guard let value else { return }
            let bytes = UnsafeRawBufferPointer(rebasing: value.prefix(Self.shownBytes))
            let text = Redaction.text(String(decoding: bytes, as: UTF8.self), own: viewer.facts.streamID)
            context.observer?.viewer(viewer.number, wasWarnedBy: role.kind, text)
            context.recorder.sums.warnings.count(role.kind, text)
        }
    }

    func noteSession(_ id: StreamID?) {
        if let id { context.sessions.add(id.rawValue, viewer: viewer.number) }
        noteCookie()
    }

    /// For targets without registrations.
    func notePersonalSessions() {
        noteSession(viewer.facts.streamID)
        var url = answer.url
        let stated = url.withUTF8 { StatedSession.ids(in: UnsafeRawBufferPointer($0)) }
        for id in stated + StatedSession.ids(in: answer.body) { context.sessions.add(id, viewer: viewer.number) }
    }

    private func noteCookie() {
        context.noteCookies(of: answer)
        let (number, names) = (viewer.number, context.plan.sessionCookies)
        answer.readHeader("set-cookie") { value in
            if let value, let id = StatedSession.id(inCookie: value, named: names) {
                context.sessions.add(id, viewer: number)
            }
        }
    }
}
