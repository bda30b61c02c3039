import HLS
import Results
import Testing

@testable import AdServing
@testable import Audit
@testable import Viewer

/// The name of a point of presence as each network spells it.
@Suite struct PointOfPresenceTests {
    private func name(_ headers: [String: String]) -> String {
        PointOfPresence.name { name, take in
            guard var value = headers["\(name)"] else { return take(nil) }
            value.withUTF8 { take(UnsafeRawBufferPointer($0)) }
        }
    }

    @Test(arguments: [
        ("x-amz-cf-pop", "FRA56-P3", "FRA56-P3"),
        ("x-served-by", "cache-fra-eddf8230123-FRA", "FRA"),
        // The shield first, the edge last.
        ("x-served-by", "cache-lga21984-LGA, cache-pdx12320-PDX", "PDX"),
        // Whoever else says by whom it was served means a machine.
        ("x-served-by", "web-17", ""),
        ("cf-ray", "230b030023ae2822-SJC", "SJC"),
        ("cf-ray", "230b030023ae2822", ""),
        (
            "akamai-request-bc",
            "[a=12.34.56.89,b=12345678,c=g,n=US_CA_SANJOSE,o=20940],[c=p,n=US_NJ_NEWARK,o=55155]", "US_CA_SANJOSE"
        ),
        ("akamai-request-bc", "[a=12.34.56.89,c=o]", ""),
        ("x-cache", "TCP_HIT from a12", ""),
    ])
    func eachNetworkNamesItInItsOwnWay(header: String, value: String, expected: String) {
        #expect(name([header: value]) == expected)
    }

    @Test func nothingTrapsAndALongOneIsCut() {
        for value in ["", "-", ",", "[", "]", "cache-", "\u{0}", "n="] {
            for header in ["x-amz-cf-pop", "x-served-by", "cf-ray", "akamai-request-bc"] {
                #expect(name([header: value]).utf8.count < 8)
            }
        }
        #expect(name(["x-amz-cf-pop": String(repeating: "x", count: 9_999)]).utf8.count == 512)
    }
}

/// Statements of caches as each network writes them.
@Suite struct CacheHeaderTests {
    @Test(
        arguments: [
            (.cacheStatus, "OriginCache; hit; ttl=1100", .hit), (.cacheStatus, "Hit; fwd=miss; stored", .miss),
            (.cacheStatus, "Shield; hit, Edge; fwd=uri-miss", .hit),
            (.cacheStatus, "Edge; fwd=stale; fwd-status=304", .miss),
            (.cloudflare, "HIT", .hit), (.cloudflare, "REVALIDATED", .hit), (.cloudflare, "STALE", .hit),
            (.cloudflare, "UPDATING", .hit), (.cloudflare, "DYNAMIC", .miss), (.cloudflare, "EXPIRED", .miss),
            (.xCache, "Hit from cloudfront", .hit), (.xCache, "RefreshHit from child", .hit),
            (.xCache, "MISS, HIT", .hit),
            (.xCache, "HIT, MISS", .hit), (.xCache, "Miss from child, Miss from parent", .miss),
            (.xCache, "TCP_MEM_HIT from a1-2", .hit), (.xCache, "HitStale from child", .hit),
            (.xCache, "hit-for-pass", .miss),
            (.xCache, "BYPASS", .miss), (.xCache, "", .miss), (.age, "7", .hit), (.age, "0", .unsaid),
            (.age, "-", .unsaid),
        ] as [(CacheHeader, String, CacheUse)]
    )
    func saysWhetherACacheMadeTheAnswer(header: CacheHeader, value: String, expected: CacheUse) {
        let use = header.use { _, take in
            var value = value
            value.withUTF8 { take(UnsafeRawBufferPointer($0)) }
        }
        #expect(use == expected)
        #expect(header.use { _, take in take(nil) } == nil)
    }
}

/// Summaries that are shown of bodies that differ.
@Suite struct BodySummaryTests {
    private static let own = StreamID("00000000-0000-4000-8000-000000000001:TUL")

    @Test func aPodIsToldByItsAds() throws {
        let id = Self.own.percentEncoded
        let text = """
            #EXTM3U
            #EXT-X-TARGETDURATION:5
            #EXTINF:5,
            https://user:word@h/linear/x/\(id)/ad/1/0.m4s?auth-token=secret&stream_id=\(id)
            #EXTINF:2.5,
            https://h/linear/x/\(id)/ad/1/1.m4s?auth-token=secret
            #EXT-X-DISCONTINUITY
            #EXTINF:5,
            /ad/2/0.m4s?auth-token=secret
            #EXT-X-ENDLIST

            """
        let summary = BodySummary.text(of: try MediaPlaylist.parsed(text), own: Self.own)
        #expect(summary == "3 segments, 12500 ms; …/ad/1/0.m4s 7500 ms in 2; ad/2/0.m4s 5000 ms in 1")
    }

    @Test func anAssetListIsToldByItsAssets() {
        let list = AssetList(assets: [
            .init(uri: "http://h/a.m3u8?token=secret", duration: .seconds(10)),
            .init(uri: "http://h/b.m3u8", duration: .milliseconds(2_500)),
        ])
        #expect(BodySummary.text(of: list, own: nil) == "2 assets; a.m3u8 10000 ms; b.m3u8 2500 ms")
    }

    @Test func whateverComesIsBounded() throws {
        let assets = (0..<1_000).map { AssetList.Asset(uri: String(repeating: "x", count: $0), duration: .seconds(1)) }
        #expect(BodySummary.text(of: AssetList(assets: assets), own: nil).utf8.count < 700)
        #expect(Redaction.name(of: String(repeating: "y", count: 10_000), own: nil).count == 80)
    }
}

@Suite struct RunHashTests {
    private func hash(_ body: [UInt8]) -> UInt64 { body.withUnsafeBytes { RunHash.value(of: $0) } }

    @Test(arguments: 0..<80)
    func equalBodiesHaveOneHashAndNoByteIsPassedOver(count: Int) {
        let body = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) }
        #expect(hash(body) == hash(body))
        var hashes: Set<UInt64> = [hash(body), hash(body + [0])]
        for index in body.indices {
            var other = body
            other[index] ^= 1
            hashes.insert(hash(other))
        }
        #expect(hashes.count == count + 2)
    }

    @Test func whereABodyLiesInMemoryDoesNotMatter() {
        let body = Array("#EXTM3U #EXT-X-TARGETDURATION:4 #EXTINF:4.0,".utf8)
        let moved = [0] + body
        #expect(moved.withUnsafeBytes { RunHash.value(of: .init(rebasing: $0[1...])) } == hash(body))
    }

    @Test func partsThatChangePlacesMakeAnotherBody() {
        let (first, second) = ([UInt8](repeating: 1, count: 8), [UInt8](repeating: 2, count: 8))
        #expect(hash(first + second + first + second) != hash(second + first + second + first))
    }
}
