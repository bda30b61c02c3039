import Foundation
import Results
import TestSupport
import Testing

/// Whatever a server answers, a run ends when it said, within its memory, and names what was wrong.
///
/// Each lie is a file of `Tests/HostileServer/lies`, with what is right to come of it.
///
/// Over sockets, because most of them lie below what a virtual target can say.
@Suite(.oneCrowd) struct HostileServerTests {
    /// Lies of one folder, which are told side by side.
    struct Crowd: Sendable, CustomTestStringConvertible {
        let testDescription: String

        func lies(of server: HostileServer) -> [HostileServer.Lie] {
            server.lies.filter { $0.crowd == testDescription }
        }
    }

    private static let crowds = {
        let files = FileManager.default.enumerator(atPath: PackageFolder.file("Tests/HostileServer/lies").path)
        let folders = (files?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".py") }
            .map { String($0[..<($0.lastIndex(of: "/") ?? $0.startIndex)]) }
        return Set(folders).sorted().map(Crowd.init)
    }()

    private static let floods = Crowd(testDescription: "http2/floods")

    private static let memory = 1_000_000_000

    /// Each is told once, and what is not told in a break of its own is known by its kind and outcome.
    @Test func noTwoLiesToldSideBySideCanBeTakenForEachOther() async throws {
        let (all, crowds) = try await HostileServer.serving { server in
            (server.lies, Self.crowds.map { ($0, $0.lies(of: server)) })
        }
        #expect(crowds.flatMap { $0.1.map(\.name) }.sorted() == all.map(\.name).sorted())
        for (crowd, lies) in crowds {
            // Timeouts are short only where a lie is to meet one: elsewhere they would tell of a busy machine.
            #expect(Set(lies.map(\.meetsTimeouts)).count == 1, "\(crowd.testDescription)")
            #expect(lies.filter(\.isOfBreak).count <= SlowestAnswers.perKind, "\(crowd.testDescription)")
            for (kind, others) in Dictionary(grouping: lies.filter { !$0.isOfBreak }, by: \.kind) where others.count > 1
            {
                #expect(Set(others.map(\.loose)).count == 1, "\(crowd.testDescription), \(kind)")
                #expect(Set(others.map(\.outcomes.isEmpty)).count == 1, "\(crowd.testDescription), \(kind)")
                let outcomes = others.flatMap(\.outcomes)
                #expect(Set(outcomes).count == outcomes.count, "\(crowd.testDescription), \(kind)")
            }
        }
    }

    /// Floods take the core that the honest answers of their server need, so that on a busy machine none is in time: by night.
    @Test func aFloodComesToWhatIsRight() async throws { try await eachLieComesToWhatIsRight(crowd: Self.floods) }

    @Test(arguments: crowds.filter { $0.testDescription != floods.testDescription })
    func eachLieComesToWhatIsRight(crowd: Crowd) async throws {
        try await HostileServer.serving { server in
            let lies = crowd.lies(of: server)
            let outcome = try await server.tell(lies, to: .few(for: lies))
            #expect(outcome.complaintsOfRun(memory: Self.memory) == [])
            #expect(outcome.complaintsOfLies == [])
            Self.tell(outcome, of: "\(crowd.testDescription), \(lies.count) lies")
        }
    }

    /// What asks for the most memory, and how many megabytes a thousand viewers then have: few where nothing is kept.
    ///
    /// Several lies are told to hundreds of viewers each.
    private static let large: [(lies: [String], megabytes: Int)] = [
        (
            [
                "playlist-of-a-million-segments", "playlist-of-600000-segments", "playlist-of-50000-date-ranges",
                "pod-of-9000-segments-of-the-right-length",
            ], 1_000
        ),
        (["seven-megabytes-and-silence", "metadata-of-40000-tags"], 1_000), (["asset-list-of-15000-assets"], 600),
        (["seven-megabytes-in-frames-and-silence"], 1_000), (["data-without-end"], 300),
        (["gzip-bomb-as-a-playlist", "registration-id-of-a-megabyte", "registration-metadata-of-a-megabyte"], 600),
        (["pod-of-100000-segments", "pods-of-14000-segments-each-its-own", "gzip-bomb", "chunks-without-end"], 600),
    ]

    /// One run after the other: each has the memory and the cores that it asks for.
    @Test func aThousandViewersStayBelowAGigabyte() async throws {
        for (names, megabytes) in Self.large {
            try await HostileServer.serving { server in
                let lies = server.lies.filter { names.contains($0.name) }
                try #require(lies.count == names.count)
                let outcome = try await server.tell(lies, to: .thousand)
                #expect(outcome.told.isSuperset(of: names))
                #expect(outcome.complaintsOfRun(memory: megabytes * 1_000_000) == [], "\(names)")
                Self.tell(outcome, of: "a thousand viewers, \(names)")
            }
        }
    }

    /// The figures that the page on these tests shows.
    private static func tell(_ outcome: HostileServer.Outcome, of name: String) {
        let late = outcome.overtime / .milliseconds(1)
        print("\(name): \(outcome.peakBytes / 1_000_000) MB at most, end \(late) ms after it was asked to")
    }
}
