import CCurl

// libcurl's callbacks: each finds its object and forwards. None may call back into libcurl's multi interface
// (libcurl-multi(3)), so the functions they forward to only record.

private func transfer(_ context: UnsafeMutableRawPointer?) -> Transfer? {
    context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
}

private func carrier(_ context: UnsafeMutableRawPointer?) -> CurlCarrier? {
    context.map { Unmanaged<CurlCarrier>.fromOpaque($0).takeUnretainedValue() }
}

/// `CURLOPT_WRITEFUNCTION`; 0 makes libcurl stop with a write error.
func bodyCallback(_ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?)
    -> Int
{
    transfer(context)?.bodyArrived(UnsafeRawBufferPointer(start: bytes, count: size &* count)) ?? 0
}

func headerCallback(
    _ bytes: UnsafeMutablePointer<CChar>?,
    _ size: Int,
    _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    transfer(context)?.headerArrived(UnsafeRawBufferPointer(start: bytes, count: size &* count)) ?? 0
}

/// `CURLOPT_PREREQFUNCTION`: right before the request is written, on new and reused connections alike.
func prerequestCallback(
    _ context: UnsafeMutableRawPointer?,
    _ primaryIP: UnsafeMutablePointer<CChar>?,
    _ localIP: UnsafeMutablePointer<CChar>?,
    _ primaryPort: Int32,
    _ localPort: Int32
) -> Int32 {
    transfer(context)?.requestIsSent(localPort: localPort, to: primaryIP, port: primaryPort) ?? CURL_PREREQFUNC_ABORT
}

func openSocketCallback(
    _ context: UnsafeMutableRawPointer?,
    _ purpose: curlsocktype,
    _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    guard let transfer = transfer(context), let address else { return -1 }
    return transfer.carrier.openSocket(for: transfer, address.pointee)
}

/// `CURLOPT_CLOSESOCKETFUNCTION`: its context is the carrier, for a connection outlives the transfer that opened it.
func closeSocketCallback(_ context: UnsafeMutableRawPointer?, _ socket: curl_socket_t) -> Int32 {
    carrier(context)?.closeSocket(socket) ?? 0
}

func socketCallback(
    _ easy: UnsafeMutableRawPointer?,
    _ socket: curl_socket_t,
    _ what: Int32,
    _ context: UnsafeMutableRawPointer?,
    _ socketContext: UnsafeMutableRawPointer?
) -> Int32 {
    carrier(context)?.socketChanged(socket, what)
    return 0
}

func timerCallback(_ multi: UnsafeMutableRawPointer?, _ milliseconds: Int, _ context: UnsafeMutableRawPointer?) -> Int32
{
    carrier(context)?.timerChanged(milliseconds)
    return 0
}
