package import AdServing
import Audit
package import Results
package import Rules
package import Transport
package import Values
import Viewer

extension Crowd {
    /// Before the answer is understood.
    @inline(never)
    func watch(_ role: ViewerRole, _ result: TransferResult, _ viewer: ViewerSlot) {
        let number = viewer.machine.number
        observer?.viewer(number, got: Outcome(result), of: role.kind, result)
        guard recorder.exchanges.asked.concern(number) else { return }
        recorder.exchanges.keep { exchange(role, result, viewer) }
    }

    @inline(never)
    func keepFound(_ role: ViewerRole, _ result: TransferResult, _ viewer: ViewerSlot) {
        recorder.exchanges.keepFound(viewerFindings: Int(viewer.record.findings)) { exchange(role, result, viewer) }
    }

    private func exchange(_ role: ViewerRole, _ result: TransferResult, _ viewer: ViewerSlot) -> Exchange {
        Exchange(
            result,
            of: role.kind,
            by: viewer.machine.number,
            own: viewer.machine.streamID,
            plannedAt: plan.timebase.wall(at: result.plannedAt)
        )
    }
}

extension Exchange {
    /// Redacted: headers not known to be harmless lose their values, and only playlists show their bodies.
    package init(
        _ result: borrowing TransferResult,
        of kind: RequestKind,
        by viewer: Int,
        own: StreamID?,
        plannedAt: WallTime
    ) {
        self.init(viewer: viewer, kind: kind.name, wallMicroseconds: plannedAt.microseconds)
        let (request, head) = (result.request, result.copyHead().text)
        method = request?.method.rawValue ?? method
        url = Redaction.url(result.url.isEmpty ? request?.url ?? "" : result.url, own: own)
        requestFields = Self.fields(request?.head ?? "", own)
        (status, outcome) = (result.status, Outcome(result).code)
        fields = Self.fields(head, own, isAnswer: true)
        if head.hasPrefix("HTTP/1") {
            version = String(head.prefix(8))
        } else if status > 0, url.hasPrefix("https") {
            version = "HTTP/2"
        }
        (bodyBytes, contentBytes) = (result.bodyBytes, max(result.bodyBytes, result.body.count))
        (body, address, redirects) = (Self.shown(result.body, own), result.remoteAddress, result.redirects)
        let connecting = result.history.connectMicroseconds &+ result.history.tlsMicroseconds
        let sent = result.sentAt == .zero ? result.doneAt : result.sentAt
        let first = result.firstByteAt == .zero ? result.doneAt : result.firstByteAt
        times.waitedMicroseconds = max(0, (sent &- result.plannedAt) / 1_000 &- connecting)
        times.connectMicroseconds = result.history.connectMicroseconds
        times.tlsMicroseconds = result.history.tlsMicroseconds
        times.firstByteMicroseconds = max(0, (first &- sent) / 1_000)
        times.readMicroseconds = max(0, (result.doneAt &- first) / 1_000)
        times.handlingMicroseconds = result.handling / 1_000
    }

    /// Bodies of other kinds hold ids of sessions in any shape.
    private static func shown(_ body: UnsafeRawBufferPointer, _ own: StreamID?) -> String? {
        guard body.starts(with: "#EXTM3U".utf8) else { return nil }
        let isCut = body.count > longestBody
        let shown = body.prefix(longestBody)
        // A part of a line may hold a part of a secret.
        let end = isCut ? shown.lastIndex(of: UInt8(ascii: "\n")) ?? shown.startIndex : shown.endIndex
        let start = String(decoding: shown[..<end], as: UTF8.self)
        return Redaction.text(withoutRemarks(start), own: own) + (isCut ? "\n…" : "")
    }

    /// Names of headers whose values identify no viewer; the values of all others are hidden.
    private static let harmless: Set = [
        "accept", "accept-encoding", "accept-language", "accept-ranges", "access-control-allow-credentials",
        "access-control-allow-origin", "age", "allow", "cache-control", "cache-status", "cf-cache-status", "connection",
        "content-encoding", "content-length", "content-range", "content-type", "date", "expires", "host", "keep-alive",
        "last-modified", "location", "origin", "range", "referer", "retry-after", "server", "traceparent",
        "transfer-encoding", "user-agent", "vary", "via", "x-ad-manager-dai-warning", "x-cache",
    ]

    /// Hides comments (bis-22 section 4.1): they name sessions in any form.
    private static func withoutRemarks(_ playlist: String) -> String {
        playlist.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .map { $0.hasPrefix("#") && !$0.hasPrefix("#EXT") ? "#…" : String($0) }.joined(separator: "\n")
    }

    /// Hides words of free text that look like a session or token; those of `Via` name machines.
    private static func withoutIDs(_ value: String, of name: String) -> String {
        var (shown, rest) = ("", value[...])
        while let first = rest.first {
            let isWord = !" ,;()\"".contains(first)
            let run = rest.prefix { !" ,;()\"".contains($0) == isWord }
            let hides = name == "via" ? Redaction.holdsUUID(run) : !run.contains("=") && Redaction.looksSecret(run)
            shown += hides ? Redaction.hash(of: String(run)) : String(run)
            rest = rest[run.endIndex...]
        }
        return shown
    }

    private static func fields(_ head: String, _ own: StreamID?, isAnswer: Bool = false) -> [Field] {
        head.split(whereSeparator: \.isNewline).compactMap { line -> Field? in
            guard let colon = line.firstIndex(of: ":"), colon > line.startIndex, !line[..<colon].contains(" ") else {
                return nil
            }
            let name = String(line[..<colon])
            let value = String(line[line.index(after: colon)...].drop { $0 == " " })
            let lowered = name.lowercased()
            let isHarmless = harmless.contains(lowered) || value.isEmpty
            let isAddress = lowered == "location" || lowered == "referer"
            let shown = isAddress ? Redaction.url(value, own: own) : Redaction.text(value, own: own)
            let safe = isAnswer && !isAddress ? withoutIDs(shown, of: lowered) : shown
            return Field(name: name, value: isHarmless ? safe : "…")
        }
    }
}
