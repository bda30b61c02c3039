import Comparison
package import Foundation
package import Report
package import Results
import Swarm
import Transport
import Values

/// A result in another format, besides its own.
package struct ExportTarget: Equatable, Sendable {
    package let format: ExportFormat
    package let path: String

    package var isStandardOutput: Bool { path == OutputPlace.standardOutput }

    package init(format: ExportFormat, path: String) { (self.format, self.path) = (format, path) }

    /// Checks before a run that the file can be written after it; throws `CommandFailure` with the valid values.
    package init(parsing text: String) throws {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2 else {
            throw CommandFailure("--output \(text): an output is FORMAT=FILE, such as junit=junit.xml")
        }
        self.init(format: try ExportFormat(naming: parts[0], for: "--output"), path: parts[1])
        try OutputPlace.checkFolder(of: path, for: "--output \(text)")
    }

    /// Whole or not at all; throws `CommandFailure` with the file's name.
    package func write(_ document: ResultDocument) throws {
        try OutputPlace.write(OutputPlace.rendered(path) { try format.render(document) }, to: path)
    }
}

extension CommandFailure {
    /// The run has its result.
    static func ofOutput(_ reason: String) -> CommandFailure {
        let exit = PodswarmExit.notWritten
        return CommandFailure("an output could not be written (exit \(exit.rawValue)): \(reason)", as: exit)
    }
}

extension [ExportTarget] {
    /// Continues after a failed export.
    func write(_ document: ResultDocument) -> CommandFailure? {
        var problems: [String] = []
        for target in self {
            do {
                try target.write(document)
            } catch {
                let reason = (error as? CommandFailure)?.message ?? "\(error)"
                let advice = "podswarm result export writes it from the result"
                problems.append(CommandFailure.ofOutput("\(reason); \(advice)").message)
            }
        }
        return problems.isEmpty ? nil : CommandFailure(problems.joined(separator: "\n"), as: .notWritten)
    }
}

extension ExportFormat {
    /// Throws `CommandFailure` with every format.
    package init(naming name: String, for option: String) throws {
        guard let format = ExportFormat(rawValue: name) else {
            let advice = NearestName.advice(for: name, among: ExportFormat.allCases.map(\.rawValue))
            throw CommandFailure("\(option): there is no format '\(name)'; \(advice)")
        }
        self = format
    }
}

extension ResultStore {
    /// Folder of results for a journal in `folder`.
    package static func folder(of document: ResultDocument, beside folder: URL) -> URL {
        let above = folder.deletingLastPathComponent()
        let usual = ResultStore(folder: above).profileFolder(document.run.profile)
        return usual.lastPathComponent == folder.lastPathComponent ? above : folder
    }
}

struct ResultFolders {
    /// The innermost first.
    private let made: [URL]

    /// Throws `CommandFailure` where a result could not be written there.
    init(of profile: String, in store: ResultStore) throws(CommandFailure) {
        let innermost = store.profileFolder(profile)
        var missing: [URL] = []
        var folder = innermost.standardizedFileURL
        while access(folder.path, F_OK) != 0, folder.pathComponents.count > 1 {
            missing.append(folder)
            folder.deleteLastPathComponent()
        }
        made = missing
        let option = "--results \(store.folder.relativePath)"
        guard (try? FileManager.default.createDirectory(at: innermost, withIntermediateDirectories: true)) != nil else {
            removeEmpty()
            throw CommandFailure(
                "\(option): the folder \(innermost.path) cannot be made; "
                    + "start in a folder that you may write to, or name one with --results"
            )
        }
        // access(2) does not report a file system that is read-only or full of files.
        let probe = innermost.appending(path: ".podswarm-\(getpid()).probe").path
        let descriptor = open(probe, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let reason = String(cString: strerror(errno))
            removeEmpty()
            throw CommandFailure("\(option): \(innermost.path): \(reason); name a folder that you may write to")
        }
        close(descriptor)
        unlink(probe)
    }

    func removeEmpty() { for folder in made { _ = rmdir(folder.path) } }
}

package enum ResultPage {
    package static func place(beside result: URL) -> URL {
        result.deletingPathExtension().appendingPathExtension("html")
    }

    /// Nil leaves the result valid.
    @discardableResult
    package static func write(_ page: () throws -> String, beside file: URL, _ output: RunOutput) -> URL? {
        let place = place(beside: file)
        do throws(CommandFailure) {
            try OutputPlace.write(page(), to: place.path)
            return place
        } catch {
            output.note("the report beside the result could not be written: \(error.message)")
            return nil
        }
    }
}

/// Posts the run as `podswarm results --json` lists it, when its result is written.
///
/// An option and not a field: a shared profile must not send anything by itself.
package struct EndNotice: Sendable {
    package static let keyVariable = "PODSWARM_ON_END_KEY"
    private static let patience = Duration.seconds(10)

    /// May hold a token: never printed.
    private let url: String
    private let authority: String
    private let key: String?

    /// Throws `CommandFailure` for another address than one of http or https.
    package init(url: String) throws {
        guard let server = RequestTarget(url: url), !server.needsCurl, !url.contains("#") else {
            throw CommandFailure("--on-end: not an address; write http:// or https://, a host and a path")
        }
        (self.url, authority) = (url, server.authority)
        key = ProcessInfo.processInfo.environment[Self.keyVariable].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns even if the server never answers; a failure is told and leaves the verdict alone.
    func send(_ file: URL, _ output: RunOutput) async {
        do {
            let path = file.relativePath
            let row = try RunRow(json: ResultFile.contents(of: path), path: path)
            let body = Array(try RunListDocument(RunList(rows: [row], leftOut: [])).json())
            if let problem = try await post(body) { output.warn("--on-end: \(authority) was not told: \(problem)") }
        } catch {
            output.warn("--on-end: \(authority) was not told: \(error)")
        }
    }

    /// Returns the reason of a failure.
    private func post(_ body: [UInt8]) async throws -> String? {
        var configuration = TransportConfiguration()
        configuration.connectTimeout = Self.patience
        configuration.firstByteTimeout = Self.patience
        configuration.totalTimeout = Self.patience
        configuration.maximumBodyBytes = 1 << 16
        configuration.maximumRedirects = 0
        configuration.authorisedHosts = AuthorisedHosts([authority])
        let signature = key.map { "sha256=" + Digest.hexadecimal(Digest.hmacSHA256(of: body, key: Array($0.utf8))) }
        let session = try await FetchSession.open(configuration)
        let answer = await session.send(
            .post,
            body,
            to: url,
            headers: [("Content-Type", "application/json")] + (signature.map { [("Podswarm-Signature", $0)] } ?? [])
        )
        await session.shutDown()
        if let code = answer.failureCode { return "\(code)" }
        return 200..<300 ~= answer.status ? nil : "status \(answer.status)"
    }
}
