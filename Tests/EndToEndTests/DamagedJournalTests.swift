import Foundation
import RunResult
import TestSupport
import Testing

/// Journals that a disk or somebody else spoilt: each is recovered in part or refused in words, and none steers a terminal.
@Suite(.fewAtOnce) struct DamagedJournalTests {
    private static let count = 204

    /// The ways in which journals are spoilt; the names of the files begin with them.
    private static let damages = [
        "cut", "cut-head", "flipped", "swapped", "reordered", "length", "version", "schema", "texts", "garbage",
        "dropped",
        "numbers",
    ]

    /// Writes spoilt copies of a journal: framed anew, so that checksums hold, where the damage is not in the frame.
    private static let script = #"""
        import json, os, random, re, sys, zlib

        journal, folder, names, count = sys.argv[1], sys.argv[2], sys.argv[3].split(","), int(sys.argv[4])
        with open(journal, "rb") as file: whole = file.read()
        records = [(line[18:19], line[20:]) for line in whole.splitlines()]
        chance = random.Random(4)
        HOSTILE = "\x1b[31m\x1b]0;owned\x07\x9b31m\r\n<script>alert(1)</script>|`=cmd\u202e\u2028\x00\"'\\../../x"

        def framed(records):
            out, checksum = b"", 0
            for kind, payload in records:
                covered = b"%08x %s %s\n" % (len(payload), kind, payload)
                checksum = zlib.crc32(covered, checksum)
                out += b"%08x " % checksum + covered
            return out

        def changed(payload, change):
            return json.dumps(change(json.loads(payload)), separators=(",", ":")).encode()

        def texts(value, depth=0):
            if isinstance(value, dict):
                return {key: value[key] if key in ("schema", "podswarm_version", "schema_version") else texts(value[key]) for key in value}
            if isinstance(value, list): return [texts(each) for each in value]
            return HOSTILE + value if isinstance(value, str) and chance.random() < 0.3 else value

        NUMBERS = ["9223372036854775807", "-9223372036854775808", "0", "-1", "18446744073709551615", "1e308", "0.5", "1e-300"]

        def spoilt(name):
            own = list(records)
            place = chance.randrange(len(own))
            if name == "cut": return whole[:chance.randrange(len(whole))]
            if name == "cut-head": return framed(own[:place]) + framed(own)[:0] + whole[:chance.randrange(20)]
            if name == "flipped":
                out = bytearray(whole)
                for _ in range(chance.randrange(1, 5)): out[chance.randrange(len(out))] = chance.randrange(256)
                return bytes(out)
            if name == "swapped":
                lines = whole.splitlines(keepends=True)
                other = chance.randrange(len(lines))
                lines[place], lines[other] = lines[other], lines[place]
                return b"".join(lines) if place != other else whole[:-1]
            if name == "reordered":
                chance.shuffle(own)
                return framed(own)
            if name == "length":
                lines = whole.splitlines(keepends=True)
                length = chance.choice([b"00000000", b"ffffffff", b"7fffffff", b"40000000", b"3fffffff", b"0000000g"])
                lines[place] = lines[place][:9] + length + lines[place][17:]
                return b"".join(lines)
            if name == "version":
                wrong = {"podswarm_version": HOSTILE + "9.9", "schema_version": chance.choice([0, 1, 3, -1, 2**62])}
                own[0] = (b"H", changed(own[0][1], lambda header: header | wrong))
                return framed(own)
            if name == "schema":
                own[0] = (b"H", changed(own[0][1], lambda header: header | {"schema": "podswarm.journal" + HOSTILE}))
                return framed(own)
            if name == "texts": return framed([(kind, changed(payload, texts)) for kind, payload in own])
            if name == "garbage":
                bad = [b"", b"{}", b"[]", b"nul", b"\xff\xfe\x00", b"[" * 5000, b'{"n":' + b"9" * 4000 + b"}", b'"' + HOSTILE.encode() + b'"']
                own[max(1, place)] = (own[max(1, place)][0], chance.choice(bad).replace(b"\n", b" "))
                return framed(own)
            if name == "dropped":
                del own[place]
                return framed(own)
            numbers = lambda payload: re.sub(
                rb"(?<=:)-?[0-9][0-9.]*(?=[,}])",
                lambda found: chance.choice(NUMBERS).encode() if chance.random() < 0.05 else found[0], payload)
            return framed([own[0]] + [(kind, numbers(payload)) for kind, payload in own[1:]])

        for number in range(count):
            name = names[number % len(names)]
            with open(os.path.join(folder, f"{name}-{number}.journal"), "wb") as file: file.write(spoilt(name))
        """#

    /// A journal of a run that had findings and breaks.
    private static func journal() async throws -> (Rehearsal, URL) {
        var profile = FastProfile.faulty
        profile.duration = "8s"
        let rehearsal = try Rehearsal(profile.yaml, faults: "- {fault: pod_mismatch, share: 50%}")
        _ = try await rehearsal.inVirtualTime(["--keep-journal", "--no-report", "--label", "release=1.4.2"])
        return (rehearsal, try #require(rehearsal.journals.first))
    }

    @Test func twoHundredSpoiltJournalsAreRecoveredOrRefusedInWords() async throws {
        let (rehearsal, journal) = try await Self.journal()
        let spoilt = rehearsal.folder.url.appending(path: "spoilt")
        try FileManager.default.createDirectory(at: spoilt, withIntermediateDirectories: true)
        let arguments = [journal.path, spoilt.path, Self.damages.joined(separator: ","), "\(Self.count)"]
        _ = try await ExternalTool.python(Self.script, arguments)
        let results = rehearsal.folder.url.appending(path: "recovered").path
        var (recovered, refused) = (0, 0)
        for damage in Self.damages {
            let files = rehearsal.folder.files(in: "spoilt").filter {
                $0.lastPathComponent.prefix { !$0.isNumber } == "\(damage)-"
            }
            #expect(files.count == Self.count / Self.damages.count)
            let end = try await PodswarmExecutable.run(
                ["recover", "--results", results] + files.map(\.path),
                limit: .seconds(240)
            )
            #expect(
                !end.isSignal && [0, 2, 3].contains(end.status),
                "\(damage): \(end.status) \(end.errors.prefix(2_000))"
            )
            #expect(Self.steering(in: end.output + end.errors) == [], "\(damage)")
            for file in files {
                // What is whole is in its result and removed; of all else its name and what is wrong are said.
                let isGone = !FileManager.default.fileExists(atPath: file.path)
                let word = end.errors.split(separator: "\n").first { $0.contains(file.lastPathComponent) }
                #expect(isGone || (word?.count ?? 0) > file.path.count + 12, "\(file.lastPathComponent): \(end.errors)")
                recovered += isGone || word?.contains("stays where it is") == true ? 1 : 0
                refused += isGone || word?.contains("stays where it is") == true ? 0 : 1
            }
        }
        #expect(recovered > 60 && refused > 40, "\(recovered) recovered, \(refused) refused")
        // Whatever a journal calls its profile, its result stays in the folder that was named.
        #expect(rehearsal.folder.results(in: "recovered").count == recovered)
    }

    /// Scalars that steer a terminal, but for line feeds.
    private static func steering(in text: String) -> [String] {
        text.unicodeScalars.filter { scalar in
            scalar != "\n" && scalar.properties.generalCategory == .control
                || ["\u{2028}", "\u{2029}"].contains(scalar) || ("\u{202A}"..."\u{202E}").contains(scalar)
        }.map { "U+" + String($0.value, radix: 16) }
    }

    @Test func aRunThatEndedBeforeItsFirstIntervalIsSaidOnce() async throws {
        let (rehearsal, journal) = try await Self.journal()
        let folder = rehearsal.folder.url.appending(path: "left")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let bytes = try Data(contentsOf: journal)
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { $0 + [0x0A] }
        try Data(lines.prefix(2).joined()).write(to: folder.appending(path: "brief.journal"))
        try Data(lines.prefix(2).joined() + Data(lines[2].prefix(30))).write(to: folder.appending(path: "torn.journal"))
        try bytes.write(to: folder.appending(path: "whole.journal"))
        let named = try await PodswarmExecutable.run(["recover", folder.appending(path: "brief.journal").path])
        #expect(named.status == 3 && named.errors.contains("it holds no interval"), "\(named.errors)")
        let kept = try await PodswarmExecutable.run(["recover", folder.path, "--keep-journal"])
        #expect(kept.status == 0 && kept.errors.contains("brief.journal: it holds no interval"), "\(kept.errors)")
        #expect(rehearsal.folder.files(in: "left").filter { $0.pathExtension == "journal" }.count == 3)
        let first = try await PodswarmExecutable.run(["recover", folder.path])
        #expect(
            first.status == 0 && first.errors.contains("torn.journal: it holds no whole interval"),
            "\(first.errors)"
        )
        #expect(
            rehearsal.folder.files(in: "left").allSatisfy {
                $0.pathExtension != "journal" || $0.lastPathComponent.contains("whole")
            }
        )
        let second = try await PodswarmExecutable.run(["recover", folder.path])
        #expect(
            second.status == 0 && second.errors.contains("no run left a journal without a result"),
            "\(second.errors)"
        )
    }
}
