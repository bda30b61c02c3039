import Foundation
import TestSupport
import Testing

@testable import Origin

@Suite struct RouteTableTests {
    private static let table = RouteTable(
        OriginConfiguration(),
        renditions: ClipProfile.allCases.map(LiveRendition.variant)
    )
    /// Paths, each with its route in the line after it; EVENT stands for the network and the asset.
    private static let paths: [(path: String, route: String)] = {
        let text = (try? PackageFolder.text("Tests/OriginTests/routes.txt")) ?? ""
        let event = "21775744923/custom_asset/sgai-hls-live"
        let lines = text.replacing("EVENT", with: event).split(separator: "\n").map(String.init)
        return stride(from: 0, to: lines.count - 1, by: 2).map { place in
            (lines[place] == "(empty)" ? "" : lines[place], lines[place + 1].trimmingCharacters(in: .whitespaces))
        }
    }()

    @Test func pathsLeadToTheirRoutes() {
        #expect(Self.paths.count > 30)
        for (path, route) in Self.paths {
            let read = "\(Self.table.route(path))".replacing("Origin.RequestKind.", with: ".")
            #expect(read == route, "\(path)")
        }
    }

    @Test func absurdlyLongIdentifierIsNoPod() {
        let path =
            "/linear/pods/v1/hls/network/21775744923/custom_asset/sgai-hls-live/ad_break_id/\(String(repeating: "a", count: 300)).m3u8"
        #expect(Self.table.route(path) == .missing(.podManifest))
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
