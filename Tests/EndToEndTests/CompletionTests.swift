import Foundation
import TestSupport
import Testing

/// What shells offer, by the scripts that podswarm makes for them.
@Suite(.fewAtOnce) struct CompletionTests {
    /// A script as a file in a folder of its own.
    private static func script(for shell: String) async throws -> (folder: TemporaryFolder, path: String) {
        let end = try await PodswarmExecutable.run(["--generate-completion-script", shell])
        #expect(end.status == 0 && end.errors == "")
        let folder = try TemporaryFolder()
        return (folder, try folder.write(end.output, to: "podswarm.\(shell)"))
    }

    @Test(arguments: [ExternalTool.bash, .zsh, .fish]) func shellsAcceptTheirScript(shell: ExternalTool) async throws {
        let (folder, path) = try await Self.script(for: shell.rawValue)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        for name in ["capacity", "validate", "--interleave"] {
            let written = shell == .fish ? name.replacing("--", with: "") : name
            #expect(text.contains(written), "\(name) is missing")
        }
        let end = try await shell.run(["-n", path])
        #expect(end.status == 0 && end.errors == "", "\(end.errors)")
        withExtendedLifetime(folder) {}
    }

    /// What bash would offer at the end of a line.
    private static func offered(after words: [String]) async throws -> [String] {
        let (folder, path) = try await script(for: "bash")
        let script = """
            shopt -s extglob
            source "$1"
            PATH="$2:$PATH"
            shift 2
            COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_TYPE=9
            COMP_POINT=${#COMP_LINE}
            _podswarm podswarm "${@: -1}" "${@: -2:1}"
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let executable = URL(filePath: try PodswarmExecutable.path()).deletingLastPathComponent().path
        let end = try await ExternalTool.bash.run(["-c", script, "bash", path, executable, "podswarm"] + words)
        #expect(end.status == 0, "\(end.errors)")
        withExtendedLifetime(folder) {}
        return end.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    @Test func commandsOptionsAndProfilesAreOffered() async throws {
        #expect(try await Self.offered(after: ["profile", "va"]) == ["validate"])
        #expect(try await Self.offered(after: ["run", "--interleave-l"]) == ["--interleave-label"])
        #expect(try await Self.offered(after: ["run", "qui"]) == ["quick"])
        #expect(try await Self.offered(after: ["check", "low-"]) == ["low-latency"])
        #expect(try await Self.offered(after: ["origin", "--profile", "targ"]) == ["targeted"])
        let profiles = PackageFolder.file("Profiles").path
        let files = try await Self.offered(after: ["run", "\(profiles)/qui"])
        #expect(files == ["\(profiles)/quick.yaml"])
        #expect(try await Self.offered(after: ["run", "\(profiles)/faul"]).contains("\(profiles)/faults/"))
    }
}
