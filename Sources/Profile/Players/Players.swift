extension KnownPersona {
    /// Facts as `audience.personas` of a profile spells them, and their sources; in the order of tables.
    ///
    /// A source is `measured`, `read`, `specified` or `assumed`, and a place; `at` is a place in the code of `version`.
    package static let (all, mistakes) = read(
        quotation: """
            strict:
              summary: The specification to the letter (draft-pantos-hls-rfc8216bis-22).
              facts: &strict
                reload: {afterChange: last-segment, unchanged: half-target, clock: load-start, stuckAfter: 1.5}
                lowLatency: {blocking: always, skip: when-young, skipsDateRanges: true, hints: true, renditionReports: true}
                start: {point: start-tag-then-hold-back}
                interstitials: {trigger: buffered, preload: random-point}
                # bis-22 appendix D.5, for an answer about an interstitial.
                assetList: &minute {connect: 1m, firstByte: 1m, total: 1m}
                asset: *minute
              sources:
                reload: specified bis-22 section 6.3.4
                lowLatency: specified bis-22 sections 6.2.5, 6.3.7, 6.3.8
                start: specified bis-22 sections 4.4.2.2, 4.4.3.8, 6.3.3
                interstitials: specified bis-22 appendix D.1, D.4
                interstitials.preload: specified bis-22 appendix F
                interstitials.dates: 'specified bis-22 sections 4.4.4.6, 6.2.1: the segment that a date maps to'
                interstitials.textDurations interstitials.relativeAssets interstitials.incompleteAssets: assumed bis-22
                  appendix D.2 forbids them and names no consequence
                interstitials.beacons: specified SVTA 2053-2
                multivariant playlist segment steering: 'specified bis-22 names none: the connection''s own'
                outage: assumed as after a playlist that has not changed (bis-22 section 6.3.4)
                assetList asset: 'specified bis-22 appendix D.5: up to a minute; no retries named'
                pathways: 'specified bis-22 section 7: two minutes'
                keys: 'assumed RFC 8216 section 6.2.3: a key may be cached; no rule says that it is'
                browser: specified bis-22 has no rule on pages and their origins
                maximumDownloads: 'specified RFC 8216 section 10: a small number, such as four'
            hlsjs:
              summary: hls.js 1.7 with its default configuration.
              version: hls.js 1.7.1
              facts:
                reload: {afterChange: shorter-near-edge, unchanged: half-target, clock: load-start}
                lowLatency: {blocking: after-advance, skip: when-young, skipsDateRanges: true, dropsDirectivesAfter: 3,
                  hints: false, renditionReports: true, sortsParameters: false, tuneInTargets: 1.5}
                start: {point: hold-back}
                interstitials: {trigger: buffered-or-edge, lookAhead: 10s, preload: ignored, relativeAssets: false,
                  beacons: false}
                # Load policies of config.ts: retries after timeouts at once, after errors with 1, 2, 4 … s, at most 8. A
                # loader retries neither a 4xx nor a failure without a status (retryForHttpStatus). Playlist controllers retry
                # themselves and follow only the policy's numbers.
                multivariant: &manifest {connect: 20s, firstByte: 20s, total: 20s, afterTimeout: {retries: 2,
                  longestWait: 0s}, afterError: {retries: 1, wait: 1s}}
                playlist: {connect: 10s, firstByte: 10s, total: 20s, retriesClientErrors: true, afterTimeout: {retries: 2,
                  longestWait: 0s}, afterError: &twice {retries: 2, wait: 1s}, afterNoAnswer: *twice}
                segment: {connect: 10s, firstByte: 10s, total: 2m, afterTimeout: {retries: 4, longestWait: 0s},
                  afterError: {retries: 6, wait: 1s}}
                assetList: {connect: 10s, firstByte: 10s, total: 30s, afterTimeout: {longestWait: 0s}, afterError: {wait: 1s}}
                asset: *manifest
                steering: {<<: *manifest, connect: 10s, firstByte: 10s}
                pathways: {penalty: 5m}
                outage: {leavesFirst: [no-answer, client-error, unreadable], leavesLast: [timeout, server-error,
                  other-status], noneLeft: stop, noChannel: stop}
                browser: true
              sources:
                reload: 'measured hls.js 1.6.15, 1.7.1 and 1.7.3: of segments of 2 s, 2.000 s after news, 1.000 s without'
                reload.afterChange: at src/utils/level-helper.ts:521 computeReloadInterval
                reload.renditionsTogether: 'at src/controller/base-playlist-controller.ts: a timer each'
                reload.stuckAfter: 'at src/config.ts:474 liveMaxUnchangedPlaylistRefresh: Infinity'
                lowLatency: 'measured hls.js 1.6.15, 1.7.1 and 1.7.3: msn, part, skip=v2, one part after the other'
                lowLatency.skip: at src/types/level.ts:71 getSkipValue
                lowLatency.dropsDirectivesAfter: at src/controller/base-playlist-controller.ts:346
                lowLatency.retriesWithoutDirectives: at src/controller/base-playlist-controller.ts:425, :395; timeouts, lost
                  deltas
                lowLatency.renditionReports: at src/controller/base-playlist-controller.ts:94
                lowLatency.tuneInTargets: at src/controller/base-playlist-controller.ts:290
                start: at src/controller/latency-controller.ts:49; src/config.ts:471 liveSyncDurationCount
                interstitials: 'measured hls.js 1.6.15 and 1.7.1: in the poll in which the break is 10 s past the edge'
                interstitials.startOffset: at src/controller/interstitials-controller.ts:2373
                interstitials.preload: 'at src: no com.apple.hls.preload'
                interstitials.dates: at src/loader/m3u8-parser.ts:848 mapDateRanges; src/loader/date-range.ts:128
                interstitials.textDurations: 'read hls.js src/controller/interstitials-controller.ts onAssetListLoaded:
                  parseFloat(DURATION)'
                interstitials.relativeAssets: 'read hls.js src/controller/interstitial-player.ts loadSource: against the page'
                interstitials.incompleteAssets: 'assumed hls.js 1.7.1 onAssetListLoaded: the interstitial''s duration is NaN;
                  taken for a lost break'
                interstitials.beacons: 'at src: no X-AD-CREATIVE-SIGNALING'
                multivariant: at src/config.ts:564 manifestLoadPolicy; src/utils/error-helper.ts:86
                playlist: at src/config.ts:580 playlistLoadPolicy; src/utils/error-helper.ts:86
                playlist.afterError: 'measured hls.js 1.6.15, 1.7.1 and 1.7.3: 1 s and 2 s after 503 and after closed
                  connections'
                playlist.afterNoAnswer: 'measured hls.js 1.6.15, 1.7.1 and 1.7.3: 1 s and 2 s after closed connections, with
                  one variant'
                playlist.retriesClientErrors: 'at src/controller/base-playlist-controller.ts:409-455: whatever the status'
                segment: at src/config.ts:596 fragLoadPolicy; src/utils/error-helper.ts:86
                assetList: at src/config.ts:630 interstitialAssetListLoadPolicy
                asset: 'at src/config.ts:564 manifestLoadPolicy: each asset has a player of its own'
                steering: at src/config.ts:612 steeringManifestLoadPolicy
                pathways: at src/controller/content-steering-controller.ts:53
                outage: at src/controller/error-controller.ts:278-305, :355-475 (levels), :489-503 (fatal)
                outage.noChannel: 'at src/loader/playlist-loader.ts:654-658: fatal'
                outage.segment: 'at src/controller/base-stream-controller.ts:2153-2167: treated as a gap'
                multivariant.connect playlist.connect segment.connect assetList.connect asset.connect steering.connect:
                  'assumed as the first byte''s: the browser''s own is far longer'
                keys: 'read hls.js src/loader/key-loader.ts keyUriToKeyInfo: one for all renditions'
                browser: 'read hls.js src/utils/xhr-loader.ts: XMLHttpRequest'
                maximumDownloads: assumed the browser's pool; RFC 8216 section 10
            # AndroidX Media3 with its HLS interstitials loader and DefaultHttpDataSource.
            media3:
              summary: AndroidX Media3 (ExoPlayer) 1.11.0; asset lists are read as 1.9.0 reads them.
              version: Media3 1.11.0
              facts:
                reload: {afterChange: target-duration, unchanged: half-target, clock: load-start, stuckAfter: 3.5}
                lowLatency: {blocking: always, skip: always, skipsDateRanges: true, hints: true, renditionReports: true,
                  sortsParameters: false}
                start: {point: start-tag-then-hold-back}
                interstitials: {trigger: playhead-targets, leadTargets: 3, preload: ignored, dates: first-tag,
                  primaryID: false, startOffset: false, oneListAtATime: true, textDurations: false, relativeAssets: false,
                  incompleteAssets: true, beacons: false}
                # DefaultLoadErrorHandlingPolicy: endless retries after (n - 1) s, at most 5, also of 4xx answers. After
                # three, an error surfaces once nothing is left to show.
                playlist: &endless {retries: -1, connect: 8s, firstByte: 8s, retriesClientErrors: true, afterTimeout: &wait
                  {wait: 1s, growth: linear, longestWait: 5s}, afterError: *wait, afterNoAnswer: *wait}
                segment: *endless
                multivariant: &thrice {<<: *endless, retries: 3}
                asset: *thrice
                assetList: &once {connect: 8s, firstByte: 8s}
                steering: *once
                pathways: {penalty: 5m}
                outage: {leavesFirst: [client-error, server-error], penalty: 1m, noneLeft: stop, stopsDryAfter: 3,
                  noChannel: stop}
                keys: rendition
              sources:
                reload: at DefaultHlsPlaylistTracker.java:1195-1219 processLoadedPlaylist
                reload.stuckAfter: at DefaultHlsPlaylistTracker.java:77
                lowLatency: at DefaultHlsPlaylistTracker.java:1223 getMediaPlaylistUriForReload, :1063, :565
                lowLatency.hints: at HlsChunkSource.java:118 CHUNK_PUBLICATION_STATE_PRELOAD
                start: at HlsMediaSource.java:615 createTimelineForLive, :759 getTargetLiveOffsetUs
                interstitials: at HlsInterstitialsAdsLoader.java:553, :1440
                interstitials.preload: 'at HlsInterstitialsAdsLoader.java: no preload range'
                interstitials.dates: at HlsInterstitialsAdsLoader.java:1597, :1645 (once); HlsPlaylistParser.java:1097
                interstitials.textDurations: 'read Media3 1.9.0 AssetListParser.java:131, :137: left out; from 1.9.1 on, :86
                  getDouble reads text'
                interstitials.relativeAssets: 'read Media3 1.9.0 AssetListParser.java:138 Uri.parse(uri): not resolved'
                interstitials.incompleteAssets: 'read Media3 1.9.0 AssetListParser.java:137: left out; from 1.9.1 on, :78 and
                  :81 refuse the list'
                interstitials.beacons: 'at HlsInterstitialsAdsLoader.java: no ad creative signaling'
                multivariant asset: at DefaultHttpDataSource.java:242, DefaultLoadErrorHandlingPolicy.java:37, :131
                playlist segment: 'at DefaultLoadErrorHandlingPolicy.java:131; Loader.java:528-540: without bound'
                assetList: at HlsInterstitialsAdsLoader.java:2438 DONT_RETRY; DefaultHttpDataSource.java:242
                steering: at SteeringManifestTracker.java:322 DONT_RETRY; DefaultHttpDataSource.java:242
                pathways: 'at HlsContentSteeringTracker.java; DefaultLoadErrorHandlingPolicy.java:54: 300 s'
                outage: at DefaultLoadErrorHandlingPolicy.java:46, :149; DefaultHlsPlaylistTracker.java:1084
                outage.stopsDryAfter: 'at Loader.java:393-396; ExoPlayerImplInternal.java:1501, :3849: when nothing is left'
                outage.noChannel: at DefaultHlsPlaylistTracker.java:199, :279; Loader.java:393-396
                outage.segment: 'at HlsSampleStreamWrapper.java:1106-1112: retried without bound'
                keys: 'at HlsChunkSource.java: KEY_CACHE_SIZE, 4 keys for each HlsSampleStreamWrapper'
                browser: 'at DefaultHttpDataSource.java: HttpURLConnection, without a page'
                maximumDownloads: assumed RFC 8216 section 10
            # The first version to resolve asset lists ahead of the playhead instead of at discovery.
            shaka:
              summary: Shaka Player 5.2.7.
              version: Shaka 5.2.7
              facts:
                reload: {afterChange: last-segment, unchanged: last-segment, clock: smoothed-completion,
                  renditionsTogether: true}
                lowLatency: {blocking: always, skip: always, skipsDateRanges: true, retriesWithoutDirectives: false,
                  hints: true, renditionReports: false, sortsParameters: false, retryWait: 100ms}
                start: {point: hold-back-then-segments}
                interstitials: {trigger: playhead, lead: 10s, preload: range-start, dates: first-playlist,
                  relativeAssets: false, incompleteAssets: true}
                # connectionTimeout lasts until the headers arrive; the stall timeout of 5 s between bytes is not modelled.
                multivariant: &request {retries: 1, connect: 10s, firstByte: 10s, total: 30s, retriesClientErrors: true,
                  afterTimeout: &backoff {wait: 1s, longestWait: 1m, fuzz: 0.5}, afterError: *backoff,
                  afterNoAnswer: *backoff}
                playlist: *request
                segment: *request
                assetList: *request
                asset: *request
                steering: *request
                pathways: {penalty: 1m}
                outage: {leavesLast: [no-answer, timeout, client-error, server-error, other-status, unreadable], penalty: 30s,
                  pause: 100ms, freshPause: 1100ms, noChannel: stop, segment: ask-on, segmentPause: 1100ms}
                browser: true
              sources:
                reload: at lib/hls/hls_parser.js:3936 determineLastTargetDuration_, onUpdate_
                lowLatency: 'at lib/hls/hls_parser.js:507-541 updateStream_: skip without an age test'
                lowLatency.hints: at lib/hls/hls_parser.js:4265
                lowLatency.sortsParameters: at lib/util/url.js setRawParams_
                lowLatency.renditionReports: 'at lib: no EXT-X-RENDITION-REPORT'
                lowLatency.retriesWithoutDirectives: assumed nothing found in Shaka 5.2.7 lib/hls/hls_parser.js
                lowLatency.retryWait: 'at lib/util/player_configuration.js:509-531 createDefaultForLL: baseDelay 100 (ms)'
                start: 'at lib/hls/hls_parser.js; lib/util/player_configuration.js:159 liveSegmentsDelay: 3'
                interstitials: at lib/ads/interstitial_ad_manager.js:2080, :2272
                interstitials.lead: 'at lib/util/player_configuration.js:404 interstitialPreloadAheadTime: 10'
                interstitials.dates: 'at lib/hls/hls_parser.js:4562; :1298 setInitialProgramDateTime; :5123: jumps over 1 s'
                interstitials.textDurations: 'read Shaka lib/ads/interstitial_ad_manager.js getInterstitialsInfo_: reads URI
                  alone'
                interstitials.relativeAssets: 'read Shaka lib/ads/interstitial_ad_manager.js load(asset.URI): against the
                  page'
                interstitials.incompleteAssets: assumed Shaka reads URI alone, and plays what lacks DURATION; taken as left
                  out
                interstitials.beacons: at lib/ads/svta_ad_manager.js
                outage: at lib/hls/hls_parser.js:546-551; lib/player.js:8942-9009 disableStream
                outage.penalty: 'at lib/util/player_configuration.js:220 maxDisabledTime: 30'
                outage.pause: 'at lib/hls/hls_parser.js:5523-5528: again after 0.1 s'
                outage.freshPause outage.segment outage.segmentPause: 'at lib/media/streaming_engine.js:3266: about 1 s;
                  lib/player.js:7812-7836: then 0.1 s'
                outage.noChannel: 'at lib/hls/hls_parser.js:5452: load() rejects, and nothing asks again'
                multivariant playlist segment assetList asset steering: 'at lib/net/backoff.js defaultRetryParameters: 2
                  attempts, 1 s +-50 %; 10 s, 30 s'
                pathways: 'at lib/util/content_steering_manager.js:226 banLocation: 60 s'
                keys: 'read Shaka lib/hls/hls_parser.js aesKeyMap_: by address'
                browser: 'read Shaka lib/net/http_fetch_plugin.js: fetch()'
                maximumDownloads: assumed the browser's pool; RFC 8216 section 10
            vhs:
              summary: video.js http-streaming (VHS) 3.17.4; plays no interstitials.
              version: VHS 3.17.4
              facts:
                reload: {afterChange: last-segment, unchanged: half-target, clock: completion}
                lowLatency: {blocking: always, skip: always, skipsDateRanges: true, retriesWithoutDirectives: false,
                  hints: false, renditionReports: false, sortsParameters: false}
                start: {point: hold-back}
                interstitials: {trigger: never, preload: ignored, primaryID: false, startOffset: false, beacons: false}
                multivariant: &plain {connect: 45s, firstByte: 45s, total: 45s}
                playlist: *plain
                segment: *plain
                assetList: *plain
                asset: *plain
                steering: *plain
                outage: {leavesLast: [no-answer, timeout, client-error, server-error, other-status, unreadable], penalty: 1m,
                  forgives: true, freshPause: 5s, noChannel: stop, segment: ask-on}
                browser: true
                keys: segment
              sources:
                reload: at src/playlist-loader.js:361 refreshDelay, :885 updateMediaUpdateTimeout_
                reload.stuckAfter: 'at src/playlist-controller.js:185 maxPlaylistRetries: Infinity'
                lowLatency: at src/playlist-loader.js:29 addLLHLSQueryDirectives; on unless switched off
                lowLatency.retriesWithoutDirectives: assumed nothing found in VHS 3.17.4 src
                lowLatency.renditionReports: 'at src: parsed, and used by nothing'
                start: at src/playlist.js:93 liveEdgeDelay
                interstitials: 'at src: no interstitials'
                outage: at src/playlist-controller.js:1392-1536 excludePlaylist
                outage.penalty: 'at src/videojs-http-streaming.js:710 playlistExclusionDuration: 60'
                outage.pause: 'at src/playlist-loader.js:862-868: half the target duration'
                outage.freshPause: 'at src/playlist-loader.js:702: 5 s where the target duration is not known'
                outage.noChannel: 'at src/playlist-controller.js:1410-1419: an error, and nothing asks again'
                outage.segment: at src/segment-loader.js:2993-2996; src/playlist-controller.js:932-936
                multivariant playlist segment: 'at src/xhr.js:95: 45 s (later 1.5 target durations, not modelled); no retry'
                assetList asset: assumed asks for none
                steering: 'assumed as other requests: src/xhr.js'
                pathways: at src/content-steering-controller.js
                pathways.penalty: assumed that of bis-22 section 7
                keys: 'read VHS src/segment-loader.js segmentKey: none is kept unless cacheEncryptionKeys is set'
                browser: 'read VHS src/xhr.js: XMLHttpRequest of videojs.xhr'
                maximumDownloads: assumed the browser's pool; RFC 8216 section 10
            avplayer: &apple
              summary: Apple's AVPlayer; unpublished facts are taken from the specification and marked.
              facts:
                <<: *strict
                interstitials: {trigger: buffered, preload: random-point, beacons: false}
                segment: {connect: 10s, firstByte: 10s}
              sources:
                reload: 'specified Apple developer forums thread 783255: follows the specification'
                reload.clock reload.renditionsTogether: assumed bis-22 section 6.3.4, taken over
                reload.stuckAfter: 'specified AVPlayer error -12888: unchanged for 1.5 target durations'
                lowLatency: assumed bis-22 appendix B.1, taken over
                start: 'specified WWDC21 session 10140: three target durations; bis-22 section 6.3.3'
                interstitials: 'specified WWDC21 session 10140: the list is fetched at the buffering point'
                interstitials.preload: assumed bis-22 appendix F, taken over
                interstitials.dates: assumed bis-22 section 4.4.4.6, taken over; nothing published on jumps of dates
                interstitials.primaryID: specified AVFoundation AVURLAssetPrimarySessionIdentifierKey; WWDC22 session 10145
                interstitials.startOffset: specified WWDC22 session 10145; bis-22 appendix D.4
                interstitials.oneListAtATime interstitials.assetsTogether interstitials.textDurations: assumed nothing
                  published
                interstitials.relativeAssets interstitials.incompleteAssets steering: assumed nothing published
                interstitials.beacons: 'assumed nothing published: an app sends them'
                multivariant playlist: assumed WWDC17 session 514 names timeouts without numbers
                segment: 'assumed third-party report: no response in about 10 s'
                assetList asset: assumed bis-22 appendix D.5, taken over
                outage: 'assumed nothing published: asks again after half a target duration'
                pathways: assumed bis-22 section 7, taken over
                keys: 'assumed nothing published: one request for each key'
                browser: assumed an app's player; nothing published on pages and their origins
                maximumDownloads: assumed RFC 8216 section 10
            ima-guide:
              <<: *apple
              summary: The IMA guide's sample on AVPlayer; pair it with breaks.source guideMinute.
            # Requests every asset list at discovery, as Shaka Player 5.1.8 and older do.
            eager:
              summary: 'A player that resolves every asset list at discovery: the worst herd there is.'
              facts:
                reload: {afterChange: target-duration, unchanged: half-target, clock: load-start}
                start: {point: hold-back}
                interstitials: {trigger: discovery, preload: ignored, dates: first-playlist, assetsTogether: true,
                  beacons: false}
                assetList: {connect: 10s, firstByte: 10s, total: 10s}
              sources:
                reload: specified RFC 8216 section 6.3.4
                lowLatency: specified RFC 8216 has none
                start: specified RFC 8216 section 6.3.3
                interstitials: read Shaka 5.1.8 and older, as shaka-player issue 10191 tells it
                interstitials.assetsTogether: assumed hls.js issue 7180 reports it for 1.6.2
                interstitials.dates: read Shaka 5.1.8 lib/hls/hls_parser.js:4448; :1332 setInitialProgramDateTime
                interstitials.textDurations interstitials.relativeAssets interstitials.incompleteAssets: assumed bis-22
                  appendix D.2 forbids them and names no consequence
                interstitials.beacons: assumed only what is asked at discovery counts
                multivariant playlist segment asset steering: 'specified bis-22 names none: the connection''s own'
                outage: assumed as after a playlist that has not changed (RFC 8216 section 6.3.4)
                assetList: assumed a deadline as of hls.js's first byte
                pathways: assumed bis-22 section 7, taken over
                keys: assumed one request for each key
                browser: 'assumed off: players of every kind ask so'
                maximumDownloads: assumed RFC 8216 section 10
            """
    )
}
