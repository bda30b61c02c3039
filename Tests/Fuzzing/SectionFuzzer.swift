@testable import HLS
@testable import Values

// Run by `.ci/fuzz section`, which compiles it with the sources of the readers: nothing here belongs to the package.
//
// An input is read as the bytes of a splice_info_section, as its text in hexadecimal digits or base64, and as the value of each
// tag that carries one. What must hold is checked, the time too.

private let tags = [
    "#EXT-OATCLS-SCTE35:", "#EXT-X-SPLICEPOINT-SCTE35:", "#EXT-X-SCTE35:CUE=", "#EXT-X-SCTE35:TYPE=0x",
    "#EXT-X-CUE-OUT:",
    "#EXT-X-CUE-OUT-CONT:", "#EXT-X-CUE:TYPE=scte35,CUE=", "#EXT-X-CUE-SPAN:TIMEFROMSIGNAL=",
]

private func check(_ section: SpliceSection, of bytes: UnsafeRawBufferPointer) {
    precondition(section.byteCount == bytes.count)
    // Each descriptor has a tag and a length, each segmentation an owner, an event and its flags besides.
    let descriptors = 2 * section.otherDescriptors.count + 11 * section.segmentations.count
    precondition(descriptors <= bytes.count, "\(descriptors) bytes of descriptors")
    precondition(section.segmentations.reduce(0) { $0 + $1.upid.count } <= bytes.count)
    precondition((section.outermost == nil) == section.meanings.isEmpty)
    precondition(section.lengths.allSatisfy { $0 > .zero } && section.lengths.count <= section.meanings.count)
    precondition(!section.isCancelled || section.meanings.isEmpty)
    precondition(section.words.count <= 6 + 4 * section.segmentations.count + section.otherDescriptors.count)
}

private func read(_ input: UnsafeRawBufferPointer) {
    let fault = SpliceSection.formFault(of: input)
    if let section = try? SpliceSection(input) { check(section, of: input) }
    let bytes = Array(input)
    let checked = try? SpliceSection(checked: bytes)
    precondition(fault == nil || checked == nil, "a section with a fault of its form")
    let text = String(decoding: input, as: UTF8.self)
    if let bytes = try? SpliceSection.bytes(of: text) { precondition(bytes.count <= text.utf8.count) }
    if let section = SpliceSection(text: text) { precondition(section.byteCount <= SpliceSection.longest) }
    // A section in hexadecimal digits is the section of its bytes.
    let digits = "0x" + bytes.map { $0.hexadecimal(digits: 2) }.joined()
    precondition(bytes.count > SpliceSection.longest || SpliceSection(text: digits) == (try? SpliceSection(input)))
    for tag in tags {
        let line = Array(tag.utf8) + bytes.prefix { $0 != UInt8(ascii: "\n") }
        line.withUnsafeBytes { line in
            guard let cue = CueTag.read(line, 0..<line.count) else { return }
            precondition((cue.section?.utf8.count ?? 0) <= 3 * line.count)
            if let length = cue.length.duration { precondition(length > .zero) }
        }
    }
}

/// libFuzzer's entry.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    readInTime(data, size, by: read)
    return 0
}
