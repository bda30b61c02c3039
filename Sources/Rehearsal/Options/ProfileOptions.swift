import AdServing
package import ArgumentParser
package import Foundation
package import Profile
import Swarm
import Transport
import Values

package struct ProfileOptions: ParsableArguments {
    @Argument(help: Self.help, completion: Self.completion)
    package var path: String

    @Option("duration", "How long viewers watch, such as 90s or 8h.")
    package var duration: String?

    @Option("number", "How many viewers.")
    package var viewers: String?

    @Option("number", "Seed of everything left to chance.")
    package var seed: String?

    @Option(
        "field=value",
        "Override a field, such as breaks.podIdentifier=synchronised; may be repeated.",
        name: .customLong("set")
    )
    package var settings: [String] = []

    package init() {}

    package static let help: ArgumentHelp = "The profile: a file, or the name of a bundled one, such as quick."

    package static let completion = CompletionKind.custom { _, _, typed in candidates(for: typed) }

    /// Base of the profile's paths.
    package var folder: URL { Self.folder(of: path) }

    /// Without a file or bundled profile, the folder of a file of this name.
    package static func folder(of path: String) -> URL {
        let file = (try? BundledProfiles().file(for: path)) ?? path
        return URL(fileURLWithPath: file).deletingLastPathComponent()
    }

    /// Short options first, so that a `--set` of the same field wins.
    package var overrides: [String] {
        let short = [("--duration", duration), ("--viewers", viewers), ("--seed", seed)]
        return short.compactMap { name, value in value.map { "\(name)=\($0)" } } + settings
    }

    /// Throws `CommandFailure` with every mistake.
    package func plan(overrides: [String]? = nil) throws -> LoadPlan {
        try Self.plan(of: path, overrides: overrides ?? self.overrides)
    }

    /// YAML of a valid profile with all that came of it; secrets are masked.
    package func resolved() throws -> String {
        let file = try BundledProfiles().file(for: path)
        let reader = ProfileReader()
        return try CommandFailure.telling {
            let yaml = try reader.text(of: file)
            return try reader.resolved(yaml: yaml, path: file, overrides: overrides.map(Override.init(parsing:)))
        }
    }

    /// `path` may be a bundled profile, and names `yaml` where that is given; throws `CommandFailure` with every mistake.
    package static func plan(of path: String, yaml: String? = nil, overrides: [String]) throws -> LoadPlan {
        let path = try BundledProfiles().file(for: path)
        let reader = ProfileReader()
        var read: LoadPlan?
        do {
            let overrides = try overrides.map(Override.init(parsing:))
            let plan = try reader.read(yaml: yaml ?? reader.text(of: path), path: path, overrides: overrides)
            // The secrets of one profile must not appear in the output of another.
            KnownSecrets.ofThisProcess = KnownSecrets.ofThisProcess.union(KnownSecrets(plan.secrets))
            read = plan
            try plan.connection.checkTLSFiles()
            return plan
        } catch let error as TransportError {
            // OpenSSL calls a file unreadable that it had no memory for.
            try read.map { try Preflight.Limits.ofThisMachine().check($0) }
            throw CommandFailure("\(path): connection: \(error)")
        } catch {
            throw CommandFailure("\(error)")
        }
    }
}

/// Folder of ``variable``, or the first of an installation and of a checkout.
package struct BundledProfiles: Sendable {
    package static let variable = "PODSWARM_PROFILES"

    package let folder: URL?
    private let isChosen: Bool

    package init() {
        let chosen = ProcessInfo.processInfo.environment[Self.variable].flatMap { $0.isEmpty ? nil : $0 }
        isChosen = chosen != nil
        folder = chosen.map { URL(fileURLWithPath: $0) } ?? Self.places.first { PathKind(of: $0.path) == .folder }
    }

    /// Installation, checkout, distribution, and working directory.
    private static var places: [URL] {
        let home = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        var places = [home, home.deletingLastPathComponent()].map {
            $0.deletingLastPathComponent().appending(path: "share/podswarm/profiles")
        }
        let parts = home.pathComponents
        if let build = parts.lastIndex(where: { $0.hasPrefix(".build") }) {
            let checkout = "/" + parts[1..<max(1, build)].joined(separator: "/")
            places.append(URL(fileURLWithPath: checkout).appending(path: "Profiles"))
        }
        places.append(URL(fileURLWithPath: "/usr/share/podswarm/profiles"))
        places.append(URL(fileURLWithPath: "Profiles"))
        return places
    }

    package var names: [String] {
        let files = folder.flatMap { try? FileManager.default.contentsOfDirectory(atPath: $0.path) } ?? []
        return files.filter { $0.hasSuffix(".yaml") && !$0.hasPrefix(".") }.map { String($0.dropLast(5)) }
            .filter { Self.isName($0) }.sorted()
    }

    /// An argument with a slash or an extension, or the name of an existing file, is a path.
    ///
    /// Throws `CommandFailure` for an unknown name.
    package func file(for argument: String) throws -> String {
        guard Self.isName(argument), PathKind(of: argument) != .file else { return argument }
        let names = self.names
        if let folder, names.contains(argument) { return folder.appending(path: "\(argument).yaml").path }
        // Its reader reports the mistake.
        if PathKind(of: argument) == .folder { return argument }
        throw CommandFailure("\(argument): no such file\(hint(for: argument, names))")
    }

    private func hint(for argument: String, _ names: [String]) -> String {
        guard let folder else {
            return ", and podswarm's own profiles are not there: name a file, or their folder in \(Self.variable)"
        }
        guard !names.isEmpty else {
            let source = isChosen ? "\(Self.variable)=\(folder.path)" : folder.path
            return ", and there are no profiles in \(source)"
        }
        let nearest = NearestName.slip(argument, among: names).map { "; the nearest name is \($0)" } ?? ""
        return """
            , and no profile of podswarm's own\(nearest)
            In \(folder.path) there are \(names.joined(separator: ", ")).
            """
    }

    /// From its comment; empty without one.
    package func summary(of name: String) -> String {
        guard let folder else { return "" }
        let file = folder.appending(path: "\(name).yaml").path
        guard let handle = try? UntrustedFile.opened(file) else { return "" }
        let data = (try? handle.read(upToCount: 4_096)) ?? Data()
        return Self.firstSentence(of: String(decoding: data, as: UTF8.self))
    }

    /// First sentence of the first comment that is not for editors.
    package static func firstSentence(of yaml: String) -> String {
        var words: [Substring] = []
        for line in yaml.split(separator: "\n", omittingEmptySubsequences: false) {
            guard line.hasPrefix("#") else { break }
            let text = line.drop { $0 == "#" || $0 == " " }
            if text.hasPrefix("yaml-language-server:") { continue }
            if text.isEmpty {
                guard words.isEmpty else { break }
                continue
            }
            words += text.split(separator: " ")
        }
        let end = words.firstIndex { $0.hasSuffix(".") } ?? words.endIndex
        return words.prefix(end + 1).joined(separator: " ")
    }

    private static func isName(_ argument: String) -> Bool {
        !argument.isEmpty && !argument.contains { "/.".contains($0) }
    }
}

extension ProfileOptions {
    /// Folders end with a slash.
    private static func candidates(for typed: String) -> [String] {
        let slash = typed.lastIndex(of: "/")
        let folder = slash.map { String(typed[...$0]) } ?? ""
        let names = folder.isEmpty ? BundledProfiles().names : []
        return (names + entries(of: folder)).filter { $0.hasPrefix(typed) }
    }

    private static func entries(of folder: String) -> [String] {
        let url = URL(fileURLWithPath: folder.isEmpty ? "." : folder)
        let found = try? FileManager.default.contentsOfDirectory(
            at: url,
            includingPropertiesForKeys: [.isDirectoryKey],
            options: .skipsHiddenFiles
        )
        return (found ?? []).compactMap { entry in
            let name = folder + entry.lastPathComponent
            if entry.hasDirectoryPath { return name + "/" }
            return ["yaml", "yml"].contains(entry.pathExtension) ? name : nil
        }
        .sorted()
    }
}
