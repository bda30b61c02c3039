import HLS

/// Rules between the attributes of one EXT-X-MEDIA (bis-22 sections 4.4.6.1 and 4.4.6.2.1).
enum RenditionTagCheck {
    static func problem(_ reader: TagReader, type: String) -> String? {
        if type == "CLOSED-CAPTIONS" {
            guard !reader.has("URI"), let instream = reader["INSTREAM-ID"] else {
                return "INSTREAM-ID and no URI for closed captions"
            }
            guard reader.isReference(instream) || isCaptionChannel(reader.text(instream)) else {
                return "INSTREAM-ID of CC1 to CC4 or SERVICE1 to SERVICE63 for closed captions"
            }
        }
        if type == "SUBTITLES", !reader.has("URI") { return "URI for subtitles" }
        if type != "AUDIO", let name = audioOnly.first(where: reader.has) { return "\(name) for audio only" }
        if type != "SUBTITLES", reader.has("FORCED") { return "FORCED for subtitles only" }
        if reader.is("DEFAULT", "YES"), reader.is("AUTOSELECT", "NO") { return "AUTOSELECT=YES beside DEFAULT=YES" }
        return nil
    }

    private static let audioOnly: [StaticString] = ["CHANNELS", "BIT-DEPTH", "SAMPLE-RATE"]

    private static func isCaptionChannel(_ text: String) -> Bool {
        if ["CC1", "CC2", "CC3", "CC4"].contains(text) { return true }
        guard text.hasPrefix("SERVICE"), let number = Int(text.dropFirst(7)) else { return false }
        return (1...63).contains(number)
    }
}
