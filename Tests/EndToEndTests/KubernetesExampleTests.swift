import Foundation
import Results
import TestSupport
import Testing
import Values

/// The manifests of `Profiles/cluster/kubernetes` are valid, agree with each other, and do what they say.
///
/// Over sockets, because containers are processes that meet.
@Suite(.fewWaiting) struct KubernetesExampleTests {
    private static let folder = PackageFolder.file("Profiles/cluster/kubernetes")
    /// A container as its Job or Deployment describes it, where each volume that it mounts lies in a folder of the test's.
    private struct Container: Decodable {
        var arguments: [String]
        var variables: [String: String]
        var mounts: [String: String]

        private enum CodingKeys: String, CodingKey {
            case arguments = "args"
            case variables = "env"
            case mounts
        }

        /// Reads the one container of each Job and Deployment, by its name, with what Kubernetes puts into its variables.
        static func all(of manifest: String, job: String) async throws -> [String: Container] {
            let arguments = [folder.appending(path: manifest).path, job, ServedRendezvous.token]
            let json = try await ExternalTool.script("read_containers", arguments)
            return try JSONDecoder().decode([String: Container].self, from: json)
        }

        /// Starts what the image's entry point would.
        func start(
            in folder: TemporaryFolder,
            _ more: [String: String] = [:],
            rendezvous: String? = nil
        ) throws -> ChildProcess {
            for name in mounts.keys { try folder.makeFolder(name) }
            var words = arguments
            for (name, value) in variables { words = words.map { $0.replacing("$(\(name))", with: value) } }
            words = words.map { word in
                guard let (name, path) = mounts.first(where: { word == $1 || word.hasPrefix($1 + "/") }) else {
                    return word
                }
                return folder.file(name).path + word.dropFirst(path.count)
            }
            // In one pod each has a port of its own; here they share a machine.
            words = words.map { $0.hasPrefix("0.0.0.0:") ? "127.0.0.1:0" : $0 }
            if let rendezvous { words = words.map { $0 == "http://podswarm-rendezvous:9470" ? rendezvous : $0 } }
            let environment = variables.merging(more) { $1 }.merging(["TMPDIR": folder.file("scratch").path]) { $1 }
            return try ChildProcess(try PodswarmExecutable.path(), words, environment: environment)
        }
    }

    private static func folder(with text: String, in file: String, of volume: String) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write(text, to: "\(volume)/\(file)")
        return folder
    }

    private static func end(of pod: ChildProcess) async throws {
        let end = try await pod.ended()
        #expect(end.status == 0 && !end.isSignal, "\(end.command)\n\(end.output)\(end.errors)")
    }

    private static func merged(in folder: TemporaryFolder) throws -> ResultDocument {
        let file = folder.results(in: "results").first { $0.lastPathComponent.hasSuffix("-final-1-merged.json") }
        return try ResultDocument(json: Data(contentsOf: try #require(file)))
    }

    @Test func theCommandsOfTheJobsMakeOneResult() async throws {
        try await RunningOrigin.serving(ShardProfile.originArguments) { origin in
            let profile = ShardProfile(origin: origin.url, duration: "5s", viewers: 13, breaks: "2s").yaml
            let folder = try Self.folder(with: profile, in: "profile.yaml", of: "profile")
            let container = try #require(try await Container.all(of: "volume/shards.yaml", job: "final-1")["final-1"])
            #expect(
                container.variables["PODSWARM_SHARDS"] == "4" && container.variables["PODSWARM_RUN_ID"] == "final-1"
            )
            let pods = try (0..<2).map { index in
                try container.start(in: folder, ["JOB_COMPLETION_INDEX": "\(index)", "PODSWARM_SHARDS": "2"])
            }
            for pod in pods { try await Self.end(of: pod) }
            let merging = try await Container.all(of: "volume/merge.yaml", job: "final-1")["final-1-merge"]
            try await Self.end(of: try #require(merging).start(in: folder))
            let document = try Self.merged(in: folder)
            #expect(document.shards?.map(\.viewers) == [7, 6] && document.verdict.outcome == .passed)
        }
    }

    /// Each pod has volumes of its own, so that what the shards did comes to who watches by way of the rendezvous alone.
    @Test func theCommandsThatMeetAtARendezvousMakeOneResult() async throws {
        let place = try #require(try await Container.all(of: "rendezvous.yaml", job: "final-1")["podswarm-rendezvous"])
        let containers = try await Container.all(of: "run.yaml", job: "final-1")
        let shard = try #require(containers["final-1"])
        let watch = try #require(containers["final-1-watch"])
        #expect(containers.count == 2 && shard.variables["PODSWARM_RENDEZVOUS_TOKEN"] == ServedRendezvous.token)
        try await RunningOrigin.serving(ShardProfile.originArguments) { origin in
            let secret = try Self.folder(with: ServedRendezvous.token, in: "token", of: "token")
            let serving = try place.start(in: secret)
            try await serving.wait(for: "URL") { $0.errors.contains("Rendezvous: http") }
            let url = String(try #require(serving.errors.firstMatch(of: #/Rendezvous: (http\S+)\n/#)?.1))
            let claim = try TemporaryFolder()
            let watching = try watch.start(in: claim, rendezvous: url)
            let profile = ShardProfile(origin: origin.url, duration: "5s", viewers: 7, breaks: "2s").yaml
            let pods = try (0..<2).map { index in
                let folder = try Self.folder(with: profile, in: "profile.yaml", of: "profile")
                let variables = ["JOB_COMPLETION_INDEX": "\(index)", "PODSWARM_SHARDS": "2"]
                return (folder: folder, process: try shard.start(in: folder, variables, rendezvous: url))
            }
            for pod in pods { try await Self.end(of: pod.process) }
            try await Self.end(of: watching)
            let document = try Self.merged(in: claim)
            #expect(document.verdict.outcome == .passed && document.verdict.exitCode == 0)
            #expect(document.shards?.map(\.viewers) == [4, 3])
            #expect(document.shards?.map(\.state) == [.ended, .ended])
            serving.send(SIGTERM)
            try await Self.end(of: serving)
        }
    }
}
