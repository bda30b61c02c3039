import Foundation
import TestSupport
import Testing

/// Commands of a user with what each prints, as a file of `Tests/EndToEndTests/Transcripts`.
///
/// A line `$ COMMAND`, which goes on in lines `> MORE`, is run by bash in a folder with copies of `Transcripts/Files` and with the
/// files that follow at the end of the transcript, each after a line `== NAME`. Lines below a command say what is expected of it:
///
/// - `status: 2`; without it the status is 0.
/// - `output: TEXT` and `errors: TEXT` stand in what it printed, whatever the white space; `no output: TEXT` does not, and
///   `no output:` means that there is nothing at all.
/// - `findings: CODE, CODE` are those above advice in the newest result below `results`; over sockets without what a starved machine
///   rightly brings about.
/// - `schema: NAME` means that the JSON it printed satisfies the schema of that name, as `podswarm result schema` prints it.
/// - `json: …`, `result: …` and `FILE.json: …` are a ``JSONExpectation`` of what it printed, of the newest result, or of a file.
///
/// A line `origin: OPTIONS` before the first command starts a `podswarm origin` with these options, whose address is `$ORIGIN`. Such a
/// transcript, and every other one that waits for real seconds, says why after `# Over sockets, because`.
/// `$PORT` is a port where nobody listens, and with `$PWD` known in what is expected, too. `$START` is the instant at which runs in
/// virtual time begin, `$PACKAGE` the checkout, `$PYTHON` the Python of tests, `$SCRIPTS` the folder of their scripts, `$SHARED` one
/// with histories of results, and `$LIBRARY` one with forty nights of them.
struct Transcript: Sendable, CustomTestStringConvertible {
    struct Step: Sendable {
        var command: String
        var expectations: [(key: String, value: String)] = []
    }

    static let folder = PackageFolder.file("Tests/EndToEndTests/Transcripts")

    /// Its path below the folder of all, without the extension.
    let name: String
    private(set) var steps: [Step] = []
    private(set) var files: [String: String] = [:]
    private(set) var origin: String?
    /// Whether it says why it waits for what happens on this machine.
    let isOverSockets: Bool

    var testDescription: String { name }

    init(_ name: String, _ text: String) throws {
        self.name = name
        isOverSockets = text.contains("# Over sockets, because")
        var file: String?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("== ") {
                file = String(line.dropFirst(3))
                files[file ?? ""] = ""
            } else if let file {
                files[file]? += line + "\n"
            } else if line.hasPrefix("$ ") {
                steps.append(Step(command: String(line.dropFirst(2))))
            } else if line.hasPrefix("> "), !steps.isEmpty {
                steps[steps.count - 1].command += "\n" + line.dropFirst(2)
            } else if line.hasPrefix("origin:") {
                origin = String(line.dropFirst("origin:".count))
            } else if let colon = line.firstIndex(of: ":"), !steps.isEmpty, !line.hasPrefix("#") {
                let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
                steps[steps.count - 1].expectations.append((String(line[..<colon]), value))
            } else if !line.isEmpty, !line.hasPrefix("#") {
                throw Obstacle("\(name): neither a command nor an expectation: \(line)")
            }
        }
    }

    /// All of them, in the order of their names.
    static func all() throws -> [Transcript] {
        let found = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        let files = (found?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "transcript" }
        let all = try files.map { file in
            let name = file.path.dropFirst(folder.path.count + 1).dropLast(".transcript".count)
            return try Transcript(String(name), String(contentsOf: file, encoding: .utf8))
        }
        return all.sorted { $0.name < $1.name }
    }

    func complaints() async throws -> [String] {
        let place = try TemporaryFolder()
        let fixture = try TranscriptFiles.shared.get()
        let copy = ["-c", "cp -r \"$0\"/. \"$1\"", fixture.folder.path, place.path]
        _ = try await ExternalTool.bash.run(copy).succeeded()
        for (name, text) in files { try place.write(text, to: name) }
        var environment = try fixture.environment()
        guard let origin else { return try await complaints(in: place, environment) }
        let options = origin.split(separator: " ").map { String($0).replacing("$PWD", with: place.path) }
        return try await RunningOrigin.serving(options) { origin in
            environment["ORIGIN"] = origin.url
            return try await complaints(in: place, environment)
        }
    }

    private func complaints(in place: TemporaryFolder, _ environment: [String: String]) async throws -> [String] {
        for step in steps {
            let end = try await ExternalTool.bash.run(
                ["-o", "pipefail", "-c", "cd \"$0\" && eval \"$1\"", place.path, step.command],
                environment: environment
            )
            let look = TranscriptLook(end: end, folder: place)
            var found: [String] = []
            let hasStatus = step.expectations.contains { $0.key == "status" }
            for (key, value) in step.expectations + (hasStatus ? [] : [("status", "0")]) {
                found += try await look.complaints(
                    of: key,
                    value.replacing("$PORT", with: environment["PORT"] ?? "").replacing("$PWD", with: place.path)
                )
            }
            if end.isSignal || end.errors.contains("Fatal error") || end.errors.contains("Optional(") {
                found.append("it trapped, or printed what is no text for users")
            }
            guard found.isEmpty else { return found + ["$ \(step.command)", end.output, end.errors] }
        }
        return []
    }
}

private struct TranscriptLook {
    let end: ChildProcess.End
    let folder: TemporaryFolder

    func complaints(of key: String, _ value: String) async throws -> [String] {
        switch key {
        case "status": return value == "\(end.status)" ? [] : ["status: \(end.status) and not \(value)"]
        case "output": return Self.contains(end.output, value) ? [] : ["output: \(value)"]
        case "errors": return Self.contains(end.errors, value) ? [] : ["errors: \(value)"]
        case "no output": return Self.lacks(end.output, value) ? [] : ["no output: \(value)"]
        case "no errors": return Self.lacks(end.errors, value) ? [] : ["no errors: \(value)"]
        case "schema":
            let option = value == "result" ? nil : "--\(value)"
            let complaints = try await PrintedSchema.complaints(by: option, about: Data(end.output.utf8))
            return complaints.isEmpty ? [] : ["schema: \(complaints)"]
        case "findings":
            let all = Self.value(at: "findings", in: newestResult) as? [[String: Any]] ?? [["code": "no result"]]
            var codes = all.filter { $0["severity"] as? String != "advice" }.compactMap { $0["code"] as? String }
            if Self.value(at: "run.host.name", in: newestResult) as? String != "virtual" {
                codes.removeAll { StarvedMachine.findings.contains($0) }
            }
            let expected = value.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            return codes == expected ? [] : ["findings: \(codes) and not \(expected)"]
        case "json": return try complaints(of: value, in: Data(end.output.utf8))
        case "result": return try complaints(of: value, in: newestResult)
        default: return try complaints(of: value, in: try? Data(contentsOf: folder.file(key)))
        }
    }

    private func complaints(of expectation: String, in json: Data?) throws -> [String] {
        guard let json, let document = try? JSONSerialization.jsonObject(with: json) else {
            return ["\(expectation): there is no JSON"]
        }
        return try JSONExpectation(expectation).complaint(about: document).map { [$0] } ?? []
    }

    private static func value(at path: String, in json: Data?) -> Any? {
        json.flatMap { try? JSONSerialization.jsonObject(with: $0) }.flatMap { JSONExpectation.value(at: path, in: $0) }
    }

    private var newestResult: Data? {
        // Runs that begin at one virtual instant are told apart by more than their names.
        func written(_ file: URL) -> Date {
            (try? file.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate) ?? .distantPast
        }
        return folder.results(in: "results").max { written($0) < written($1) }.flatMap { try? Data(contentsOf: $0) }
    }

    private static func contains(_ text: String, _ words: String) -> Bool { inOneLine(text).contains(inOneLine(words)) }

    private static func lacks(_ text: String, _ words: String) -> Bool {
        words.isEmpty ? text.isEmpty : !contains(text, words)
    }

    private static func inOneLine(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
