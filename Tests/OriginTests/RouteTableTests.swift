import AdServing
import TestSupport
import Testing

@testable import Origin

@Suite struct RouteTableTests {
    private static let table = RouteTable(
        OriginConfiguration(),
        renditions: ClipProfile.allCases.map(LiveRendition.variant)
    )
    private static let event = "21775744923/custom_asset/sgai-hls-live"
    private static let hls = "/linear/pods/v1/hls/network/\(event)"
    private static let seg = "/linear/pods/v1/seg/network/\(event)"

    private static let paths: [(path: String, route: Route)] = [
        ("/origin/health", .health),
        ("/origin/truth.json", .truth),
        ("/live/main/multivariant.m3u8", .multivariant),
        ("/live/other/multivariant.m3u8", .missing(.multivariant)),
        ("/live/main/360p/media.m3u8", .livePlaylist(rendition: 0)),
        ("/live/main/180p/media.m3u8", .livePlaylist(rendition: 1)),
        ("/live/main/90p/media.m3u8", .missing(.playlist)),
        ("/live/main/180p/init.mp4", .liveInitialization(rendition: 1)),
        ("/live/main/180p/17.m4s", .liveSegment(rendition: 1, number: 17)),
        ("/live/main/180p/-1.m4s", .missing(.segment)),
        ("/live/main/180p/99999999999999999999.m4s", .missing(.segment)),
        ("/live/main/180p/x.mp4", .missing(.segment)),
        ("/live/main/180p/x.txt", .unknown),
        ("/live/", .unknown),
        ("/ssai/pods/api/v1/network/\(event)/stream", .registration),
        ("/ssai/pods/api/v1/network/1/custom_asset/sgai-hls-live/stream", .missing(.registration)),
        ("\(hls)/pod/7.m3u8", .podManifest(identifier: "pod/7")),
        ("\(hls)/pod/0.m3u8", .missing(.podManifest)),
        ("\(hls)/pod/x.m3u8", .missing(.podManifest)),
        ("\(hls)/pod/7", .missing(.podManifest)),
        ("\(hls)/ad_break_id/mid-roll-3.m3u8", .podManifest(identifier: "ad_break_id/mid-roll-3")),
        ("\(hls)/ad_break_id/%61%20b.m3u8", .podManifest(identifier: "ad_break_id/a%20b")),
        ("\(hls)/ad_break_id/.m3u8", .missing(.podManifest)),
        ("/linear/pods/v1/hls/network/1/custom_asset/k/pod/7.m3u8", .missing(.podManifest)),
        ("\(hls)/pod/7/token/360p.m3u8", .podPlaylist(identifier: "pod/7", token: "token", profile: "360p")),
        ("\(seg)/pod/7/profile/360p/creative/init.mp4", .podInitialization(profile: "360p")),
        ("\(seg)/pod/7/profile/360p/creative/3.mp4", .podSegment(profile: "360p", number: 3)),
        ("\(seg)/pod/7/profile/360p/creative/-3.mp4", .missing(.podSegment)),
        ("\(seg)/pod/7", .missing(.podSegment)),
        ("/linear/pods/hls/pa/event/none/stream/a/metadata", .missing(.metadata)),
        ("/view/p/service/linear/stream/a/loc/TUL/network/1/event/e/media/m", .missing(.verification)),
        ("/", .unknown),
        ("", .unknown),
        ("no slash", .unknown),
        ("//////////////", .unknown),
    ]

    @Test(arguments: paths)
    func pathLeadsToItsRoute(path: String, route: Route) {
        #expect(Self.table.route(path) == route)
    }

    @Test func absurdlyLongIdentifierIsNoPod() {
        let path = "\(Self.hls)/ad_break_id/\(String(repeating: "a", count: 300)).m3u8"
        #expect(Self.table.route(path) == .missing(.podManifest))
    }

    @Test func pathsHandedOutAreRead() throws {
        let paths = SessionPaths(OriginConfiguration())
        let streamID = "4ccb06d9-c5b1-438b-9e61-b22bbec87826:TUL"
        #expect(Self.table.route(paths.metadata(streamID: .init(streamID))) == .metadata(streamID: streamID))
        #expect(Self.table.route(paths.update(streamID: .init(streamID))) == .sessionUpdate(streamID: streamID))
        let verification = paths.verification(streamID: .init(streamID)) + "google_1-2-3"
        #expect(Self.table.route(verification) == .verification(streamID: streamID, mediaID: "google_1-2-3"))
        #expect(Self.table.route(verification + "/more") == .missing(.verification))
        #expect(Self.table.route(paths.registration) == .registration)
    }

    @Test func anyPathIsReadWithoutATrap() {
        let seed: UInt64 = 23
        var generator = SeededGenerator(seed: seed)
        for (path, _) in Self.paths {
            for _ in 0..<50 {
                var bytes = Array(path.utf8)
                for _ in 0..<3 where !bytes.isEmpty {
                    bytes[Int.random(in: bytes.indices, using: &generator)] = .random(in: 0...255, using: &generator)
                }
                _ = Self.table.route(
                    String(decoding: bytes.prefix(.random(in: 0...200, using: &generator)), as: UTF8.self)
                )
            }
        }
    }
}
