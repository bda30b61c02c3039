import AdServing
import Foundation
import Results
import Rules
import TestSupport
import Testing
import Transport
import Values

@testable import Profile
@testable import Swarm
@testable import Viewer

/// One viewer of a channel with interstitials for each file of `Cases`: a sentence, the lines of the channel, of the answers
/// and of the player, and after `---` what came of it.
@Suite struct InterstitialCaseTests {
    private static let folder = "Tests/SwarmTests/Interstitials/Cases"

    private static let names =
        (try? FileManager.default.contentsOfDirectory(atPath: PackageFolder.file(folder).path).sorted()) ?? []

    @Test func thereAreCases() { #expect(Self.names.count > 60) }

    @Test(arguments: names)
    func theViewerDoesAsTheCaseSays(name: String) throws {
        let path = "\(Self.folder)/\(name)"
        let text = try PackageFolder.text(path)
        let script = String(text[..<(text.firstRange(of: "---\n")?.lowerBound ?? text.endIndex)])
        try GoldenFile.expect("\(script)---\n\(try InterstitialCase(script).play())", at: path)
    }
}

/// The lines of a case: first words name what the others set.
private struct InterstitialCase {
    private struct UnknownLine: Error { let line: Substring }

    private var ranges: [InterstitialChannel.Listed] = []
    private var trigger = InterstitialFacts.Trigger.buffered
    private var preload = InterstitialFacts.Preload.ignored
    private var joins = 0.0
    private var window = 12
    private var dateJumps: [AnswerBody.DateJump] = []
    private var isSparselyDated = false
    private var outage: Range<Double>?
    private var plan: [(inout LoadPlan) -> Void] = []
    private var facts: [(inout Persona) -> Void] = []
    private var replies: [(part: String, reply: InterstitialChannel.Reply, seconds: Double)] = []
    private var steps: [(InterstitialChannel) -> Void] = []
    private var showsFindings = false

    init(_ text: String) throws {
        for line in text.split(separator: "\n").dropFirst() {
            let words = line.split(separator: " ").map(String.init)
            guard readChannel(words) || readPlayer(words) || readStep(words) else { throw UnknownLine(line: line) }
        }
    }

    private static func number(_ name: String, _ words: [String]) -> Double? {
        words.firstIndex(of: name).flatMap { words.count > $0 + 1 ? Double(words[$0 + 1]) : nil }
    }

    private mutating func readChannel(_ words: [String]) -> Bool {
        let attributes = words.last.flatMap { $0.contains("=") ? $0 : nil } ?? ""
        func number(_ name: String) -> Double? { Self.number(name, words) }
        var listed: InterstitialChannel.Listed
        switch words[0] {
        case "list": listed = .list(words[1], at: number("at") ?? 0, attributes)
        case "asset": listed = .asset(words[1], at: number("at") ?? 0, attributes)
        case "preload":
            let uri = words.firstIndex(of: "uri").map { ScriptedCrowd.server + words[$0 + 1] }
            listed = .preload(of: words[1], from: number("between") ?? 0, to: number("and") ?? 0, uri: uri)
        case "window":
            window = Int(words[1]) ?? 0
            return true
        case "jump":
            dateJumps.append(.init(at: number("jump") ?? 0, by: number("by") ?? 0))
            return true
        case "outage":
            guard let from = number("from"), let until = number("until"), from < until else { return false }
            outage = from..<until
            return true
        case "dates":
            isSparselyDated = words[1] == "sparse"
            return isSparselyDated
        case "reply": return readReply(words)
        default: return false
        }
        listed.from = number("from") ?? listed.from
        listed.until = number("until") ?? listed.until
        ranges.append(listed)
        return true
    }

    private mutating func readReply(_ words: [String]) -> Bool {
        let reply: InterstitialChannel.Reply
        switch words[2] {
        case "list":
            let pairs = words.dropFirst(3).prefix { $0 != "after" }.map { $0 }
            let names = stride(from: 0, to: pairs.count, by: 2)
            reply = .list(names.map { (uri: pairs[$0], seconds: Double(pairs[$0 + 1]) ?? 0) })
        case "json": reply = .json(words.dropFirst(3).joined(separator: " "))
        case "media": reply = .media(seconds: Double(words[3]) ?? 0)
        case "live": reply = .live
        case "silence": reply = .silence
        case "503": reply = .failure(.unavailable)
        case "404": reply = .failure(.clientError)
        case "html": reply = .failure(.unreadable)
        default: return false
        }
        replies.append((words[1], reply, Self.number("after", words) ?? 0))
        return true
    }

    private mutating func readPlayer(_ words: [String]) -> Bool {
        let seconds = words.last.flatMap(Double.init) ?? 0
        switch words.prefix(2).joined(separator: " ") {
        case "trigger buffered": trigger = .buffered
        case "trigger edge": trigger = .bufferedOrEdge(lookAhead: .seconds(seconds))
        case "trigger playhead": trigger = .playhead(.seconds(seconds))
        case "trigger targets": trigger = .playheadTargets(seconds)
        case "trigger discovery": trigger = .discovery
        case "trigger never": trigger = .never
        case "preloads start": preload = .rangeStart
        case "preloads random": preload = .randomPoint
        case "player beacons": facts.append { $0.interstitials.sendsBeacons = words[2] == "yes" }
        case "player start-offset": facts.append { $0.interstitials.sendsStartOffset = words[2] == "yes" }
        case "player text-durations": facts.append { $0.interstitials.readsTextDurations = words[2] == "yes" }
        case "player relative-assets": facts.append { $0.interstitials.resolvesAssets = words[2] == "yes" }
        case "player incomplete-assets": facts.append { $0.interstitials.leavesOutIncomplete = words[2] == "yes" }
        case "player one-list-at-a-time": facts.append { $0.interstitials.loadsOneListAtATime = true }
        case "player persona":
            guard let known = KnownPersona.named(words[2]) else { return false }
            facts.append { $0.interstitials = known.persona.interstitials }
        case "player patience": facts.append { $0.requests.assetList.total = .seconds(seconds) }
        case "player retries":
            let rule = RetryRule(retries: Int(seconds), firstWait: .seconds(1))
            facts.append { $0.requests.assetList.afterError = rule }
        case "player retries-client-errors": facts.append { $0.requests.assetList.retriesClientErrors = true }
        case "viewer seeks":
            let plan = NavigationPlan(share: 1, every: .seconds(1_000_000), distance: .seconds(seconds))
            self.plan.append { $0.audience.seeks = plan }
        case "impressions withheld": plan.append { $0.impressions = .withheld }
        case "reporting client", "reporting server":
            let target = MediaTailorPlan(
                server: ScriptedCrowd.server,
                asset: "a/live/index.m3u8",
                session: .implicit,
                reporting: words[1] == "client" ? .client : .server
            )
            plan.append { $0.target = .mediaTailor(target) }
        default: return false
        }
        return true
    }

    private mutating func readStep(_ words: [String]) -> Bool {
        switch words[0] {
        case "join": joins = Double(words[1]) ?? 0
        case "run": steps.append { $0.run(seconds: Double(words[1]) ?? 0) }
        case "leave": steps.append { $0.viewer.leave() }
        case "end": steps.append { $0.hasEnded = true }
        case "show": showsFindings = true
        case "seek": steps.append { $0.seekNow() }
        case "stay": steps.append { $0.viewer.machine.screen.navigation.instant = .distantFuture }
        default: return false
        }
        return true
    }

    /// Plays the case.
    ///
    /// - Returns: Requests with their seconds, and what came of the breaks.
    func play() -> String {
        let channel = InterstitialChannel(ranges, trigger: trigger, preload: preload, joining: joins) { plan in
            for change in self.plan { change(&plan) }
        } facts: { persona in
            for change in facts { change(&persona) }
        } replies: { channel in
            channel.windowSegments = window
            channel.dateJumps = dateJumps
            channel.isSparselyDated = isSparselyDated
            channel.outage = outage
            for each in replies { channel.reply(each.part, each.reply, after: each.seconds) }
        }
        for step in steps { step(channel) }
        let viewer = channel.viewer
        let primaryID = "_HLS_primary_id=" + viewer.machine.primaryID
        let requests = channel.asked.map { request in
            let url = request.url.replacing(ScriptedCrowd.server, with: "").replacing("?" + primaryID, with: "")
            return "\(Self.seconds(ScriptedCrowd.seconds(request.plannedAt))) \(request.role) "
                + url.replacing("&" + primaryID, with: "")
        }
        let counters = viewer.notes.compactMap { note -> String? in
            guard case .counted(let counter) = note else { return nil }
            let name = "\(counter)"
            return Self.counted.contains { name.hasPrefix($0) } ? name : nil
        }
        let counts = Set(counters).sorted().map { name in "\(name) \(counters.count { $0 == name })" }
        let fills = viewer.eventNotes.compactMap { key, note -> String? in
            guard case .breakFilled(let asked, let filled) = note else { return nil }
            return "\(key) \(Self.seconds(Double(filled) / 1e9)) of \(Self.seconds(Double(asked) / 1e9))"
        }
        let told = [
            "outcomes": channel.outcomes, "filled": fills, "ads": viewer.adEvents.map { "\($0)" }, "counted": counts,
            "found": showsFindings ? Self.found(by: viewer) : [],
            "then": ["\(viewer.machine.phase)", "\(Self.seconds(channel.latency)) s behind"],
        ]
        let lines = told.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }.map { name, values in
            "\(name): \(values.joined(separator: ", "))"
        }
        return (requests + lines).map { $0 + "\n" }.joined()
    }

    /// Findings about ads and date ranges, each with its severity: the scripted playlist keeps few rules of its own, and
    /// there is no ad server.
    private static func found(by viewer: ScriptedCrowd) -> [String] {
        let codes = viewer.totals.findings.map(\.code).filter {
            ($0.group.isOfAds && $0 != .registrationFailed) || $0.code.hasPrefix("date_range")
        }
        return codes.map { "\($0.code) \($0.severity.rawValue)" }.sorted()
    }

    private static let counted = [
        "events", "beacons", "preloads", "seeks", "assetLists", "joinedMidBreak", "leftDuringAds", "stalls",
    ]

    /// To a tenth, which is what steps of the script leave exact.
    private static func seconds(_ seconds: Double) -> String { "\((seconds * 10).rounded() / 10)" }
}
