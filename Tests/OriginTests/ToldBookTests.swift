import AdServing
import HTTPTypes
import Profile
import Testing
import Values

@testable import Origin

/// What the origin counts of what viewers say of themselves.
@Suite struct ToldBookTests {
    private static let region = "x-region"
    private static let title = "header x-region"

    private static func configuration(cookies: Bool = false) -> OriginConfiguration {
        var configuration = OriginConfiguration()
        configuration.countedFields = [CountedField(.header, region), CountedField(.registration, "ppid")]
        configuration.setsCookies = cookies
        return configuration
    }

    private static func fields(_ pairs: [(String, String)]) throws -> HTTPFields {
        var fields = HTTPFields()
        for (name, value) in pairs { fields.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value)) }
        return fields
    }

    private static func truth(_ book: ToldBook) -> GroundTruth {
        var truth = GroundTruth()
        book.write(to: &truth)
        return truth
    }

    @Test func viewersAreCountedByWhatTheySayFirst() throws {
        let book = ToldBook(Self.configuration())
        for viewer: UInt64 in [0, 1, 2, 7, 1] {
            _ = book.came(try Self.fields([("X-Region", viewer == 7 ? "south" : "north")]), from: viewer)
        }
        _ = book.came(try Self.fields([("X-Region", "south")]), from: 0)
        _ = book.came(HTTPFields(), from: 2)
        book.came(.registration, from: 7) { $0 == "ppid" ? "p7" : nil }
        book.came(.registration, from: 8) { _ in nil }
        book.came(.pod, from: 9) { _ in nil }
        let told = try #require(Self.truth(book).told)
        let region = try #require(told[Self.title])
        #expect(region.requests == 6 && region.requestsWithout == 1 && region.changed == 1)
        #expect(region.values == ["north": 3, "south": 1] && region.numbers == "0-2,7")
        let said = [(7, "south"), (2, "north"), (1, "north"), (0, "north")] as [(UInt64, String)]
        #expect(region.digest == ToldCount.digest(of: said.map { ToldCount.hash($1, of: $0) }))
        let ppid = try #require(told["registration ppid"])
        #expect(ppid.requests == 1 && ppid.numbers == "7" && ppid.values == ["p7": 1] && ppid.requestsWithout == 1)
    }

    @Test func valuesOfViewersOwnAreCountedTogether() throws {
        let book = ToldBook(Self.configuration())
        for viewer: UInt64 in 0..<100 { _ = book.came(try Self.fields([("x-region", "r\(viewer)")]), from: viewer) }
        let region = try #require(Self.truth(book).told?[Self.title])
        #expect(region.values.count == 64 && region.viewersOfOtherValues == 36 && region.numbers == "0-99")
    }

    @Test func valuesOfASecretAreToldApartAndNotKept() throws {
        var configuration = OriginConfiguration()
        configuration.countedFields = [CountedField(.registration, "key", showsValues: false)]
        let book = ToldBook(configuration)
        for viewer: UInt64 in 0..<3 { book.came(.registration, from: viewer) { _ in "hush \(viewer)" } }
        book.came(.registration, from: 0) { _ in "hush" }
        let truth = Self.truth(book)
        let key = try #require(truth.told?["registration key"])
        #expect(key.values.isEmpty && key.viewersOfOtherValues == 3 && key.changed == 1 && key.numbers == "0-2")
        #expect(!String(decoding: try truth.json(), as: UTF8.self).contains("hush"))
    }

    @Test func aCookieIsSetOnceAndKnownAgain() throws {
        let book = ToldBook(Self.configuration(cookies: true))
        let set = try #require(book.came(HTTPFields(), from: 3))
        let pair = String(set.prefix { $0 != ";" })
        #expect(set == pair + "; Path=/; HttpOnly")
        #expect(book.came(try Self.fields([("Cookie", "a=1; \(pair); b=2")]), from: 3) == nil)
        // Over HTTP/2 each may stand in a field of its own.
        #expect(book.came(try Self.fields([("Cookie", "a=1"), ("Cookie", pair)]), from: 3) == nil)
        #expect(book.came(try Self.fields([("Cookie", pair)]), from: 4) != nil)
        #expect(book.came(try Self.fields([("Cookie", "\(pair); \(pair)")]), from: 3) != nil)
        let cookies = try #require(Self.truth(book).cookies)
        #expect(cookies.set == 3 && cookies.returned == 2 && cookies.foreign == 2)
    }

    @Test func nothingIsKeptWhereNothingIsToBeCounted() throws {
        let book = ToldBook(OriginConfiguration())
        #expect(book.came(try Self.fields([("x-region", "north")]), from: 1) == nil)
        #expect(Self.truth(book).told == nil && Self.truth(book).cookies == nil)
    }

    /// What a request says is counted where it arrives, whatever becomes of it.
    @Test func theServiceLooksAtHeadersRegistrationsAndPods() throws {
        let probe = try ServiceProbe {
            $0.countedFields = [
                CountedField(.header, Self.region), CountedField(.registration, "ppid"), CountedField(.pod, "ppid"),
            ]
            $0.setsCookies = true
        }
        let body = #"{"ppid": "p1"}"#
        _ = probe.post(ServiceProbe.registrationPath, body: body, isJSON: true, viewer: 1)
        _ = probe.get(
            "/linear/pods/v1/hls/network/21775744923/custom_asset/sgai-hls-live/ad_break_id/a.m3u8?ppid=p2",
            viewer: 2
        )
        _ = probe.get("/live/main/multivariant.m3u8?ppid=p3", viewer: 3)
        #expect(probe.exchange("/live/main/multivariant.m3u8", viewer: 3).cookie?.hasPrefix("podswarm-viewer=") == true)
        #expect(probe.exchange("/live/main/multivariant.m3u8").cookie == nil)
        let truth = probe.service.truth(at: probe.now)
        #expect(truth.told?["registration ppid"]?.values == ["p1": 1])
        #expect(truth.told?["pod ppid"]?.values == ["p2": 1])
        #expect(truth.told?[Self.title]?.requestsWithout == 4)
        #expect(truth.cookies?.set == 4)
        #expect(try GroundTruth(json: truth.json()) == truth)
    }
}
