import AdServing
import Foundation
import Results
import Rules
import Transport
import Values

@testable import Swarm
@testable import Viewer

extension ScriptedCrowd {
    /// Does what a line says.
    ///
    /// - Returns: What it shows.
    func play(_ verb: String, _ words: inout Words, body: String?) throws -> [String] {
        switch verb {
        case "wait": advance(seconds: try words.number())
        case "join": join()
        case "start": start(words.next() ?? "")
        case "watch":
            let seconds = try words.number()
            watch(seconds: seconds, pods: words.next() == nil ? nil : words.numbers())
        case "channel": watch(ScriptedChannel(), seconds: try words.number())
        case "fire": fire(try words.name(of: ViewerTimer.self), of: words.count())
        case "now": fireNow(try words.name(of: ViewerTimer.self), of: words.count())
        case "leave": leave(words.count())
        case "load": return ["loaded: \(loadedSegments().joined(separator: ", "))"]
        case "ping": return ["pinged: \(pings(seconds: try words.number()).joined(separator: ", "))"]
        case "answer": try answer(&words, body)
        default: throw CrowdScript.Unusable(description: "no line of a case")
        }
        return []
    }

    /// Joins and shows the first playlist; how the registration is answered is said in a word.
    private func start(_ registration: String) {
        guard registration.hasPrefix("every=") else { return startWatching(registers: registration != "unregistered") }
        join()
        let frequency = registration.dropFirst("every=".count)
        answer(.registration, AnswerBody.registration().replacing("frequency\":10", with: "frequency\":\(frequency)"))
        answer(.multivariant)
        answer(.playlist)
    }

    /// Answers segment after segment until none is asked for.
    private func loadedSegments() -> [String] {
        var names: [String] = []
        while let role = [ViewerRole.key, .segment].first(where: { count($0) > 0 }), names.count < 100 {
            let together = count(role) == 1 ? "" : " of \(count(role))"
            names.append("\(answer(role).split(separator: "/").last ?? "")\(together)")
        }
        return names
    }

    private func answer(_ words: inout Words, _ body: String?) throws {
        guard !words.rest.hasPrefix("all") else {
            answerAll()
            return
        }
        let role = try words.name(of: ViewerRole.self)
        var viewer: Int?
        var status: Int?
        var (after, isOptional) = (0.0, false)
        var reply = Reply()
        while let word = words.next() {
            switch word {
            case "of": viewer = words.count()
            case "status": status = words.count()
            case "failure": reply.failure = try words.name(of: TransportFailure.self)
            case "after": after = try words.number()
            case "handling": reply.handling = .milliseconds(Int64(try words.number() * 1_000))
            case "redirects": reply.redirects = words.count()
            case "elsewhere": reply.leftHost = true
            case "flaw": reply.flaws.insert(try Self.flaw(words.next() ?? ""))
            case "maybe": isOptional = true
            case "with":
                // A blank of a value is a plus.
                let field = (words.next() ?? "").split(separator: "=", maxSplits: 1).map(String.init)
                reply.headers[field.first ?? ""] = field.count > 1 ? field[1].replacing("+", with: " ") : ""
            default: throw CrowdScript.Unusable(description: "no part of an answer: \(word)")
            }
        }
        guard !isOptional || count(role) > 0 else { return }
        answer(
            role,
            try body.map { try self.body($0) },
            of: viewer,
            status: status ?? 200,
            failure: reply.failure,
            headers: reply.headers,
            redirects: reply.redirects,
            leftHost: reply.leftHost,
            flaws: reply.flaws,
            after: after,
            handling: reply.handling
        )
    }

    static let flaws: [String: AnswerFlaws] = [
        "codingInvalid": .codingInvalid, "lengthInvalid": .lengthInvalid, "partialUnasked": .partialUnasked,
        "lengthWithTransferCoding": .lengthWithTransferCoding, "closeUnannounced": .closeUnannounced,
    ]

    private static func flaw(_ name: String) throws -> AnswerFlaws {
        guard let flaw = flaws[name] else { throw CrowdScript.Unusable(description: "no flaw: \(name)") }
        return flaw
    }

    /// A body that a word makes, or the text itself with `\n` for the end of a line.
    private func body(_ text: String) throws -> String {
        var words = Words(text)
        switch words.next() {
        case "pod":
            let seconds = words.numbers()
            return AnswerBody.pod(seconds, folder: words.next() ?? "ads", segment: words.next() ?? "mp4")
        case "two-segments": return Self.twoSegments
        case "two-gaps": return Self.twoSegments.replacing("#EXTINF", with: "#EXT-X-GAP\n#EXTINF")
        case "multivariant": return AnswerBody.multivariant
        case "variant": return AnswerBody.oneVariant
        case "pathways": return Self.pathways(words.rest)
        case "demuxed": return Self.demuxed
        case "media": return AnswerBody.media(words.count(), words.count(else: 6))
        case "segments": return AnswerBody.media(words.count(), words.count(), seconds: 4, target: 4)
        case "breaks":
            let first = words.count()
            return AnswerBody.media(first, header: words.numbers().map { AnswerBody.breakTag(at: $0) }.joined())
        case "jumped":
            // Date of the first of 12 segments, second and length of the jump, and seconds of breaks.
            let (date, at, by) = (try words.number(), try words.number(), try words.number())
            let header = words.numbers().map { AnswerBody.breakTag(at: $0) }.joined()
            return AnswerBody.media(100, 12, header: header, date: date, jumps: [.init(at: at, by: by)])
        case "live": return ScriptedChannel().text(at: seconds)
        case "session":
            let members = words.pairs()
            return AnswerBody.registration(Int(members["viewer"] ?? "") ?? 0, validity: members["valid_for"])
        case "metadata":
            let breakID = words.next() ?? ""
            let tags = words.rest.split(separator: " ").map { $0.split(separator: ":").map(String.init) }
            let listed = tags.filter { $0.count == 3 }.map { (id: $0[0], ad: Int($0[1]) ?? 0, type: $0[2]) }
            let ads = words.pairs()["ads"]?.split(separator: ",").compactMap { Int($0) }
            return AnswerBody.metadata(listed, ads: ads ?? Set(listed.map(\.ad)).sorted(), of: breakID)
        default: return text.replacing("\\n", with: "\n")
        }
    }

    static let twoSegments = """
        #EXTM3U
        #EXT-X-TARGETDURATION:10
        #EXT-X-MAP:URI="/init.mp4"
        #EXTINF:5,
        /0.m4s
        #EXTINF:5,
        /1.m4s
        #EXT-X-ENDLIST

        """

    /// Two pathways of two variants each.
    static func pathways(_ steering: String) -> String {
        let variants = ["A", "B"].flatMap { pathway in
            [800_000, 400_000].enumerated().map { place, bandwidth in
                "#EXT-X-STREAM-INF:BANDWIDTH=\(bandwidth),PATHWAY-ID=\"\(pathway)\"\n\(pathway.lowercased())\(place).m3u8\n"
            }
        }
        return "#EXTM3U\n#EXT-X-CONTENT-STEERING:\(steering)\n" + variants.joined()
    }

    /// Two variants with audio and subtitles in playlists of their own.
    static let demuxed = """
        #EXTM3U
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="other",URI="other.m3u8"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="main",DEFAULT=YES,URI="audio.m3u8"
        #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="en",AUTOSELECT=YES,URI="subtitles.m3u8"
        #EXT-X-STREAM-INF:BANDWIDTH=800000,AUDIO="a",SUBTITLES="s"
        v0/media.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=400000,AUDIO="a",SUBTITLES="s"
        v1/media.m3u8

        """
}

extension ScriptedCrowd {
    /// Lines about one thing, which the first word names.
    func shown(_ text: String) throws -> [String] {
        var words = Words(text)
        let name = words.next() ?? ""
        if name == "evidence" { return try evidence(of: words.next()) }
        let values = try values(of: name, &words)
        return ["\(text): \(values.isEmpty ? "none" : values.joined(separator: ", "))"]
    }

    private func evidence(of code: String?) throws -> [String] {
        let found = totals.findings.filter { code == nil || $0.code.code == code }.compactMap(\.first?.evidence)
        let lines = found.flatMap {
            ["evidence: \(Self.path($0.url))", "  expected \($0.expected)", "  observed \($0.observed)"]
        }
        return lines.isEmpty ? ["evidence: none"] : lines
    }

    private func values(of name: String, _ words: inout Words) throws -> [String] {
        switch name {
        case "found": return found(words.next())
        case "left-out": return totals.leftOut.rows.map { "\($0.key.field) status \($0.key.redirect ?? 0)" }.sorted()
        case "asked": return asked(try words.name(of: ViewerRole.self)).map(Self.text)
        case "urls": return urls(try words.name(of: ViewerRole.self), of: words.count()).map(Self.path)
        case "bodies":
            let sent = transport.requests(try words.name(of: ViewerRole.self), of: words.count())
            return sent.map { $0.body.map { String(decoding: $0, as: UTF8.self) } ?? "none" }
        case "requests":
            let kind = try words.name(of: ViewerRole.self).kind
            return totals.requests.outcomesByCode(kind).map { "\($0.key) \($0.value)" }.sorted()
        case "open":
            let role = words.rest
            return open.filter { role.isEmpty || "\($0.role)" == role }.map(Self.text)
        case "timer":
            let timer = try words.name(of: ViewerTimer.self)
            return [timers(of: words.count())[timer].map { Self.text(Self.seconds($0)) } ?? "none"]
        case "timers": return timers.keys.map { "\($0)" }.sorted()
        case "warmed": return warmed.map(Self.text)
        case "counted", "added", "totals":
            let names = words.rest.split(separator: " ").map(String.init)
            return try names.map { "\($0) \(try number(of: $0, in: name))" }
        default: return try values(of: name)
        }
    }

    private func number(of counter: String, in kind: String) throws -> UInt64 {
        var words = Words(counter)
        let counter = try words.name(of: ViewerCounter.self)
        return switch kind {
        case "counted": UInt64(counted(counter))
        case "added": added(counter)
        default: totals.count(of: counter)
        }
    }

    private func values(of name: String) throws -> [String] {
        switch name {
        case "outcomes": outcomes.map(Self.text)
        case "ads": adEvents.map { "\($0)" }
        case "breaks":
            scheduled.map { "\($0.scheduled.ordinal) \($0.scheduled.key) \($0.url.map(Self.path) ?? "unprepared")" }
        case "next": [machine.nextBreakStart.map { "\($0.iso8601)" } ?? "none"]
        case "books": ["\(books.scheduled) scheduled, \(books.ended) ended"]
        case "behind": [Self.text(latency)]
        case "reads-metadata": ["\(machine.wantsMetadata)"]
        case "shut-out": shutOuts
        case "viewer":
            [
                "\(machine.phase)", machine.streamID?.rawValue ?? "no session", Self.path(machine[.video].url),
                isGone ? "gone" : "there",
            ]
        default: throw CrowdScript.Unusable(description: "nothing to show: \(name)")
        }
    }

    /// Since when the viewer knows of no break, and the stretches that are over.
    private var shutOuts: [String] {
        let open = machine.shutOut(at: now).map { "\($0.cause.rawValue) since \(Self.text(Self.seconds($0.since)))" }
        let over = notes.compactMap { note -> String? in
            guard case .shutOut(let cause, let from, let until) = note else { return nil }
            let (first, last) = (Self.text(Self.seconds(from)), Self.text(Self.seconds(until)))
            return "\(cause.rawValue) from \(first) until \(last)"
        }
        return [open].compactMap(\.self) + over
    }

    /// Codes of findings, each with its count and its viewers where only some are asked for.
    private func found(_ of: String?) -> [String] {
        guard let of else { return codesByBreak }
        guard of != "answers" else {
            return totals.findings.filter { $0.code.group == .answers }.map { "\($0.code.code) \($0.count)" }.sorted()
        }
        return totals.findings.filter { $0.code.code.hasPrefix(of.dropLast()) }.map { finding in
            let viewers = (0..<10).filter { finding.viewers.contains($0) }.map { " \($0)" }
            return "\(finding.code.code) \(finding.count) by\(viewers.joined())"
        }.sorted()
    }

    private static func text(_ request: Request) -> String {
        "\(request.role) \(request.index == 0 ? "" : "\(request.index) ")\(path(request.url))"
    }

    private static func path(_ url: String) -> String { url.replacing(server, with: "") }

    /// To the millisecond.
    private static func text(_ seconds: Double) -> String {
        let rounded = (seconds * 1_000).rounded() / 1_000
        return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
    }

    private static func text(_ note: ViewerNote) -> String {
        switch note {
        case .breakDue: "due"
        case .breakOnTime(let afterStart, _): "on time at \(text(Double(afterStart) / 1e9))"
        case .breakLate(let lateness, _, _): "late by \(text(Double(lateness) / 1e9))"
        case .breakFailed(let failure): failure.rawValue
        case .breakSkipped(let reason): "skipped \(reason.rawValue)"
        default: "\(note)"
        }
    }
}
