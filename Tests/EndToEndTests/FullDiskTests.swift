import Foundation
import Results
import TestSupport
import Testing
import Values

/// A disk that fills up costs intervals of the journal, and never the run.
@Suite(.fewAtOnce, .enabled("a small disk can only be mounted with CAP_SYS_ADMIN") { await SmallDisk.canBeMounted() })
struct FullDiskTests {
    /// Runs twenty virtual minutes on a small disk that is filled up after two intervals.
    ///
    /// The run tells of its intervals in a pipe, and so waits for the script whenever that is full. What happens once an interval
    /// could not be written finds the disk as `$1`; `told TEXT` reads to a line with a text.
    private func rehearse(
        _ after: String
    ) async throws -> (end: ChildProcess.End, disk: [URL], told: [KilledRun.Line], rehearsal: Rehearsal) {
        let rehearsal = try Rehearsal(FastProfile.embedded.yaml)
        let folder = rehearsal.folder
        let script = """
            mount -o remount,size=32m "$1"
            mkfifo "$4.pipe"
            "$2" run "$3" --results "$1/results" --intervals "$4.pipe" --virtual-time "$6" --viewers 2 --duration 20m & run=$!
            exec 3< "$4.pipe"
            told() { while read -r line <&3; do echo "$line" >> "$told"; case $line in *"$1"*) return ;; esac; done; }
            told=$4
            told '"number":1,'
            cat /dev/zero > "$1/filler" 2> /dev/null
            told '"kept":false'
            \(after)
            cat <&3 >> "$4"
            wait $run; status=$?
            rm -f "$1/filler"
            cp -r "$1" "$5"
            exit $status
            """
        let disk = try folder.makeFolder("disk")
        let end = try await SmallDisk.run(
            script,
            [
                "bash", disk, try PodswarmExecutable.path(), rehearsal.profile, rehearsal.intervalsFile,
                folder.file("copy").path, Rehearsal.virtualStart,
            ]
        )
        return (end, folder.files(in: "copy"), try rehearsal.intervalLines, rehearsal)
    }

    @Test func aDiskThatHasRoomAgainIsWrittenAgain() async throws {
        let (end, disk, told, rehearsal) = try await rehearse("rm \"$1/filler\"; told '\"kept\":true'")
        defer { withExtendedLifetime(rehearsal) {} }
        #expect(end.status == 0, "\(end.output)\(end.errors)")
        #expect(end.errors.contains("The journal cannot be written, the run goes on"))
        #expect(end.errors.contains("The journal is written again"))
        let file = try #require(disk.first { $0.pathExtension == "json" })
        let document = try ResultDocument(json: Data(contentsOf: file))
        let journal = try #require(document.journal)
        #expect(journal.intervalsLost >= 1 && journal.intervalsKept >= 3)
        #expect(journal.error?.contains("No space left on device") == true)
        #expect(told.contains { !$0.kept })
        #expect(told.compactMap { $0.contradiction(of: document) } == [])
        #expect(!disk.contains { $0.path.contains(".journal") })
        #expect(try await PrintedSchema.complaints(about: file) == "")
    }

    @Test func aDiskThatStaysFullLeavesAJournalThatRecovers() async throws {
        let (end, disk, told, rehearsal) = try await rehearse("")
        #expect(end.status == 74, "\(end.output)\(end.errors)")
        #expect(end.lastLine.hasPrefix("podswarm: the result could not be written (exit 74): "), "\(end.errors)")
        #expect(end.lastLine.contains("podswarm recover"))
        #expect(end.output.contains("RESULT NOT WRITTEN (exit 74)") && !end.output.contains("PASSED (exit"))
        #expect(end.output.contains("The journal missed"))
        #expect(!disk.contains { $0.pathExtension == "tmp" }, "a user who makes room finds what is in the way")
        let journal = try #require(disk.first { $0.pathExtension == "journal" })
        let results = rehearsal.folder.file("recovered").path
        let recovery = try await PodswarmExecutable.run(["recover", journal.path, "--results", results])
        #expect(recovery.status == 0, "\(recovery.errors)")
        let file = try #require(rehearsal.folder.results(in: "recovered").first)
        let document = try ResultDocument(json: Data(contentsOf: file))
        let recovered = try #require(document.run.recovered)
        // Nothing torn is left: what did not fit was taken back.
        #expect(recovered.droppedBytes == 0)
        let kept = told.prefix { $0.kept }
        #expect(recovered.intervals >= max(kept.count, 2))
        #expect(kept.compactMap { $0.contradiction(of: document) } == [])
        #expect(try await PrintedSchema.complaints(about: file) == "")
    }

    /// `$1` is the disk, `$2` podswarm, `$3` a profile.
    @Test(
        arguments: [
            "mount -o remount,size=64k \"$1\"; exec \"$2\" run \"$3\" --results \"$1/results\" --virtual-time \"$4\"",
            "ulimit -f 8; exec \"$2\" run \"$3\" --results \"$1/results\" --virtual-time \"$4\"",
        ]
    )
    func withoutRoomForAResultNothingHasPassed(script: String) async throws {
        let rehearsal = try Rehearsal(FastProfile.embedded.yaml)
        let disk = try rehearsal.folder.makeFolder("disk")
        let end = try await SmallDisk.run(
            script,
            ["bash", disk, try PodswarmExecutable.path(), rehearsal.profile, Rehearsal.virtualStart]
        )
        #expect(end.status == 74 && !end.isSignal, "\(end.output)\(end.errors)")
        #expect(!end.output.contains("PASSED") && !end.errors.contains("PASSED"))
        #expect(end.lastLine.hasPrefix("podswarm: the result could not be written (exit 74): "), "\(end.errors)")
    }

    @Test func aFolderThatRefusesIsToldBeforeAnythingIsSent() async throws {
        let rehearsal = try Rehearsal(FastProfile.embedded.yaml)
        let disk = try rehearsal.folder.makeFolder("disk")
        let end = try await SmallDisk.run(
            "mount -o remount,ro \"$1\"; exec \"$2\" run \"$3\" --results \"$1\"",
            ["bash", disk, try PodswarmExecutable.path(), rehearsal.profile]
        )
        #expect(end.status == 2, "\(end.output)\(end.errors)")
        #expect(end.errors.split(separator: "\n").count == 1 && end.errors.contains("--results"), "\(end.errors)")
    }
}

/// A disk of 4 MB.
enum SmallDisk {
    /// In a mount namespace of its own, which ends with it.
    static func run(_ script: String, _ arguments: [String]) async throws -> ChildProcess.End {
        try await start(script, arguments).ended()
    }

    /// Starts a script there; `$1` is the folder that becomes the disk.
    static func start(_ script: String, _ arguments: [String]) throws -> ChildProcess {
        let mount = "mount -t tmpfs -o size=4m podswarm \"$1\" || exit 71\n"
        return try ChildProcess(
            try ExternalTool.bash.path(),
            ["-c", "exec unshare -m bash -c \"$0\" \"$@\"", mount + script] + arguments
        )
    }

    static func canBeMounted() async -> Bool {
        guard let folder = try? TemporaryFolder() else { return false }
        return (try? await run("true", ["x", folder.path]).status) == 0
    }
}
