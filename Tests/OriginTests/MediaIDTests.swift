import AdServing
import HLS
import HTTPTypes
import NIOCore
import Profile
import Testing

@testable import Origin

/// Metadata that lists prefixes, and pods whose segments carry the whole ids.
@Suite struct MediaIDTests {
    private struct Carried: Equatable {
        var ad: Int
        var id: String
        /// In the ad.
        var milliseconds: Int64
    }

    private struct Pod {
        let probe: ServiceProbe
        let session: StreamSession
        let streamID: StreamID

        init(faults: String = "", query: String = "&pd=25000", _ change: (inout OriginConfiguration) -> Void) throws {
            probe = try ServiceProbe(faults: faults, change)
            session = try probe.register()
            streamID = try #require(session.streamID)
            playlist = try probe.media(probe.podPlaylist("ad_break_id/break-1", streamID, query: query))
        }

        let playlist: MediaPlaylist

        func metadata() throws -> SessionMetadata { try probe.metadata(of: session) }

        func verify(_ id: String) throws -> Int {
            probe.get(try probe.path(session.mediaVerificationURL) + id).status.code
        }

        /// What the segments carry, read by what viewers read with.
        func carried() throws -> [Carried] {
            var carried: [Carried] = []
            var (ad, start) = (-1, Int64(0))
            var timescales: [UInt32: UInt32] = [:]
            for (index, segment) in playlist.segments.enumerated() {
                if index == 0 || segment.isDiscontinuity { (ad, start) = (ad + 1, 0) }
                let map = try #require(segment.mapURI.map { playlist.string(in: $0) })
                timescales = metadata(of: probe.get(map), [:]).timescales
                #expect(!timescales.isEmpty)
                let answer = probe.get(playlist.uri(of: segment))
                #expect(answer.status == .ok)
                for text in metadata(of: answer, timescales).texts {
                    let offset = try #require(text.offsetMicroseconds)
                    carried.append(Carried(ad: ad, id: text.text, milliseconds: (start + offset) / 1_000))
                }
                start += segment.durationMicroseconds
            }
            return carried
        }

        private func metadata(of answer: Answer, _ timescales: [UInt32: UInt32]) -> TimedMetadata {
            answer.body.withUnsafeReadableBytes { TimedMetadata(reading: $0, timescales: timescales) }
        }
    }

    @Test func aPodCarriesTheIDsOfItsQuartiles() throws {
        let pod = try Pod { $0.mediaIDs = .prefixes }
        let carried = try pod.carried()
        #expect(carried.map(\.ad) == [0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2])
        let whole: [Int64] = [0, 2_500, 5_000, 7_500, 9_900]
        #expect(carried.map(\.milliseconds) == whole + whole + [0, 1_250, 2_500, 3_750, 4_900])
        let metadata = try pod.metadata()
        let types = ["start", "firstquartile", "midpoint", "thirdquartile", "complete"]
        #expect(carried.map { metadata.tag(matching: $0.id)?.type } == types + types + types)
        #expect(Set(carried.map(\.id)).count == 15)
        #expect(carried.allSatisfy { one in !metadata.tags.contains { $0.prefix == one.id } })
        let ads = metadata.orderedAds(of: .adBreakID("break-1")).map(\.id)
        #expect(carried.map { metadata.tag(matching: $0.id)?.adID } == carried.map { ads[$0.ad] })
    }

    @Test func onlyAWholeIDIsVerified() throws {
        let pod = try Pod { $0.mediaIDs = .prefixes }
        let prefix = try #require(try pod.metadata().tags.first?.prefix)
        let id = try #require(try pod.carried().first { $0.id.hasPrefix(prefix) }?.id)
        #expect(try pod.verify(prefix) == 404)
        #expect(try pod.verify("\(prefix)-") == 404)
        #expect(try pod.verify(String(id.dropLast())) == 404)
        #expect(try pod.verify(id) == 204)
        #expect(try pod.verify(id) == 404, "it came before")
        #expect(pod.probe.service.truth(at: pod.probe.now).sessions.barePrefixes == 1)
    }

    @Test func adsCarryNothingByDefault() throws {
        let pod = try Pod { $0.mediaIDs = .whole }
        #expect(try pod.carried() == [])
        let id = try #require(try pod.metadata().tags.first?.prefix)
        #expect(try pod.verify(id) == 204)
    }

    @Test func metadataListsOtherPrefixesByAFault() throws {
        let pod = try Pod(faults: "- {fault: media_id_unlisted}") { $0.mediaIDs = .prefixes }
        let metadata = try pod.metadata()
        let carried = try pod.carried()
        #expect(metadata.tags.count == carried.count)
        #expect(carried.allSatisfy { metadata.tag(matching: $0.id) == nil })
        #expect(try pod.verify(try #require(carried.first?.id)) == 204, "only metadata is wrong")
    }

    @Test func addressesOfOthersAndGarbageLeadNowhere() throws {
        let pod = try Pod { $0.mediaIDs = .prefixes }
        let first = try #require(pod.playlist.segments.first)
        let path = String(pod.playlist.uri(of: first).prefix { $0 != "?" })
        let pieces = path.split(separator: "/", omittingEmptySubsequences: false)
        let folder = try #require(pieces.dropLast().last)
        let token = folder.prefix(16)
        for other in ["x-0-10000", "\(token)-0-0", "\(token)--1-10000", "\(token)-0-9999999999", "a-b", "---"] {
            let changed = path.replacing("/\(folder)/", with: "/\(other)/")
            #expect(pod.probe.get(changed).status == .notFound, "\(other)")
        }
        #expect(pod.probe.get(path).status == .ok)
    }
}
