import Foundation
import TestSupport
import Testing

/// A command that must be refused: with this status and these words.
struct CommandLineMistake: Sendable, CustomTestStringConvertible {
    let arguments: [String]
    let status: Int32
    /// In what it writes to standard error.
    let message: String

    var testDescription: String { arguments.joined(separator: " ") }

    init(_ arguments: [String], _ status: Int32 = 2, says message: String) {
        self.arguments = arguments
        self.status = status
        self.message = message
    }

    /// `{folder}` stands for a folder with the files of `prepare(_:)`, `{port}` for a port where nobody listens.
    func resolved(folder: TemporaryFolder, port: LoopbackPort) -> [String] {
        arguments.map {
            $0.replacing("{folder}", with: folder.path).replacing("{port}", with: String(port.number))
        }
    }

    /// Files that no profile, result or fault plan should look like.
    static func prepare(_ folder: TemporaryFolder) throws {
        try folder.write(FastProfile.embedded.yaml, to: "good.yaml")
        try folder.write("", to: "empty.yaml")
        try folder.write(Data((0...255).map { UInt8($0) } + [0xC3, 0x28, 0x00]), to: "binary.yaml")
        try folder.write(String(repeating: "# a very long comment\n", count: 60_000), to: "large.yaml")
        try folder.write("duration: [1\n", to: "unclosed.yaml")
        try folder.write("- a\n- b\n", to: "list.yaml")
        try folder.write(FastProfile.faulty.yaml, to: "no-faults-file.yaml")
        try folder.write(String(repeating: "[", count: 5_000), to: "deep.yaml")
        let target = FastProfile.podServing(
            content: "http://127.0.0.1:{port}/a.m3u8",
            adServer: "http://127.0.0.1:{port}"
        )
        try folder.write(target.yaml, to: "target.yaml.template")
        try folder.write("-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIU\n", to: "truncated.pem")
        try folder.write("", to: "empty.json")
        try folder.write("{}", to: "object.json")
        try folder.write("[1, 2", to: "truncated.json")
        try folder.write("\u{0}\u{1}garbage", to: "garbage.json")
        try folder.write(#"{"schema": "other", "schema_version": 1}"#, to: "other.json")
        try folder.write(#"{"schema": "podswarm.result", "schema_version": 99}"#, to: "future.json")
        try folder.write(#"{"schema": "podswarm.result", "schema_version": 1}"#, to: "hollow.json")
        try folder.write("- {fault: delai}\n", to: "bad-faults.yaml")
        try folder.write("- {fault: [\n", to: "broken-faults.yaml")
    }

    /// A target that nobody listens at, written once the port is known.
    static func writeTarget(_ folder: TemporaryFolder, port: LoopbackPort) throws {
        let template = try String(contentsOf: folder.url.appending(path: "target.yaml.template"), encoding: .utf8)
        try folder.write(template.replacing("{port}", with: String(port.number)), to: "target.yaml")
    }
}

extension CommandLineMistake {
    private static let good = "{folder}/good.yaml"

    static let all =
        arguments + overrides + profiles + authorities + targets + results + comparisons + origins + originsOfProfiles
        + virtualTime

    private static let virtualTime: [CommandLineMistake] =
        [
            (["--virtual-time", "soon"], "--virtual-time soon: an instant is written as"),
            (virtually + ["--repeat", "2"], "--virtual-time: equal runs come to equal results"),
            (virtually + ["--metrics", "127.0.0.1:0"], "does not go with --metrics"),
            (virtually + ["--dashboard", "127.0.0.1:0"], "does not go with --dashboard"),
            (virtually + ["--set", "impressionSink=http://127.0.0.1:9"], "does not go with impressionSink"),
            (
                virtually + ["--set", "breaks.source={trigger: {http: '127.0.0.1:0'}}"],
                "does not go with breaks.source.trigger"
            ),
        ].map { CommandLineMistake(["run", good] + $0.0, says: $0.1) } + [
            CommandLineMistake(
                ["run", "{folder}/target.yaml"] + virtually,
                says: "does not go with a target other than"
            )
        ]
    private static let virtually = ["--virtual-time", Rehearsal.virtualStart]

    private static let arguments = [
        CommandLineMistake(["rnu", good], says: "unexpected arguments: 'rnu'"),
        CommandLineMistake(["run"], says: "Missing expected argument '<path>'"),
        CommandLineMistake(["run", good, "--nonsense"], says: "Unknown option '--nonsense'"),
        CommandLineMistake(["run", good, "surplus.yaml"], says: "Unexpected argument 'surplus.yaml'"),
        CommandLineMistake(["run", good, "--viewers"], says: "Missing value for '--viewers"),
        CommandLineMistake(["run", good, "--label"], says: "Missing value for '--label"),
        CommandLineMistake(["run", good, "--label", "release"], says: "a label is name=value"),
        CommandLineMistake(["run", good, "--label", "=1"], says: "a label is name=value"),
        CommandLineMistake(["run", good, "--label", "release="], says: "a label is name=value"),
        CommandLineMistake(["run", good, "--label", "a=1", "--label", "a=2"], says: "--label a is given twice"),
        CommandLineMistake(["init"], says: "the URL of the stream is missing"),
        CommandLineMistake(["init", "live.example.com"], says: "is not one of http or https"),
        CommandLineMistake(["init", "https://a:hunter2@live.example.com/"], says: "has a user name or password in it"),
        CommandLineMistake(["init", "http://127.0.0.1:{port}/", "--output", good], says: "is there already"),
        CommandLineMistake(["init", "http://127.0.0.1:{port}/", "--output", "/"], says: "/ is a folder"),
        CommandLineMistake(["init", "http://127.0.0.1:{port}/", "--watch", "soon"], says: "--watch soon: a duration"),
        CommandLineMistake(["init", "http://127.0.0.1:{port}/", "--asset-key", "a"], says: "go together"),
        CommandLineMistake(
            ["init", "http://127.0.0.1:{port}/", "--output", "{folder}/new.yaml"],
            4,
            says: "the connection is refused"
        ),
        CommandLineMistake(["check"], says: "Missing expected argument '<path>'"),
        CommandLineMistake(["check", good, "--patience", "soon"], says: "'soon' is invalid for '--patience"),
        CommandLineMistake(["check", good, "--patience=-5"], says: "--patience must be between 1s and 24h"),
        CommandLineMistake(
            ["check", good, "--patience", "99999999999999"],
            says: "--patience must be between 1s and 24h"
        ),
        CommandLineMistake(["check", good, "--patience", "500ms"], says: "--patience must be between 1s and 24h"),
        CommandLineMistake(["check", good, "--viewers", "0"], says: "audience.viewers"),
        CommandLineMistake(["plan", good, "--shards", "0"], says: "--shards 0: a number from 1"),
        CommandLineMistake(["run", good, "--tolerate-limited", "5%"], says: "of the result that --merge makes"),
        CommandLineMistake(["run", good, "--silence", "30s"], says: "of the result that --merge makes"),
        CommandLineMistake(["run", good, "--gather-within", "1m"], says: "--gather-within: it is of a run of several"),
        CommandLineMistake(["run", good, "--start-lead", "5s"], says: "--start-lead: it is of a run of several"),
        CommandLineMistake(
            ["run", good, "--rendezvous-token-file", "token"],
            says: "--rendezvous-token-file: it is of a run of several"
        ),
        CommandLineMistake(
            ["merge", "--rendezvous", "{folder}/no-place", "--run-id", "r"],
            says: "no-place: there is no such folder"
        ),
        CommandLineMistake(
            ["merge", "--rendezvous", "{folder}", "--run-id", "r"],
            says: "no shard of run 'r' has come there"
        ),
        CommandLineMistake(
            ["watch", "--rendezvous", "{folder}/no-place", "--run-id", "r", "--begin-within", "1s"],
            says: "no-place: No such file or directory"
        ),
        CommandLineMistake(
            [
                "run", good, "--shard", "0/1", "--rendezvous", "{folder}/place", "--run-id", "r", "--merge",
                "--tolerate-limited", "5",
            ],
            says: "--tolerate-limited 5: a share is from 0% to 100%"
        ),
        CommandLineMistake(
            ["plan", good, "--machine", "cores=many"],
            says: "--machine cores=many: is written as cores=8"
        ),
        CommandLineMistake(["plan", good, "--cost", "time=1"], says: "--cost time=1: there is no such cost"),
        CommandLineMistake(
            [
                "run", "{folder}/target.yaml", "--set",
                "breaks.source={trigger: {standardInput: true, lead: 1s}}", "--shard",
                "0/2", "--rendezvous", "{folder}/place", "--run-id", "r",
            ],
            says: "--shard: breaks.source.trigger.lead: 1s is too short for 2 shards"
        ),
        CommandLineMistake(
            ["run", good, "--set", "breaks.source={trigger: {file: /nowhere/calls}}"],
            says: "breaks.source.trigger.file: no readable file at \"/nowhere/calls\""
        ),
        CommandLineMistake(["plan", good, "--breaks-at", "2s"], says: "--breaks-at: no breaks of this profile"),
        CommandLineMistake(
            ["plan", good, "--set", "breaks.source={trigger: {standardInput: true}}", "--breaks-at", "2s,soon"],
            says: "--breaks-at 2s,soon: durations within the run"
        ),
        CommandLineMistake(["plan", good, "--at", "noon"], says: "--at noon: an instant is written as"),
        CommandLineMistake(["plan", good, "--segment-duration", "2s"], says: "what its embedded origin plays"),
        CommandLineMistake(["plan", "{folder}/target.yaml", "--ad-duration", "10"], says: "a duration has a unit"),
        CommandLineMistake(
            ["plan", "{folder}/target.yaml", "--segment-duration", "11s"],
            says: "1 to 10 whole seconds"
        ),
        CommandLineMistake(["profile", "valdate", good], says: "unexpected arguments: 'valdate'"),
        CommandLineMistake(["profile", "validate"], says: "Missing expected argument '<path>'"),
        CommandLineMistake(["result", "shwo", "x.json"], says: "unexpected arguments: 'shwo'"),
        CommandLineMistake(["result", "show"], says: "Missing expected argument '<file>'"),
    ]

    private static let overrides = [
        CommandLineMistake(["run", good, "--viewers", "0"], says: "audience.viewers"),
        CommandLineMistake(["run", good, "--viewers=-1"], says: "audience.viewers"),
        CommandLineMistake(["run", good, "--viewers", "many"], says: "audience.viewers"),
        CommandLineMistake(["run", good, "--viewers", "99999999999999999999"], says: "audience.viewers"),
        CommandLineMistake(["run", good, "--duration", "60"], says: "duration"),
        CommandLineMistake(["run", good, "--duration", "soon"], says: "duration"),
        CommandLineMistake(["run", good, "--seed=-1"], says: "seed"),
        CommandLineMistake(["run", good, "--set", "audience.viewers"], says: "has no equals sign"),
        CommandLineMistake(["run", good, "--set", "=1"], says: "is not a field"),
        CommandLineMistake(["run", good, "--set", "seed="], says: "is given no value"),
        CommandLineMistake(["run", good, "--set", "audience.veiwers=5"], says: "viewers"),
        CommandLineMistake(["run", good, "--set", "breaks.podIdentifier=synchronized"], says: "synchronised"),
        CommandLineMistake(["run", good, "--set", "thresholds=[\"playlst.errors < 1%\"]"], says: "playlist.errors"),
    ]

    private static let profiles = [
        CommandLineMistake(["run", "{folder}/missing.yaml"], says: "missing.yaml: no such file"),
        CommandLineMistake(["run", ""], says: "path is empty"),
        CommandLineMistake(["run", "{folder}"], says: ": is a folder"),
        CommandLineMistake(["run", "{folder}/empty.yaml"], says: "the profile is empty"),
        CommandLineMistake(["run", "{folder}/binary.yaml"], says: "the text is not UTF-8"),
        CommandLineMistake(["run", "{folder}/large.yaml"], says: "larger than 1 MiB"),
        CommandLineMistake(["run", "{folder}/unclosed.yaml"], says: "unclosed.yaml:"),
        CommandLineMistake(["run", "{folder}/deep.yaml"], says: "deep.yaml:"),
        CommandLineMistake(["run", "{folder}/list.yaml"], says: "list.yaml:1"),
        CommandLineMistake(["run", "{folder}/no-faults-file.yaml"], says: "faults.yaml"),
        CommandLineMistake(["run", "/dev/null"], says: "the profile is empty"),
        CommandLineMistake(["check", "{folder}/missing.yaml"], says: "missing.yaml: no such file"),
        CommandLineMistake(["profile", "validate", "{folder}/binary.yaml"], says: "the text is not UTF-8"),
        CommandLineMistake(["profile", "validate", "{folder}/list.yaml"], says: "list.yaml:1"),
    ]

    /// Also where the target knows no TLS.
    private static let authorities = [
        ["run", good, "--set", "connection.caFile={folder}/list.yaml"],
        ["run", good, "--set", "connection.transport=curl", "--set", "connection.caFile={folder}/list.yaml"],
        ["check", good, "--set", "connection.caFile={folder}/empty.yaml"],
        ["plan", good, "--set", "connection.caFile={folder}/truncated.pem"],
        ["profile", "validate", good, "--set", "connection.caFile={folder}/binary.yaml"],
        [
            "soak", good, "--set", "connection.clientCertificate={folder}/truncated.pem", "--set",
            "connection.clientKey={folder}/list.yaml",
        ],
        ["lint", "https://127.0.0.1:{port}/a.m3u8", "--ca-file", "{folder}/list.yaml"],
        ["lint", "http://127.0.0.1:{port}/a.m3u8", "--ca-file", "{folder}/truncated.pem"],
    ]
    .map { CommandLineMistake($0, says: "cannot use ") }

    private static let targets = [
        CommandLineMistake(["run", "{folder}/target.yaml"], 4, says: "connect_refused"),
        CommandLineMistake(["check", "{folder}/target.yaml"], 4, says: "connect_refused"),
        CommandLineMistake(
            ["run", good, "--duration", "1s", "--viewers", "1", "--results", "/proc/nowhere"],
            2,
            says: "/proc/nowhere"
        ),
        CommandLineMistake(["run", good, "--duration", "1s", "--results", "{folder}/good.yaml"], 2, says: "good.yaml"),
    ]

    private static let results = [
        CommandLineMistake(["result", "show", "{folder}/missing.json"], says: "missing.json: no such file"),
        CommandLineMistake(["result", "show", "{folder}"], says: ": is a folder"),
        CommandLineMistake(["result", "show", "{folder}/empty.json"], says: "not a podswarm result"),
        CommandLineMistake(["result", "show", "{folder}/garbage.json"], says: "not a podswarm result: it is not JSON"),
        CommandLineMistake(["result", "show", "{folder}/truncated.json"], says: "not a podswarm result"),
        CommandLineMistake(["result", "show", "{folder}/object.json"], says: "schema is missing"),
        CommandLineMistake(["result", "show", "{folder}/other.json"], says: "its schema is 'other'"),
        CommandLineMistake(["result", "show", "{folder}/future.json"], says: "schema version 99"),
        CommandLineMistake(["result", "show", "{folder}/hollow.json"], says: "is missing"),
    ]

    private static let originsOfProfiles = [
        CommandLineMistake(["origin", "--set", "seed=1"], says: "give --profile too"),
        CommandLineMistake(["origin", "--profile", "{folder}/missing.yaml"], says: "missing.yaml: no such file"),
        CommandLineMistake(["origin", "--profile", good, "--set", "audience.viewers=0"], says: "audience.viewers"),
        CommandLineMistake(
            ["origin", "--profile", "{folder}/target.yaml"],
            says: "its target is podServing, which is there already"
        ),
        CommandLineMistake(
            ["origin", "--profile", good, "--variants", "1", "--no-announce-breaks"],
            says: "--variants: the profile decides it; --set target.embedded.variants="
        ),
        CommandLineMistake(
            ["origin", "--profile", good, "--auth-token-key-variable", "KEY"],
            says: "--set target.embedded.authTokenKey="
        ),
        CommandLineMistake(
            ["origin", "--profile", good, "--set", "target.embedded.faults=broken-faults.yaml"],
            says: "not YAML"
        ),
    ]

    private static let origins = [
        CommandLineMistake(["origin", "--port", "65536"], says: "--port: 65536 is not between"),
        CommandLineMistake(["origin", "--port=-1"], says: "--port: -1 is not between"),
        CommandLineMistake(["origin", "--port", "http"], says: "'http' is invalid for '--port"),
        CommandLineMistake(["origin", "--port", "0", "--host", "not an address"], 4, says: "cannot serve on"),
        CommandLineMistake(
            ["origin", "--port", "{port}"],
            4,
            says: "cannot serve on 127.0.0.1:{port}: Address already in use"
        ),
        CommandLineMistake(["origin", "--port", "0", "--segment-seconds", "11"], says: "--segment-seconds: "),
        CommandLineMistake(
            ["origin", "--port", "0", "--segment-seconds=-9223372036854775808"],
            says: "--segment-seconds: "
        ),
        CommandLineMistake(["origin", "--port", "0", "--window-segments", "0"], says: "--window-segments: 0"),
        CommandLineMistake(["origin", "--port", "0", "--variants", "9"], says: "--variants: 9"),
        CommandLineMistake(
            ["origin", "--port", "0", "--ad-milliseconds", "9223372036854775807"],
            says: "--ad-milliseconds: "
        ),
        CommandLineMistake(
            ["origin", "--port", "0", "--break-interval-milliseconds=-1"],
            says: "--break-interval-milliseconds: "
        ),
        CommandLineMistake(["origin", "--port", "0", "--seed=-1"], says: "--seed -1: a seed is a whole number"),
        CommandLineMistake(["origin", "--port", "0", "--network-code", "a/b"], says: "--network-code: "),
        CommandLineMistake(
            ["origin", "--port", "0", "--faults", "{folder}/missing.yaml"],
            says: "missing.yaml: no such file"
        ),
        CommandLineMistake(
            ["origin", "--port", "0", "--channel", "nope.yaml"],
            says: "--channel nope.yaml: no such file"
        ),
        CommandLineMistake(["origin", "--port", "0", "--channel", "{folder}"], says: ": is a folder"),
        CommandLineMistake(
            ["origin", "--port", "0", "--faults", "{folder}/binary.yaml"],
            says: "the text is not UTF-8"
        ),
        CommandLineMistake(
            ["origin", "--port", "0", "--faults", "{folder}/bad-faults.yaml"],
            says: "did you mean delay?"
        ),
        CommandLineMistake(["origin", "--port", "0", "--faults", "{folder}/broken-faults.yaml"], says: "not YAML"),
        CommandLineMistake(
            ["origin", "--port", "0", "--auth-token-key-variable", "PODSWARM_TEST_UNSET"],
            says: "PODSWARM_TEST_UNSET is not set"
        ),
        CommandLineMistake(
            ["origin", "--port", "0", "--tls", "--certificate-file", "/proc/nowhere/a.pem"],
            says: "--certificate-file /proc/nowhere/a.pem: cannot be written: No such file or directory"
        ),
    ]
}
