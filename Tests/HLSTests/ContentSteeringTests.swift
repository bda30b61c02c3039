import Testing

@testable import HLS

@Suite struct ContentSteeringTests {
    private static let text = """
        #EXTM3U
        #EXT-X-CONTENT-STEERING:SERVER-URI="/steer?video=1",PATHWAY-ID="CDN-A",X-NEW=1
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="A",NAME="en",DEFAULT=YES,STABLE-RENDITION-ID="a1",URI="https://a.example.com:8443/en.m3u8"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="B",NAME="en",DEFAULT=YES,URI="https://b.example.com/en.m3u8"
        #EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="A",PATHWAY-ID="CDN-A",STABLE-VARIANT-ID="low"
        https://a.example.com:8443/low.m3u8?x=1
        #EXT-X-STREAM-INF:BANDWIDTH=2,AUDIO="A",PATHWAY-ID="CDN-A",STABLE-VARIANT-ID="high"
        high.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="B",PATHWAY-ID="CDN-B"
        https://b.example.com/low.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=1
        plain.m3u8

        """
    private static let base = "https://a.example.com/main.m3u8"

    @Test func theTagAndPathwaysAreReadAndWritten() throws {
        let playlist = try Samples.multivariantPlaylist(Self.text)
        let expected = ContentSteering(
            serverURI: "/steer?video=1",
            pathwayID: "CDN-A",
            otherAttributes: ["X-NEW": .number("1")]
        )
        #expect(playlist.contentSteering == expected)
        #expect(playlist.pathways == ["CDN-A", "CDN-B", "."])
        #expect(playlist.variants(onPathway: "CDN-A").map(\.stableID) == ["low", "high"])
        let text = playlist.render()
        #expect(try Samples.multivariantPlaylist(String(decoding: text, as: UTF8.self)) == playlist)
    }

    @Test func aRequestCarriesPathwayAndThroughput() {
        #expect(
            ContentSteering.requestURL("/steer?video=1", base: Self.base, pathway: "CDN A", throughput: 5_140_000)
                == "https://a.example.com/steer?video=1&_HLS_pathway=CDN%20A&_HLS_throughput=5140000"
        )
        #expect(ContentSteering.requestURL("https://s/", base: Self.base, pathway: nil) == "https://s/")
        #expect(ContentSteering.requestURL("DATA:,x", base: Self.base, pathway: "A") == "DATA:,x")
    }

    @Test(arguments: [
        ("data:application/json,{%22VERSION%22:1}", "{\"VERSION\":1}"), ("data:;base64,e30=", "{}"), ("data:,", ""),
        ("DATA:application/json;BASE64,e30", "{}"),
    ]) func dataURIsAreDecoded(_ uri: String, _ body: String) { #expect(DataURI.body(of: uri) == Array(body.utf8)) }

    @Test(arguments: ["https://h/", "data:", "data:;base64,!!"]) func whatIsNoDataURIHasNoBody(_ uri: String) {
        #expect(DataURI.body(of: uri) == nil)
    }

    @Test func aCloneReplacesHostParametersAndWholeURIs() throws {
        let clone = PathwayClone(
            baseID: "CDN-A",
            id: "CDN-C",
            host: "c.example.com",
            parameters: ["token": "t 1", "b": "2"],
            variantURIs: ["high": "https://other.example.com/high.m3u8"],
            renditionURIs: [:]
        )
        let playlist = try Samples.multivariantPlaylist(Self.text).adding([clone], base: Self.base)
        #expect(playlist.pathways == ["CDN-A", "CDN-B", ".", "CDN-C"])
        let cloned = playlist.variants(onPathway: "CDN-C")
        #expect(
            cloned.map(\.uri) == [
                "https://c.example.com:8443/low.m3u8?x=1&b=2&token=t%201", "https://other.example.com/high.m3u8",
            ]
        )
        #expect(cloned.map(\.audioGroup) == ["A_clone_CDN-C", "A_clone_CDN-C"])
        #expect(
            playlist.renditions.filter { $0.groupID == "A_clone_CDN-C" }.map(\.uri) == [
                "https://c.example.com:8443/en.m3u8?b=2&token=t%201"
            ]
        )
        #expect(playlist.variants.count == 6)
    }

    @Test func aCloneReplacesAWholeRenditionByItsStableID() throws {
        let own = "https://other.example.com/en.m3u8"
        let clone = PathwayClone(baseID: "CDN-A", id: "CDN-C", host: "c.example.com", renditionURIs: ["a1": own])
        let playlist = try Samples.multivariantPlaylist(Self.text).adding([clone], base: Self.base)
        #expect(playlist.renditions.filter { $0.groupID == "A_clone_CDN-C" }.map(\.uri) == [own])
    }

    @Test func clonesOfClonesWorkAndOddOnesArePassedOver() throws {
        let clones = [
            PathwayClone(baseID: "CDN-Z", id: "no", host: "z"), PathwayClone(baseID: "CDN-A", id: "CDN-B", host: "z"),
            PathwayClone(baseID: "CDN-B", id: "one", host: "one.example.com:99"),
            PathwayClone(baseID: "one", id: "two", renditionURIs: ["a1": "unused"]),
        ]
        let playlist = try Samples.multivariantPlaylist(Self.text).adding(clones, base: Self.base)
        #expect(playlist.pathways == ["CDN-A", "CDN-B", ".", "one", "two"])
        #expect(playlist.variants(onPathway: "two").map(\.uri) == ["https://one.example.com:99/low.m3u8"])
    }

    @Test(arguments: [
        ("https://a/p?q", "b", "https://b/p?q"), ("https://a:1/p", "b", "https://b:1/p"),
        ("https://a:1/p", "b:2", "https://b:2/p"), ("https://u@a/p", "b", "https://u@b/p"),
        ("https://[::1]:8/p", "b", "https://b:8/p"), ("https://[::1]/p", "[::2]:3", "https://[::2]:3/p"),
        ("rel/p", "b", "rel/p"),
    ]) func hostsAreReplaced(_ url: String, _ host: String, _ result: String) {
        #expect(URLReference.replacingHost(of: url, with: host) == result)
    }
}
