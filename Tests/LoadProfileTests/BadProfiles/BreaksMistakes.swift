/// Breaks that cannot happen as written.
extension BadProfile {
    static let breaksMistakes: [BadProfile] = [
        BadProfile(
            "addresses of stitched ads where nobody looks for them",
            .minimal(breaks: "{source: {every: 20s}, stitchedAds: [/ads, \"a?b\"]}"),
            expected: [
                "4:45: breaks.stitchedAds: has no effect without stitched: true",
                """
                4:52: breaks.stitchedAds[1]: "a?b" is no path; allowed: pieces of a path such as /v1/segment or /ads-*, \
                with * for any text within a piece
                """,
            ]
        ),
        BadProfile(
            "an unknown source",
            .minimal(breaks: "{source: guideminute}"),
            expected: [
                """
                4:18: breaks.source: "guideminute" is not known; allowed: guideMinute, dateRange, a \
                mapping with every, a mapping with list, a mapping with trigger; did you mean guideMinute?
                """
            ]
        ),
        BadProfile(
            "a source that needs fields",
            .minimal(breaks: "{source: every}"),
            expected: [
                """
                4:18: breaks.source: "every" needs fields of its own; allowed: guideMinute, dateRange, a \
                mapping with every, a mapping with list, a mapping with trigger
                """
            ]
        ),
        BadProfile(
            "a field without a space after its colon",
            .minimal(breaks: "{source: {every:20s}}"),
            expected: [
                "4:18: breaks.source: needs exactly one kind, has none; allowed: one of every, guideMinute, list, dateRange, trigger",
                "4:19: breaks.source.every:20s: unknown field; did you mean every: 20s?",
            ]
        ),
        BadProfile(
            "two sources",
            .minimal(breaks: "{source: {every: 20s, guideMinute: {}}}"),
            expected: [
                """
                4:44: breaks.source: needs exactly one kind, has every and guideMinute; allowed: one of \
                every, guideMinute, list, dateRange, trigger
                """
            ]
        ),
        BadProfile(
            "no source",
            .minimal(breaks: "{source: {}}"),
            expected: [
                """
                4:18: breaks.source: needs exactly one kind, has none; allowed: one of every, guideMinute, \
                list, dateRange, trigger
                """
            ]
        ),
        BadProfile(
            "an offset alone",
            .minimal(breaks: "{source: {guideMinute: {}, offset: 3s}}"),
            expected: [
                "4:44: breaks.source.offset: an offset belongs to every alone"
            ]
        ),
        BadProfile(
            "an offset as long as the interval",
            .minimal(breaks: "{source: {every: 20s, offset: 20s}}"),
            expected: [
                "4:39: breaks.source.offset: 20s is not shorter than the break interval of 20s"
            ]
        ),
        BadProfile(
            "a pod longer than the interval",
            .minimal(breaks: "{source: {every: 20s}, podDuration: 30s}"),
            expected: [
                "4:45: breaks.podDuration: 30s is too long for the break interval of 20s"
            ]
        ),
        BadProfile(
            "the default pod longer than the interval",
            .minimal(breaks: "{source: {every: 5s}}"),
            expected: [
                "4:26: breaks.podDuration: 10s (the default) is too long for the break interval of 5s"
            ]
        ),
        BadProfile(
            "a grace longer than the interval",
            .minimal(breaks: "{source: {every: 20s}, grace: 21s}"),
            expected: [
                "4:39: breaks.grace: 21s is too long for the break interval of 20s"
            ]
        ),
        BadProfile(
            "a lead as long as the interval",
            .minimal(breaks: "{source: {every: 20s}, lead: 20s}"),
            expected: [
                "4:38: breaks.lead: 20s is too long for the break interval of 20s"
            ]
        ),
        BadProfile(
            "jitter with rendezvous",
            .minimal(breaks: "{source: {every: 20s}, lead: 5s, jitter: 1s}"),
            expected: [
                "4:50: breaks.jitter: viewers of a rendezvous all ask at one instant; jitter needs trigger playhead"
            ]
        ),
        BadProfile(
            "jitter longer than the lead",
            .minimal(breaks: "{source: {every: 20s}, trigger: playhead, lead: 1s, jitter: 2s}"),
            expected: [
                "4:69: breaks.jitter: 2s is longer than the lead of 1s: viewers would ask after the break has begun"
            ]
        ),
        BadProfile(
            "a connection opened when the pod is asked for already",
            .minimal(breaks: "{source: {every: 20s}, lead: 4s, preconnect: 4s}"),
            expected: [
                "4:54: breaks.preconnect: 4s before a break is too late: viewers ask up to 4s before it"
            ]
        ),
        BadProfile(
            "a connection opened within the jitter",
            .minimal(breaks: "{source: {every: 20s}, trigger: playhead, lead: 4s, jitter: 2s, preconnect: 5s}"),
            expected: [
                "4:85: breaks.preconnect: 5s before a break is too late: viewers ask up to 6s before it"
            ]
        ),
        BadProfile(
            "a connection opened before the break before",
            .minimal(breaks: "{source: {every: 20s}, preconnect: 20s}"),
            expected: [
                "4:44: breaks.preconnect: 20s is too long for the break interval of 20s"
            ]
        ),
        BadProfile(
            "a connection opened ahead on libcurl",
            .minimal(breaks: "{source: {every: 20s}, preconnect: 2s}", and: "connection: {transport: curl}"),
            expected: [
                """
                4:44: breaks.preconnect: has no effect on libcurl, which opens a connection for a request only; \
                leave it out or set connection.transport to auto
                """
            ]
        ),
        BadProfile(
            "a connection opened ahead over HTTP/2",
            .minimal(breaks: "{source: {every: 20s}, preconnect: 2s}", and: "connection: {protocol: http2}"),
            expected: [
                """
                4:44: breaks.preconnect: has no effect over HTTP/2, where a viewer keeps one connection for \
                everything
                """
            ]
        ),
        BadProfile(
            "an empty list",
            .minimal(breaks: "{source: {list: []}}"),
            expected: [
                "4:25: breaks.source.list: has no break in it"
            ]
        ),
        BadProfile(
            "a list out of order",
            .minimal(breaks: "{source: {list: [40s, 20s]}}"),
            expected: [
                "4:25: breaks.source.list: the breaks are not in ascending order"
            ]
        ),
        BadProfile(
            "a list with overlapping pods",
            .minimal(breaks: "{source: {list: [20s, 25s]}}"),
            expected: [
                "4:25: breaks.source.list: the break at 25s begins before the one at 20s ends (podDuration 10s)"
            ]
        ),
        BadProfile(
            "a list beyond the end",
            .minimal(breaks: "{source: {list: [20s, 90s]}}"),
            expected: [
                "4:25: breaks.source.list: the break at 1m30s is not before the end of the run at 1m"
            ]
        ),
        BadProfile(
            "a list with a bad item",
            .minimal(breaks: "{source: {list: [20s, soon]}}"),
            expected: [
                """
                4:31: breaks.source.list[1].at: "soon" is not a duration; allowed: a duration such as 500ms, \
                10s, 2m or 1m30s, from 0s to 720h
                """
            ]
        ),
        BadProfile(
            "sources that are none",
            .minimal(breaks: "{source: [{every: 20s, list: [10s]}, guideminute, {every: 20s, offset: 20s}]}"),
            expected: [
                """
                4:38: breaks.source[0]: needs exactly one kind, has every and list; allowed: one of every, \
                guideMinute, list, dateRange, trigger
                """,
                """
                4:46: breaks.source[1]: "guideminute" is not known; allowed: guideMinute, dateRange, a mapping with \
                every, a mapping with list, a mapping with trigger; did you mean guideMinute?
                """,
                "4:80: breaks.source[2].offset: 20s is not shorter than the break interval of 20s",
            ]
        ),
        BadProfile(
            "calls that nobody can make",
            .minimal(breaks: "{source: {trigger: {lead: 3s, token: abc}}}"),
            expected: [
                """
                4:28: breaks.source.trigger: nobody can call for a break; allowed: one of http, standardInput: true and \
                file, or several of them
                """
            ]
        ),
        BadProfile(
            "calls from other machines",
            .minimal(breaks: "{source: {trigger: {http: '0.0.0.0:8090', mostPerMinute: 61, file: nowhere}}}"),
            expected: [
                """
                4:35: breaks.source.trigger.http: "0.0.0.0:8090" is not on loopback; allowed: an address of loopback and a \
                port, such as 127.0.0.1:8090 or [::1]:8090; port 0 takes a free one
                """,
                """
                4:66: breaks.source.trigger.mostPerMinute: "61" is not in range; allowed: a whole number from 1 to 60
                """,
                """
                4:76: breaks.source.trigger.file: no readable file at "nowhere", counted from the profile's folder
                """,
            ]
        ),
        BadProfile(
            "calls at no port",
            .minimal(breaks: "{source: {trigger: {http: '127.0.0.1:http'}}}"),
            expected: [
                """
                4:35: breaks.source.trigger.http: "127.0.0.1:http" has a port that is no number from 0 to 65535; allowed: \
                an address of loopback and a port, such as 127.0.0.1:8090 or [::1]:8090; port 0 takes a free one
                """
            ]
        ),
        BadProfile(
            "calls that come after viewers act",
            .minimal(breaks: "{source: {trigger: {standardInput: true}}, lead: 2s}"),
            expected: [
                """
                4:58: breaks.source.trigger.lead: 2s (the default) after a call is too early: viewers act up to 2s before \
                a break, and learn of it within 100ms
                """
            ]
        ),
        BadProfile(
            "calls twice",
            .minimal(breaks: "{source: [{trigger: {standardInput: true}}, {trigger: {standardInput: true}}]}"),
            expected: ["4:18: breaks.source: has trigger twice; one takes calls by several ways"]
        ),
        BadProfile(
            "no source in a list",
            .minimal(breaks: "{source: []}"),
            expected: ["4:18: breaks.source: has nothing in it"]
        ),
        BadProfile(
            "sources whose breaks overlap",
            .minimal(breaks: "{source: [{list: [20s]}, {list: [{at: 15s, duration: 6s}, 40s]}, {list: [45s]}]}"),
            expected: [
                "4:18: breaks.source: the break at 20s begins before the one at 15s ends (duration 6s)"
            ]
        ),
        BadProfile(
            "rules of the clock that meet",
            .minimal(breaks: "{source: [{every: 20s}, {every: 30s, offset: 5s}]}"),
            expected: [
                """
                4:18: breaks.source: breaks every 20s and every 30s begin within each other's length (podDuration 10s)
                """
            ]
        ),
        BadProfile(
            "a click beside other sources, and date ranges twice",
            .minimal(breaks: "{source: [guideMinute, dateRange, {dateRange: {class: a}}]}"),
            expected: [
                "4:18: breaks.source: guideMinute stands alone: its breaks count from each viewer's own click"
            ]
        ),
        BadProfile(
            "several sources that count",
            .minimal(breaks: "{source: [{list: [20s]}, {every: 60s}], podIdentifier: sequence}"),
            expected: [
                """
                4:64: breaks.podIdentifier: several sources count their breaks each from 1, and two breaks would have \
                one pod; allowed: synchronised
                """
            ]
        ),
        BadProfile(
            "several sources with names that only count",
            .minimal(breaks: "{source: [{list: [20s]}, {every: 60s}], identifierTemplate: 'b-{ordinal}'}"),
            expected: [
                """
                4:69: breaks.identifierTemplate: several sources count their breaks each from 1, and two breaks would \
                have one name; allowed: {start}, {id}
                """
            ]
        ),
        BadProfile(
            "breaks that the embedded origin announces and viewers know",
            .minimal(breaks: "{source: [{every: 20s}, dateRange]}"),
            expected: [
                "4:18: breaks.source: the embedded origin announces the breaks of every, and each would come twice"
            ]
        ),
        BadProfile(
            "a list with a break that outlasts the next",
            .minimal(breaks: "{source: {list: [{at: 20s, duration: 15s}, 34s]}}"),
            expected: [
                "4:25: breaks.source.list: the break at 34s begins before the one at 20s ends (duration 15s)"
            ]
        ),
        BadProfile(
            "a list with a break without a time",
            .minimal(breaks: "{source: {list: [20s, {duration: 15s, scte35: 'not base64!', length: 1s}]}}"),
            expected: [
                """
                4:31: breaks.source.list[1].at: is missing and has no default; allowed: a duration such as 500ms, \
                10s, 2m or 1m30s, from 0s to 720h
                """,
                """
                4:55: breaks.source.list[1].scte35: "not base64!" holds a character that is not allowed; allowed: a \
                splice_info_section in base64 or hexadecimal
                """,
                """
                4:70: breaks.source.list[1].length: unknown field; allowed: at, duration, scte35
                """,
            ]
        ),
        BadProfile(
            "a template with an unknown placeholder",
            .minimal(breaks: "{source: {every: 20s}, identifierTemplate: 'b-{starts}'}"),
            expected: [
                """
                4:52: breaks.identifierTemplate: "b-{starts}" has an unknown placeholder {starts}; \
                allowed: lower-case letters, digits, '-' and at least one of {start}, {ordinal}, {id}; did \
                you mean {start}?
                """
            ]
        ),
        BadProfile(
            "a template without a placeholder",
            .minimal(breaks: "{source: {every: 20s}, identifierTemplate: midroll}"),
            expected: [
                """
                4:52: breaks.identifierTemplate: "midroll" names every break alike; allowed: lower-case \
                letters, digits, '-' and at least one of {start}, {ordinal}, {id}
                """
            ]
        ),
        BadProfile(
            "a template in capitals",
            .minimal(breaks: "{source: {every: 20s}, identifierTemplate: 'Break-{start}'}"),
            expected: [
                """
                4:52: breaks.identifierTemplate: "Break-{start}" holds a character that is not allowed; \
                allowed: lower-case letters, digits, '-' and at least one of {start}, {ordinal}, {id}
                """
            ]
        ),
        BadProfile(
            "an unclosed placeholder",
            .minimal(breaks: "{source: {every: 20s}, identifierTemplate: 'b-{start'}"),
            expected: [
                """
                4:52: breaks.identifierTemplate: "b-{start" has an unclosed {; allowed: lower-case \
                letters, digits, '-' and at least one of {start}, {ordinal}, {id}
                """
            ]
        ),
        BadProfile(
            "a date range ID without date ranges",
            .minimal(breaks: "{source: {every: 20s}, identifierTemplate: 'b-{id}'}"),
            expected: [
                """
                4:52: breaks.identifierTemplate: {id} names a date range, and breaks.source is none; \
                allowed: {start}, {ordinal}
                """
            ]
        ),
        BadProfile(
            "date ranges that nobody announces",
            .yaml(
                "duration: 60s\ntarget: {embedded: {announceBreaks: false}}\naudience: {viewers: 10}\nbreaks: {source: dateRange}\n"
            ),
            expected: [
                """
                2:37: target.embedded.announceBreaks: breaks.source dateRange finds no break in an origin \
                that announces none
                """
            ]
        ),
        BadProfile(
            "a limit longer than the pod",
            .minimal(and: "playback: {playoutLimit: 30s}"),
            expected: [
                "5:26: playback.playoutLimit: 30s never ends a pod of 10s early"
            ]
        ),
    ]
}
