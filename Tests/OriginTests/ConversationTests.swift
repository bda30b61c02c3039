import AdServing
import Foundation
import HLS
import Profile
import TestSupport
import Testing
import Transport
import Values

@testable import Origin

/// The origin answers as the files of `Conversations` say, directly and in virtual time.
///
/// A file begins with the origin's settings, channel plan and fault plan. A line `> GET PATH` is a request, which may have
/// its time (seconds from the start of the first break), its viewer, its host and its page's origin (`from`) before the
/// method, and a body after the path; `> FOLLOW 2` asks for the second URI of the answer before. The lines after it say what holds of the answer:
///
///     404                   its status
///     age: 7                a header; `none` where it must be missing
///     released +2s          the instant of the answer, where the origin holds it back
///     reset, truncated      how it arrives, where that is not whole
///     empty                 a body of no bytes
///     duration 30, segments 15    of a media playlist
///     3 x TEXT              how often the body has a text
///     no TEXT               a text that the body must not have
///     truth a.b = 3         a value in what the origin counted so far
///     TEXT                  anything else: a text that the body must have
///
/// `$1` stands for the first session's ID in a URL; `$metadata`, `$update` and `$verify/` are its paths; `$media` is the first
/// media ID of the last body that has one, and `EVENT` the path of the event.
@Suite struct ConversationTests {
    private static let folder = PackageFolder.file("Tests/OriginTests/Conversations")

    private static let names: [String] = {
        let files = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return (files ?? []).map { $0.deletingPathExtension().lastPathComponent }.sorted()
    }()

    @Test(arguments: Self.names) func theOriginAnswersAsTheFileSays(name: String) throws {
        let text = try String(contentsOf: Self.folder.appending(path: "\(name).txt"), encoding: .utf8)
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
        let begin = try #require(lines.firstIndex { $0.hasPrefix("> ") }, "no request")
        let conversation = try Conversation(setUp: lines[..<begin])
        for line in lines[begin...] { try line.hasPrefix("> ") ? conversation.ask(line) : conversation.expect(line) }
    }
}

private final class Conversation {
    private static let start = WallTime(microseconds: 1_795_248_720_000_000)
    private static let event = "network/21775744923/custom_asset/sgai-hls-live"

    private let service: OriginService
    private var now = start + .seconds(10)
    private var answer: VirtualAnswer?
    private var body = ""
    /// The first that a body named.
    private var mediaID = "none"

    init(setUp lines: ArraySlice<String>) throws {
        var sections: [String: [String]] = [:]
        var section = ""
        for line in lines {
            if line.hasPrefix("  ") {
                sections[section, default: []].append(String(line.dropFirst(2)))
            } else {
                section = line
            }
        }
        let settings = try sections["settings:", default: []].reduce(into: OriginConfiguration()) { settings, line in
            let words = line.split(separator: " ").map(String.init)
            let change = try #require(Self.settings[words[0]], "unknown setting \(line)")
            change(&settings, words.count > 1 ? words[1] : "")
        }
        let probe = try ServiceProbe(
            faults: sections["faults:", default: []].joined(separator: "\n"),
            channel: sections["channel:", default: []].joined(separator: "\n")
        ) { $0 = settings }
        service = probe.service
    }

    private static let settings: [String: @Sendable (inout OriginConfiguration, String) -> Void] = [
        "aimedBy": { $0.aimingParameter = $1 },
        "breakDuration": { $0.breakDuration = seconds($1) },
        "closesBreaks": { settings, _ in settings.closesBreaks = true },
        "countedFields": { settings, fields in
            settings.countedFields = fields.split(separator: ",").flatMap {
                [CountedField(.registration, String($0)), CountedField(.update, String($0))]
            }
        },
        "noAnnouncements": { settings, _ in settings.announcesBreaks = false },
        "noBreaks": { settings, _ in settings.breakInterval = .zero },
        "redirectsMultivariant": { settings, _ in settings.redirectsMultivariant = true },
        "segmentDuration": { $0.segmentDuration = seconds($1) },
        "sessionPlaylists": { settings, _ in settings.hasSessionPlaylists = true },
        "sessionValidity": { $0.sessionValidity = seconds($1) },
        "verificationConflicts": { settings, _ in settings.hasVerificationConflicts = true },
    ]

    private static func seconds(_ text: some StringProtocol) -> Duration {
        .milliseconds(Int64(((Double(text.dropLast()) ?? .nan) * 1_000).rounded()))
    }

    private func expanded(_ text: some StringProtocol) -> String {
        let paths = SessionPaths(service.configuration)
        let first = StreamID(SessionRegistry.streamID(number: 0, seed: 1))
        let named = String(text).replacing("EVENT", with: Self.event).replacing("$media", with: mediaID)
            .replacing("$metadata", with: paths.metadata(streamID: first))
            .replacing("$update", with: paths.update(streamID: first))
            .replacing("$verify/", with: paths.verification(streamID: first))
        return (1...9).reduce(named) { text, number in
            let session = SessionRegistry.streamID(number: UInt64(number - 1), seed: 1)
            return text.replacing("$\(number)", with: StreamID(session).percentEncoded)
        }
    }

    func ask(_ line: String) throws {
        var words = line.split(separator: " ").dropFirst()
        var request = DirectRequest(target: "", authority: "127.0.0.1:8080", viewer: 0)
        while let word = words.popFirst() {
            switch word {
            case "viewer": request.viewer = words.popFirst().flatMap { Int($0) } ?? -1
            case "host": request.authority = String(words.popFirst() ?? "")
            case "from": request.fields.append(("Origin", String(words.popFirst() ?? "")))
            case "gzip": request.fields.append(("Accept-Encoding", "gzip"))
            case "GET", "POST":
                request.method = word == "GET" ? .get : .post
                request.target = expanded(words.popFirst() ?? "")
                request.body = Array(expanded(words.joined(separator: " ")).utf8)
                let isJSON = words.first.map { "{[".contains($0.first ?? " ") } == true
                if isJSON { request.fields.append(("Content-Type", "application/json")) }
                words = []
            case "FOLLOW":
                let place = words.popFirst().flatMap { Int($0) } ?? 1
                request.target = try #require(
                    uris.count >= place ? uris[place - 1] : nil,
                    "\(line): no such URI in\n\(body)"
                )
            default: now = Self.start + Self.seconds(word)
            }
        }
        let answer = service.answer(request, at: now)
        answer.readBody { body = String(decoding: $0, as: UTF8.self) }
        self.answer = answer
        if let found = body.firstMatch(of: /google_[0-9a-f]+-[0-9]-[0-9]/) { mediaID = String(found.output) }
    }

    /// URIs of a playlist's lines, or of an asset list; without the origin's own address.
    private var uris: [String] {
        let named =
            body.hasPrefix("#")
            ? body.split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
            : body.replacing("\\/", with: "/").matches(of: #/"(?:URI|manifestUrl)" ?: ?"([^"]*)"/#).map {
                String($0.output.1)
            }
        return named.map { $0.replacing("http://127.0.0.1:8080", with: "") }
    }

    func expect(_ line: String) throws {
        let answer = try #require(answer)
        let words = line.split(separator: " ").map(String.init)
        if let status = Int(line) {
            #expect(answer.status == status, "\(body)")
        } else if let header = line.wholeMatch(of: /([a-z-]+): (.*)/) {
            let value = answer.headers[String(header.output.1)]
            #expect(value == (header.output.2 == "none" ? nil : expanded(header.output.2)), "\(line)")
        } else if let text = line.wholeMatch(of: /no (.*)/) {
            #expect(!body.contains(expanded(text.output.1)), "\(line)")
        } else if let text = line.wholeMatch(of: /([0-9]+) x (.*)/) {
            let count = body.components(separatedBy: expanded(text.output.2)).count - 1
            #expect(count == Int(text.output.1), "\(line) in\n\(body)")
        } else if let value = line.wholeMatch(of: /truth (.*) = (.*)/) {
            #expect(try counted(String(value.output.1)) == value.output.2, "\(line)")
        } else if line == "empty" {
            #expect(body.isEmpty)
        } else if ["reset", "truncated"].contains(line) {
            #expect(answer.failure.map { "\($0)" } == line)
        } else if words[0] == "released" {
            #expect(answer.releasedAt.duration(since: Self.start) == Self.seconds(words[1]), "\(line)")
        } else if ["duration", "segments"].contains(words[0]), words.count == 2 {
            guard case .media(let playlist) = try Playlist(parsing: Array(body.utf8)) else {
                Issue.record("no media playlist: \(body)")
                return
            }
            let duration = Double(playlist.durationMicroseconds) / 1e6
            #expect(
                Double(words[1]) == (words[0] == "duration" ? duration : Double(playlist.segments.count)),
                "\(line)"
            )
        } else {
            #expect(body.contains(expanded(line)), "\(line) in\n\(body)")
        }
    }

    /// A value of the ground truth by the names that lead to it.
    private func counted(_ path: String) throws -> String {
        let truth = try TestJSON(Array(service.truth(at: now).json()))
        let value = path.split(separator: "/").reduce(truth as TestJSON?) { $0?[String($1)] }
        return value?.text ?? value?.number.map { $0.formatted() } ?? "nothing"
    }
}
