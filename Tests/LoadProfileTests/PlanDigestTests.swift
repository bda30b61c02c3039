import LoadProfile
import Players
import ProfileSyntax
import TestSupport
import Testing

@Suite struct PlanDigestTests {
    private func digest(_ yaml: String, set overrides: String...) throws -> String {
        var parsed: [Override] = []
        for text in overrides {
            parsed.append(try Override(parsing: text))
        }
        return try Samples.reader.read(yaml: yaml, path: "Profiles/evening.yaml", overrides: parsed).digest
    }

    @Test func isSixtyFourLowerCaseHexDigits() throws {
        let digest = try digest(Samples.minimal)
        #expect(digest.count == 64)
        #expect(digest.allSatisfy { "0123456789abcdef".contains($0) })
    }

    @Test func isTheSameWhateverTheSpelling() throws {
        let plain = """
            name: evening
            description: one
            duration: 60s
            target: embedded
            audience: {viewers: 10, churnPerMinute: 5%}
            breaks: {source: {every: 20s}, podDuration: 10s}
            thresholds: [findings.* == 0, playlist.errors < 1%]
            allowFindings: [empty_pod, pod_mismatch]
            """
        let other = """
            # The same plan in another order, with defaults spelled out and comments.
            allowFindings: [pod_mismatch, "empty_pod"]
            thresholds:
              - 'playlist.errors < 1%' # second first
              - findings.* == 0
            breaks:
              grace: 1000ms
              source:
                offset: 0s
                every: 20000ms
            audience:
              ramp: 10s
              churnPerMinute: 0.05
              viewers: 10
            target: {embedded: {tls: false, segmentDuration: 2s}}
            seed: 1
            duration: 1m
            """
        #expect(try digest(plain) == digest(other))
    }

    @Test func equalOverridesAndFieldsHaveEqualDigests() throws {
        #expect(try digest(Samples.minimal + "seed: 7\n") == digest(Samples.minimal, set: "seed=7"))
    }

    @Test(
        arguments: [
            "name=other", "seed=2", "duration=61s", "audience.viewers=11", "audience.ramp=9s",
            "audience.churnPerMinute=1%", "audience.pictureInPicture.share=1%", "playback.variant=random",
            "playback.reload=target-duration", "playback.segments=all", "playback.verificationPings=false",
            "playback.verifyDeltaShare=1%", "playback.switchEvery=30s",
            "playback.staleAfter=1.5",
            "playback.renditions={audio: true}", "playback.renditions={subtitles: true}", "audience.personas=[hlsjs]",
            "breaks.interstitials=true",
            "breaks.stitched=true", "breaks={stitched: true, stitchedAds: [/ads]}", "playback.metadata=false",
            "playback.playoutLimit=5s",
            "breaks.source={every: 20s, offset: 1s}", "breaks.source=guideMinute", "breaks.source=dateRange",
            "breaks.source={list: [20s]}", "breaks.source={list: [{at: 20s, duration: 9s}]}",
            "breaks.source={trigger: {standardInput: true}}", "breaks.source={list: [{at: 20s, scte35: AA==}]}",
            "breaks.source=[{every: 20s}, {list: [10s]}]",
            "breaks.podIdentifier=sequence", "breaks.identifierTemplate=b-{start}",
            "breaks.podDuration=9s", "breaks.trigger=playhead", "breaks.lead=1s", "breaks.grace=2s",
            "breaks.preconnect=2s", "breaks.resumption=zero", "impressions=withheld",
            "impressionSink=http://127.0.0.1:9000", "pods.match=session", "pods.repeatShare=1%",
            "pods.durationTolerance=1s",
            "pods.adTolerance=0s", "connection.protocol=http2", "connection.transport=curl",
            "connection.maximumHandshakes=64", "connection.traceShare=0%", "connection.insecure=true",
            "connection.caFile=ca.pem",
            "connection.headers={X-A: b}", "connection.headerHosts=[cdn.example.com]",
            "connection.compression=false", "connection.sourceAddresses=[127.0.0.2]",
            "generator.spin=50us", "connection.timeouts.connect=1s", "connection.timeouts.firstByte=1s",
            "connection.timeouts.total=29s", "connection.maximumBody=1MiB", "connection.maximumRedirects=1",
            "generator.loops=1", "generator.maximumLateness=1s", "generator.maximumLoopDelay=1s",
            "generator.maximumHandling=1s",
            "generator.maximumCoreWait=1s",
            "generator.maximumMemory=1GiB", "generator.bodyMemory=1MiB", "connection.limits={pod: 1MiB}",
            "connection.limits={assetList: 2MiB}", "thresholds=[findings.* == 0]", "abort={when: [findings.* == 0]}",
            "allowFindings=[empty_pod]", "allowFindings={empty_pod: 3}", "allowFindings={empty_pod: 3%}",
            "target.embedded.tls=true", "target.embedded.segmentDuration=4s", "target.embedded.windowSegments=7",
            "target.embedded.variants=1", "target.embedded.adDuration=4s", "target.embedded.announceBreaks=false",
            "target.embedded.sessionValidity=1h", "target.embedded.metadataPolling=5s",
            "target.embedded.networkCode=1", "target.embedded.customAssetKey=a",
            "target.embedded.adTagParameters={a: b}", "target.embedded.authTokenKey=k",
            "target.embedded.signing=akamai", "target.embedded.mediaIDs=prefixes",
            "target.embedded.sessionPaths=true", "target.embedded.sessionPlaylists=true",
            "target.embedded.verificationConflicts=true", "target.embedded.redirectMultivariant=true",
            "target.embedded.closeBreaks=true", "target.embedded.cookies=true", "target.embedded.custParams=a",
            "target.embedded.scte35=00",
            "target.embedded.sessionUpdates={share: 1%, every: 9s, adTagParameters: {npa: '1'}}",
            "breaks.announcementTolerance=0s",
        ]
    )
    func changesWithEveryFieldThatMatters(_ change: String) throws {
        #expect(try digest(Samples.minimal) != digest(Samples.minimal, set: change))
    }

    @Test(arguments: ["skips", "seeks"]) func changesWithWhoNavigates(_ field: String) throws {
        let playing = Samples.minimal.replacing("{every: 20s}", with: "{every: 20s}, interstitials: true")
        #expect(try digest(playing) != digest(playing, set: "audience.\(field)={share: 1%}"))
    }

    @Test func changesWithTheShareThatReadsAdSegments() throws {
        let loading = Samples.minimal + "playback: {segments: ads}\n"
        #expect(try digest(loading) != digest(loading, set: "playback.timedMetadataShare=1%"))
        #expect(try digest(loading) == digest(loading, set: "playback.timedMetadataShare=100%"))
    }

    @Test(
        arguments: [
            "breaks.source=[{every: 20s}]", "description=other", "breaks.lead=0s", "breaks.preconnect=0s",
            "breaks.resumption=live",
            "connection.transport=auto",
            "connection.maximumHandshakes=256", "connection.traceShare=1%", "generator.spin=0s",
            "playback.verifyDeltaShare=0%",
            "playback.renditions={audio: false}", "audience.skips={share: 0%}", "breaks.interstitials=false",
            "pods.adTolerance=42ms", "playback.staleAfter=2", "breaks.announcementTolerance=42ms",
            "impressions=allowed", "target.embedded.sessionPaths=false",
            "target.embedded.mediaIDs=whole",
            "target.embedded.closeBreaks=false", "target.embedded.sessionPlaylists=false",
            "target.embedded.sessionUpdates={share: 0%, adTagParameters: {npa: '1'}}",
        ]
    )
    func staysWhenNothingThatMattersChanges(_ change: String) throws {
        #expect(try digest(Samples.minimal) == digest(Samples.minimal, set: change))
    }

    @Test func doesNotDependOnTheWayThatCallsCome() throws {
        let one = "breaks.source={trigger: {standardInput: true}}"
        let other = "breaks.source={trigger: {http: '127.0.0.1:0', token: abc, lead: 2s}}"
        #expect(try digest(Samples.minimal, set: one) == digest(Samples.minimal, set: other))
        let later = "breaks.source={trigger: {standardInput: true, lead: 3s}}"
        #expect(try digest(Samples.minimal, set: one) != digest(Samples.minimal, set: later))
    }

    /// Results of earlier versions are compared by it.
    @Test func isWhatItWasBeforeFieldsWereAdded() throws {
        #expect(try digest(Samples.minimal).hasPrefix("591820c5896c"))
    }

    @Test func doesNotDependOnSecrets() throws {
        let one = try digest(
            Samples.minimal,
            set: "target.embedded.authTokenKey=one",
            "connection.headers={authorization: one}"
        )
        let two = try digest(
            Samples.minimal,
            set: "target.embedded.authTokenKey=two",
            "connection.headers={Authorization: two}"
        )
        #expect(one == two)
    }

    private func workload(_ yaml: String, set overrides: String...) throws -> String {
        let parsed = try overrides.map { try Override(parsing: $0) }
        return try Samples.reader.read(yaml: yaml, path: "Profiles/evening.yaml", overrides: parsed).workloadDigest
    }

    private static func serving(_ fields: String) -> String {
        """
        duration: 60s
        target: {podServing: {\(fields), networkCode: "1", customAssetKey: a}}
        audience: {viewers: 10}
        breaks: {source: {every: 20s}, podDuration: 10s}

        """
    }

    @Test func changesWithWhatTheTargetListsOfMediaIDs() throws {
        let fields = "contentURL: 'http://127.0.0.1:8081/live.m3u8', adServer: 'http://127.0.0.1:8081'"
        let (plain, whole) = (Self.serving(fields), Self.serving(fields + ", mediaIDs: whole"))
        #expect(try digest(plain) != digest(whole))
        #expect(try digest(plain) == digest(Self.serving(fields + ", mediaIDs: prefixes")))
        #expect(try workload(plain) == workload(whole), "nothing else is asked")
    }

    @Test func changesWithWhichCookiesAreSessions() throws {
        let fields = "contentURL: 'http://127.0.0.1:8081/live.m3u8', adServer: 'http://127.0.0.1:8081'"
        let named = Self.serving(fields + ", sessionCookies: [ASID]")
        #expect(try digest(Self.serving(fields)) != digest(named))
        #expect(try workload(Self.serving(fields)) == workload(named), "nothing else is asked")
    }

    @Test func theWorkloadIsTheSameForTwoReleasesSideBySide() throws {
        let base = Self.serving("contentURL: 'http://127.0.0.1:8081/live.m3u8', adServer: 'http://127.0.0.1:8081'")
        let candidate = Self.serving("contentURL: 'http://127.0.0.2/live.m3u8', adServer: 'http://127.0.0.3:8082'")
        #expect(try digest(base) != digest(candidate))
        #expect(try workload(base) == workload(candidate))
    }

    @Test(
        arguments: [
            "name=other", "description=other", "thresholds=[findings.* == 0]", "allowFindings=[empty_pod]",
            "target.embedded.networkCode=1", "target.embedded.customAssetKey=a",
        ]
    )
    func theWorkloadLeavesOutWhoIsAskedAndWhatIsExpected(_ change: String) throws {
        #expect(try workload(Samples.minimal) == workload(Samples.minimal, set: change))
    }

    @Test(
        arguments: [
            "seed=2", "duration=61s", "audience.viewers=11", "playback.variant=random", "breaks.lead=1s",
            "pods.repeatShare=1%", "connection.protocol=http2", "generator.loops=1", "target.embedded.tls=true",
            "target.embedded.segmentDuration=4s", "target.embedded.adTagParameters={a: b}",
            "target.embedded.authTokenKey=k", "abort={when: [findings.* == 0]}",
        ]
    )
    func theWorkloadChangesWithWhatIsAsked(_ change: String) throws {
        #expect(try workload(Samples.minimal) != workload(Samples.minimal, set: change))
    }

    /// A planted fault is how the embedded origin stands in for a bad release.
    @Test func theWorkloadLeavesOutPlannedFaults() throws {
        let folder = try TemporaryFolder()
        try folder.write("[]", to: "faults.yaml")
        let path = try folder.write(Samples.minimal, to: "evening.yaml")
        let reader = ProfileReader()
        let plain = try reader.read(contentsOf: path)
        let faulty = try reader.read(
            contentsOf: path,
            overrides: [Override(parsing: "target.embedded.faults=faults.yaml")]
        )
        #expect(plain.digest != faulty.digest)
        #expect(plain.workloadDigest == faulty.workloadDigest)
    }

    @Test func theWorkloadOfATLSTargetIsAnother() throws {
        let clear = Self.serving("contentURL: 'http://127.0.0.1/live.m3u8', adServer: 'http://127.0.0.1'")
        let sealed = Self.serving("contentURL: 'https://127.0.0.1/live.m3u8', adServer: 'https://127.0.0.1'")
        #expect(try workload(clear) != workload(sealed))
    }

    /// Results of earlier versions are compared by it.
    @Test func theWorkloadDigestIsWhatItWas() throws {
        let found = try workload(Samples.minimal)
        #expect(found.hasPrefix("b727c595dc7f"))
    }
}
