import Foundation
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

    /// A container as its Job describes it, where the folders that it mounts lie in one of the test's.
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

        /// Reads the one container of a Job, with what Kubernetes puts into its variables.
        init(of manifest: String, job: String) async throws {
            let script = """
                import json, sys, yaml
                with open(sys.argv[1]) as file: job = yaml.safe_load(file.read().replace("podswarm-run", sys.argv[2]))
                (container,) = job["spec"]["template"]["spec"]["containers"]
                env = {}
                for variable in container.get("env", []):
                    if "value" in variable: env[variable["name"]] = variable["value"]
                    else:
                        path = variable["valueFrom"]["fieldRef"]["fieldPath"]
                        assert path == "metadata.labels['batch.kubernetes.io/job-name']"
                        env[variable["name"]] = job["metadata"]["name"]
                mounts = {mount["name"]: mount["mountPath"] for mount in container["volumeMounts"]}
                print(json.dumps({"args": container["args"], "env": env, "mounts": mounts}))
                """
            let file = folder.appending(path: manifest).path
            self = try JSONDecoder().decode(Self.self, from: try await ExternalTool.python(script, [file, job]))
        }

        /// Starts what the image's entry point would, with the mounts' folders in another one.
        func start(in folder: TemporaryFolder, _ more: [String: String] = [:]) throws -> ChildProcess {
            var words = arguments
            for (name, value) in variables { words = words.map { $0.replacing("$(\(name))", with: value) } }
            words = words.map { word in
                guard let (name, path) = mounts.first(where: { word == $1 || word.hasPrefix($1 + "/") }) else {
                    return word
                }
                return folder.file(name).path + word.dropFirst(path.count)
            }
            // In one pod each has a port of its own; here they share a machine.
            words = words.map { $0 == "0.0.0.0:9464" ? "127.0.0.1:0" : $0 }
            let environment = variables.merging(more) { $1 }.merging(["TMPDIR": folder.file("scratch").path]) { $1 }
            return try ChildProcess(try PodswarmExecutable.path(), words, environment: environment)
        }
    }

    @Test func theCommandsOfTheJobsMakeOneResult() async throws {
        try await RunningOrigin.serving(ShardProfile.originArguments) { origin in
            let folder = try TemporaryFolder()
            for name in ["profile", "results", "scratch"] {
                try FileManager.default.createDirectory(at: folder.file(name), withIntermediateDirectories: true)
            }
            try folder.write(ShardProfile(origin: origin.url, viewers: 13).yaml, to: "profile/profile.yaml")
            let container = try await Container(of: "volume/shards.yaml", job: "final-1")
            #expect(
                container.variables["PODSWARM_SHARDS"] == "4" && container.variables["PODSWARM_RUN_ID"] == "final-1"
            )
            let pods = try (0..<2).map { index in
                try container.start(in: folder, ["JOB_COMPLETION_INDEX": "\(index)", "PODSWARM_SHARDS": "2"])
            }
            for pod in pods {
                let end = try await pod.ended(within: .seconds(90))
                #expect(end.status == 0, "\(end.output)\(end.errors)")
            }
            let merging = try await Container(of: "volume/merge.yaml", job: "final-1").start(in: folder)
            let end = try await merging.ended(within: .seconds(60))
            #expect(end.status == 0, "\(end.output)\(end.errors)")
            let file = folder.results(in: "results").first { $0.lastPathComponent.hasSuffix("-final-1-merged.json") }
            let document = try ResultDocument(json: Data(contentsOf: try #require(file)))
            #expect(document.shards?.map(\.viewers) == [7, 6] && document.verdict.outcome == .passed)
        }
    }

    /// The image of the Jobs.
    private static let recipe = "Profiles/cluster/Containerfile"

    @Test func whatTheImageIsMadeOfIsThere() throws {
        let lines = try PackageFolder.text(Self.recipe).split(separator: "\n").map { $0.split(separator: " ") }
        let copies = lines.filter { $0.first == "COPY" && !$0.contains { $0.hasPrefix("--from") } }
        #expect(copies.count == 4)
        for source in copies.flatMap({ $0.dropFirst().dropLast() }) {
            #expect(FileManager.default.fileExists(atPath: PackageFolder.file(String(source)).path), "\(source)")
        }
        #expect(lines.contains { $0.first == "USER" && $0.last?.hasPrefix("0") == false })
        for manifest in ["Profiles/cluster/kubernetes/README.md", "Profiles/nightly/README.md"] {
            #expect(try PackageFolder.text(manifest).contains("podman build -f \(Self.recipe) "))
        }
    }

    /// The packages of the image are those of the libraries that the executable names, but for what Debian always has and
    /// what `--static-swift-stdlib` puts into it.
    @Test func theImageHasTheLibrariesOfTheExecutable() async throws {
        let named = try await ChildProcess.run(
            "/usr/bin/readelf",
            ["--dynamic", "--wide", try PodswarmExecutable.path()],
            limit: .seconds(20)
        )
        let libraries = named.output.matches(of: #/\(NEEDED\).*\[(.+)\]/#).map { String($0.1) }
        #expect(libraries.count > 5)
        var packages: Set<String> = []
        for library in libraries
        where !["libswift", "lib_Foundation", "libFoundation", "libdispatch", "libBlocks"]
            .contains(where: library.hasPrefix)
        {
            let owner = try await ChildProcess.run("/usr/bin/dpkg", ["-S", "*/\(library)"], limit: .seconds(20))
            let words = owner.output.split { ":, \n".contains($0) }.map(String.init)
            let package = try #require(
                words.first { $0.hasPrefix("lib") || $0 == "zlib1g" },
                "\(library): \(owner.errors)"
            )
            if package != "libc6" { packages.insert(package) }
        }
        let recipe = try PackageFolder.text(Self.recipe)
        let final = try #require(recipe.components(separatedBy: "FROM ").last).split(separator: "\n")
        let commands = final.filter { !$0.hasPrefix("#") }.joined(separator: "\n")
        let installed = Set(commands.split { " \n\\".contains($0) }.map(String.init))
        #expect(packages.subtracting(installed) == [])
        #expect(
            installed.filter { $0.hasPrefix("lib") }.subtracting(packages).subtracting(["libgcc-s1", "libstdc++6"])
                == []
        )
    }
}
