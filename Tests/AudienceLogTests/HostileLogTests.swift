import Foundation
import TestSupport
import Testing
import Values

@testable import Tools

@Suite struct HostileLogTests {
    private static let seeds = [
        LogText.combined(1000, "192.0.2.1", "/a.m3u8?CMCD=sid%3D%22x%22&stream_id=7", "AppleCoreMedia/1.0"),
        "#Version: 1.0\n#Fields: date time c-ip cs-method cs-uri-stem cs-uri-query cs(User-Agent) cs(Cookie)\n"
            + "2026-11-23\t20:04:23\t192.0.2.1\tGET\t/a.m3u8\tb=c\tMozilla\tsession=7\n",
        #"{"reqTimeSec":"1795464263.042","cliIP":"192.0.2.1","reqPath":"/a\u002fb.m3u8","a":[{"b":"\\"}],"UA":"x\"y"}"#
            + "\n",
        #"{"log":{"version":"1.2","entries":[{"startedDateTime":"2026-11-23T20:04:23Z","request":{"method":"GET","#
            + #""url":"https://a/b.m3u8?_HLS_primary_id=7","headers":[{"name":"Cookie","value":"session=1"}]}}]}}"#,
    ]

    @Test(arguments: LogFormat.allCases, 1...8)
    func bytesThatWereChangedAreReadOrRefused(format: LogFormat, seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let folder = try TemporaryFolder()
        for round in 0..<Draws.of(20) {
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                bytes += Array(Self.seeds[Int.random(in: 0..<Self.seeds.count, using: &random)].utf8)
            }
            for _ in 0..<Int.random(in: 0...60, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(Array("\"\\{}[],:%\t\n &=;/".utf8).randomElement(using: &random) ?? 0, at: place)
                default: bytes.removeSubrange(place..<min(bytes.count, place + 9))
                }
                if bytes.isEmpty { bytes = [0] }
            }
            let path = try folder.write(Data(bytes), to: "\(round).log")
            for recognises in [true, false] {
                var options = AudienceLogOptions()
                options.format = recognises ? nil : format
                do throws(AudienceLogError) {
                    let figures = try AudienceLogReader(options).read([path])
                    _ = AudienceText(figures).yaml()
                    _ = AudienceText(figures).summary(width: 80)
                } catch { #expect(!error.description.isEmpty) }
            }
        }
    }

    /// Requests at any instants and in any order, of few viewers with many stays.
    @Test(arguments: 1...4) func anyInstantsInAnyOrderAreTaken(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var lines = ""
        for _ in 0..<4000 {
            let at = Int.random(in: 0...20 * 86_400_000, using: &random)
            let path = ["/a.m3u8", "/b.m3u8", "/c.ts", "/pod/1.m3u8"].randomElement(using: &random) ?? ""
            lines += LogText.combined(at, "192.0.2.\(Int.random(in: 0..<5, using: &random))", path, "x")
        }
        let figures = try LogText.figures(lines)
        #expect(figures.viewers > 0)
        #expect(figures.curve.allSatisfy { $0.viewers >= 0 })
    }

    @Test func aLineLongerThanAnyIsPassedOver() throws {
        let good = LogText.combined(0, "192.0.2.1", "/a.m3u8", "x")
        let long = String(repeating: "a", count: 5 << 20)
        let figures = try LogText.figures("\n" + good + long + "\n\n" + good + long)
        #expect((figures.read.lines, figures.read.meaningless, figures.read.meaninglessPlaces.count) == (6, 2, 2))
        #expect(figures.read.meaninglessPlaces.first?.hasSuffix("0.log:3") == true)
        #expect(figures.read.requests["playlist"] == 2)
    }

    /// Hashing or comparing such a `String` would take seconds for each line.
    @Test func manyMarksThatCombineAreReadInTime() throws {
        let marks = "a" + String(repeating: "\u{301}\u{316}", count: 30_000)
        let target = "/a.m3u8?\(marks)=1&CMCD=\(marks)sid"
        let line = "\(LogText.combined(0, "192.0.2.1", target, "x").dropLast()) \"\(marks)=7\"\n"
        let figures = try LogText.figures(String(repeating: line, count: 20))
        #expect((figures.viewers, figures.read.meaningless) == (1, 0))
        let stamps = ["#Fields: date time \(marks)", "\(marks)\t\(marks)\t/a.m3u8"].joined(separator: "\n")
        #expect(throws: AudienceLogError.self) { try LogText.figures(stamps) }
    }

    @Test func eventsThatLastLongerThanAnyAreRefused() throws {
        for days in [[0, 20, 40], [20, 0, 40]] {
            let lines = days.map { LogText.combined($0 * 86_400_000, "192.0.2.1", "/a.m3u8", "x") }.joined()
            #expect(throws: AudienceLogError.tooLong(days: 40)) { try LogText.figures(lines) }
        }
    }

    /// A clock that had not been set when the log began.
    @Test func oneWrongStampIsToldOfAndCanBeLeftOut() throws {
        let wrong = LogText.combined(-25 * 365 * 86_400_000, "192.0.2.1", "/a.m3u8", "x")
        let lines = wrong + (0..<9).map { LogText.combined($0 * 2000, "192.0.2.1", "/a.m3u8", "x") }.joined()
        let error = #expect(throws: AudienceLogError.self) { try LogText.figures(lines) }
        #expect(error?.description.contains("9125 days apart; --from and --to choose the event") == true)
        let chosen = try LogText.figures(lines) { $0.from = LogText.start }
        #expect((chosen.viewers, chosen.read.outside) == (1, 1))
    }

    @Test func requestsOfNobodyKnownAreToldOf() throws {
        func line(_ second: Int, _ address: String) -> String {
            #"{"reqTimeSec":"\#(1_795_464_000 + second).042","reqPath":"/a.m3u8"\#(address)}"# + "\n"
        }
        let nobody = (0..<5).map { line($0, "") }.joined()
        let somebody = (0..<5).map { line($0, #","cliIP":"192.0.2.1""#) }.joined()
        let figures = try LogText.figures(nobody + somebody)
        #expect(figures.read.untold == 5)
        #expect(figures.notes.contains { $0.contains("nothing tells who made them: 5 requests") })
        let error = #expect(throws: AudienceLogError.self) { try LogText.figures(nobody) }
        #expect(error?.description.contains("holds 5 requests for playlists or segments") == true)
        #expect(error?.description.contains("nothing tells who made 5 of the requests") == true)
    }

    /// Nothing that names a person leaves, in no document and in no message.
    @Test func addressesCookiesAndSessionsStayWhereTheyAre() throws {
        var lines = ""
        let secrets = ["203.0.113.77", "s3cr3t-session", "alice@example.com", "c00kie-value"]
        for viewer in 0..<4 {
            for poll in 0..<20 {
                let target = "/a.m3u8?session=\(secrets[1])\(viewer)&user=\(secrets[2])"
                let line = LogText.combined(poll * 2000, secrets[0], target, secrets[2] + "/1.0")
                lines += line.dropLast() + " \"session=\(secrets[3])\"\n"
            }
        }
        lines += "this is nothing \(secrets.joined(separator: " "))\n"
        let figures = try LogText.figures(lines)
        #expect(figures.viewers == 4)
        let texts = [
            AudienceText(figures).yaml(), AudienceText(figures).summary(width: 100),
            String(decoding: try figures.json(), as: UTF8.self),
            figures.read.meaninglessPlaces.joined(),
        ]
        for text in texts {
            for secret in secrets + ["alice"] { #expect(!text.contains(secret), "\(secret): \(text)") }
        }
        let error = #expect(throws: AudienceLogError.self) { try LogText.figures("nothing \(secrets[0])\n") }
        #expect(error?.description.contains(secrets[0]) == false)
    }

    @Test func whatCannotBeReadIsRefused() throws {
        let folder = try TemporaryFolder()
        let good = try folder.write(LogText.combined(0, "192.0.2.1", "/a.m3u8", "x"), to: "good")
        for bad in [folder.path, folder.file("none").path] {
            #expect(throws: AudienceLogError.self) { try AudienceLogReader().read([good, bad]) }
        }
        #expect(throws: AudienceLogError.self) { try AudienceLogReader().read([try folder.write("", to: "empty")]) }
    }
}
