// Run by `.ci/fuzz playlist`, which compiles it with the sources of the parser and of the checks, and with what the tests
// say of them: nothing here belongs to the package.

/// libFuzzer's entry.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    do {
        try PlaylistInvariants.check(UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : size))
    } catch {
        // Optimised code keeps the messages of fatal errors only.
        fatalError("\(error)")
    }
    return 0
}
