import Foundation
import JSON
import RunResult
import TestSupport
import Testing

/// The manifests of `Profiles/cluster/kubernetes` are valid, agree with each other, and do what they say.
@Suite(.fewAtOnce) struct KubernetesExampleTests {
    private static let folder = PackageFolder.file("Profiles/cluster/kubernetes")
    private static let manifests = [
        "rendezvous.yaml", "run.yaml", "volume/storage.yaml", "volume/shards.yaml", "volume/merge.yaml", "files.yaml",
    ]

    @Test(arguments: manifests) func kubernetesAcceptsTheManifest(name: String) async throws {
        let script = """
            import kubernetes_validate, sys, yaml
            with open(sys.argv[1]) as file: documents = list(yaml.safe_load_all(file))
            for document in documents:
                for version in ("1.33", "1.36"): kubernetes_validate.validate(document, version, strict=True)
                if document["kind"] not in ("Job", "Deployment", "Pod"): continue
                pod = document["spec"] if document["kind"] == "Pod" else document["spec"]["template"]["spec"]
                assert pod["automountServiceAccountToken"] is False
                assert pod["securityContext"]["runAsNonRoot"] and pod["securityContext"]["runAsUser"] > 0
                assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
                volumes = {volume["name"] for volume in pod["volumes"]}
                for container in pod["containers"]:
                    security = container["securityContext"]
                    assert security["readOnlyRootFilesystem"] and not security["allowPrivilegeEscalation"]
                    assert security["capabilities"] == {"drop": ["ALL"]}
                    assert {mount["name"] for mount in container["volumeMounts"]} == volumes
                    resources = container["resources"]
                    assert resources["requests"]["memory"] == resources["limits"]["memory"]
                if document["spec"].get("completionMode") != "Indexed": continue
                # A shard that comes again would be refused, and one that is lost must not end the others.
                assert document["spec"]["backoffLimitPerIndex"] == 0 and pod["restartPolicy"] == "Never"
                count = document["spec"]["completions"]
                variables = {variable["name"]: variable for variable in pod["containers"][0]["env"]}
                assert document["spec"]["parallelism"] == count == int(variables["PODSWARM_SHARDS"]["value"])
            print("ok")
            """
        let file = Self.folder.appending(path: name).path
        #expect(String(decoding: try await ExternalTool.python(script, [file]), as: UTF8.self) == "ok\n")
    }

    /// Names of one manifest that another one means.
    @Test func manifestsAgreeOnNames() throws {
        let texts = try Self.manifests.map { try String(contentsOf: Self.folder.appending(path: $0), encoding: .utf8) }
        let image = "image: registry.example.com/podswarm:0.1.0"
        for (name, text) in zip(Self.manifests, texts) where !name.hasSuffix("storage.yaml") {
            #expect(text.contains(image), "\(name)")
        }
        #expect(texts[1].contains("http://podswarm-rendezvous:9470") && texts[0].contains("port: 9470"))
        for name in ["name: podswarm-rendezvous, key: token", "claimName: podswarm-results"] {
            #expect(texts[1].contains(name))
        }
        #expect(texts[0].contains("secretName: podswarm-rendezvous") && texts[0].contains("name: podswarm-results"))
        #expect(texts[1].contains("subdomain: podswarm-shards") && texts[0].contains("name: podswarm-shards"))
        for text in texts[3...4] { #expect(text.contains("claimName: podswarm-shared")) }
        #expect(texts[5].contains("claimName: podswarm-results"))
        #expect(texts[2].contains("name: podswarm-shared"))
    }

    /// A container as its Job or Deployment describes it, where each volume that it mounts lies in a folder of the test's.
    private struct Container: Decodable {
        var arguments: [String]
        var variables: [String: String]
        /// Where a volume is mounted, by its name.
        var mounts: [String: String]

        private enum CodingKeys: String, CodingKey {
            case arguments = "args"
            case variables = "env"
            case mounts
        }

        /// Reads the one container of each Job and Deployment, by its name, with what Kubernetes puts into its variables.
        static func all(of manifest: String, job: String) async throws -> [String: Container] {
            let script = """
                import json, sys, yaml
                with open(sys.argv[1]) as file: text = file.read().replace("podswarm-run", sys.argv[2])
                found = {}
                for document in yaml.safe_load_all(text):
                    if document["kind"] not in ("Job", "Deployment"): continue
                    name = document["metadata"]["name"]
                    (container,) = document["spec"]["template"]["spec"]["containers"]
                    env = {}
                    for variable in container.get("env", []):
                        source = variable.get("valueFrom", {})
                        if "value" in variable: value = variable["value"]
                        elif "secretKeyRef" in source:
                            assert source["secretKeyRef"] == {"name": "podswarm-rendezvous", "key": "token"}
                            value = sys.argv[3]
                        else:
                            path = source["fieldRef"]["fieldPath"]
                            assert path == "metadata.labels['batch.kubernetes.io/job-name']"
                            value = name
                        env[variable["name"]] = value
                    mounts = {mount["name"]: mount["mountPath"] for mount in container["volumeMounts"]}
                    found[name] = {"args": container["args"], "env": env, "mounts": mounts}
                print(json.dumps(found))
                """
            let arguments = [folder.appending(path: manifest).path, job, ServedRendezvous.token]
            let json = try await ExternalTool.python(script, arguments)
            return try JSONDecoder().decode([String: Container].self, from: json)
        }

        /// What follows an option among the arguments.
        func value(of option: String) -> String? {
            arguments.firstIndex(of: option).flatMap { arguments.dropFirst($0 + 1).first }
        }

        /// Starts what the image's entry point would.
        ///
        /// - Parameters:
        ///   - folder: Where the volumes lie.
        ///   - more: Variables of this one pod.
        ///   - rendezvous: Where the Service of that name leads.
        /// - Returns: The pod's one process.
        /// - Throws: What Foundation says.
        func start(
            in folder: TemporaryFolder,
            _ more: [String: String] = [:],
            rendezvous: String? = nil
        ) throws -> ChildProcess {
            for name in mounts.keys {
                try FileManager.default.createDirectory(at: folder.file(name), withIntermediateDirectories: true)
            }
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

    /// A folder with a volume, and a file in it.
    private static func folder(with text: String, in file: String, of volume: String) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(at: folder.file(volume), withIntermediateDirectories: true)
        try folder.write(text, to: "\(volume)/\(file)")
        return folder
    }

    private static func end(of pod: ChildProcess, within limit: Duration = .seconds(90)) async throws {
        let end = try await pod.ended(within: limit)
        #expect(end.status == 0 && !end.isSignal, "\(end.command)\n\(end.output)\(end.errors)")
    }

    private static func merged(in folder: TemporaryFolder) throws -> ResultDocument {
        let file = folder.results(in: "results").first { $0.lastPathComponent.hasSuffix("-final-1-merged.json") }
        return try ResultDocument(json: Data(contentsOf: try #require(file)))
    }

    @Test func theCommandsOfTheJobsMakeOneResult() async throws {
        try await RunningOrigin.serving(ShardProfile.originArguments) { origin in
            let profile = ShardProfile(origin: origin.url, viewers: 13).yaml
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
        let place = try #require(
            try await Container.all(of: "rendezvous.yaml", job: "final-1")["podswarm-rendezvous"]
        )
        let containers = try await Container.all(of: "run.yaml", job: "final-1")
        let shard = try #require(containers["final-1"])
        let watch = try #require(containers["final-1-watch"])
        #expect(containers.count == 2 && shard.variables["PODSWARM_RENDEZVOUS_TOKEN"] == ServedRendezvous.token)
        try await RunningOrigin.serving(ShardProfile.originArguments) { origin in
            let secret = try Self.folder(with: ServedRendezvous.token, in: "token", of: "token")
            let serving = try place.start(in: secret)
            try await serving.wait(for: "URL", within: .seconds(30)) { $0.errors.contains("Rendezvous: http") }
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

    /// Who gives up before the shards do says that nobody began, and they begin.
    @Test func whoWatchesWaitsLongerThanShardsForEachOther() async throws {
        let containers = try await Container.all(of: "run.yaml", job: "final-1")
        let shard = try #require(containers["final-1"])
        let watch = try #require(containers["final-1-watch"])
        let help = try await PodswarmExecutable.run(["run", "--help"]).output
        let standardLead = try #require(
            help.firstMatch(of: #/--start-lead <start-lead>\s[^(]*\(default:\s+(\w+)\)/#)?.1
        )
        let lead = try Self.seconds(shard.value(of: "--start-lead") ?? String(standardLead))
        let gathering = try Self.seconds(try #require(shard.value(of: "--gather-within")))
        let beginning = try Self.seconds(try #require(watch.value(of: "--begin-within")))
        #expect(lead > 0 && gathering > 0 && beginning > gathering + lead)
    }

    private static func seconds(_ text: String) throws -> Int {
        let match = try #require(text.wholeMatch(of: #/(\d+)([smh])/#), "\(text)")
        return try #require(Int(match.1)) * (match.2 == "h" ? 3_600 : match.2 == "m" ? 60 : 1)
    }

    /// The image of the Jobs.
    private static let recipe = "Profiles/cluster/Containerfile"

    @Test func whatTheImageIsMadeOfIsThere() throws {
        let lines = try PackageFolder.text(Self.recipe).split(separator: "\n").map { $0.split(separator: " ") }
        let copies = lines.filter { $0.first == "COPY" && !$0.contains { $0.hasPrefix("--from") } }
        #expect(copies.count == 6)
        for source in copies.flatMap({ $0.dropFirst().dropLast() }) {
            #expect(FileManager.default.fileExists(atPath: PackageFolder.file(String(source)).path), "\(source)")
        }
        #expect(lines.contains { $0.first == "USER" && $0.last?.hasPrefix("0") == false })
        for manifest in ["Profiles/cluster/kubernetes/README.md", "Profiles/nightly/README.md"] {
            #expect(try PackageFolder.text(manifest).contains("podman build -f \(Self.recipe) "))
        }
    }
}
