import Foundation

// Run by `.ci/fuzz json`: writes an answer of each kind as a seed for the fuzzer, and shapes that once took long.

@main
enum JSONSeeds {
    static let answers = [
        #"{"stream_id":"a:b","metadata_url":"https://h/m","polling_frequency":10,"valid_for":"8h0m0s","valid_until":"2026-11-22T04:00:00.000-08:00"}"#,
        #"{"manifestUrl":"/v1/master/1/x.m3u8?aws.sessionId=s%3A1","trackingUrl":"/v1/t"}"#,
        #"{"a":["id",1.5e3,-0],"b":{"c":"../x"},"\u00e9\ud83d\ude00":null}"#,
        #"{"polling_frequency":"10","tags":{"g_1":{"ad":"a1","ad_break_id":"b","type":"start"},"g_12":{"ad":"a1","type":"complete"},"g":{"ad":"a2","type":"progress"}},"ads":{"a1":{"ad_break_id":"b","seq":1,"duration":15.5},"a2":{"ad_break_id":"pod-1","seq":2,"slate":true}},"ad_breaks":{"b":{"type":"mid","duration":45.5,"ads":2}}}"#,
        #"{"ASSETS":[{"URI":"a.m3u8","DURATION":"9.96s"},{"URI":"b","DURATION":1.5}],"SKIP-CONTROL":{"OFFSET":5,"DURATION":20,"LABEL-ID":"skip"}}"#,
        #"{"ASSETS":[{"URI":"a","DURATION":10,"X-AD-CREATIVE-SIGNALING":{"version":2,"type":"slot","payload":[{"start":0,"duration":10,"identifiers":[{"value":"i"}],"tracking":[{"type":"progress","offset":2.5,"urls":["https://t"]}]}]}}],"TRACKING":{"avails":[{"startTimeInSeconds":1,"durationInSeconds":9,"adBreakTrackingEvents":[{"eventType":"breakStart","beaconUrls":["u"]}],"ads":[{"startTimeInSeconds":1,"durationInSeconds":9,"trackingEvents":[{"eventType":"start","startTimeInSeconds":1,"beaconUrls":["u"]}]}]}]}}"#,
        #"{"version":2,"type":"pod","payload":[{"duration":21.5,"tracking":[{"type":"podStart","urls":["https://t/pod"]}],"slots":[{"start":0.5,"duration":10,"tracking":[]}]}]}"#,
        #"{"VERSION":1,"TTL":60,"RELOAD-URI":"/a?s=1","PATHWAY-PRIORITY":["B","A"],"PATHWAY-CLONES":[{"BASE-ID":"A","ID":"C","URI-REPLACEMENT":{"HOST":"c","PARAMS":{"t":"1"},"PER-VARIANT-URIS":{"v":"w"}}}]}"#,
    ]

    static let shapes = [
        String(repeating: "[", count: 500) + String(repeating: "]", count: 500),
        #"{"tags":"# + String(repeating: #"{"a":"#, count: 100) + "1" + String(repeating: "}", count: 101),
        "[" + String(repeating: "[],", count: 1000) + "0]",
        "[" + String(repeating: "0,", count: 1000) + "0]",
        #"{"stream_id":""# + String(repeating: "\u{301}\u{316}", count: 800) + "\"}",
        #"{"a":"# + String(repeating: "9", count: 3000) + "e999}",
    ]

    static func main() throws {
        let directory = URL(fileURLWithPath: CommandLine.arguments[1])
        for (index, text) in (answers + shapes).enumerated() {
            try Data(text.utf8).write(to: directory.appendingPathComponent("answer-\(index)"))
        }
    }
}
