/// The unit of a figure; the raw value is its key in the JSON document and ends in the unit.
enum Quantity: String, Codable, CaseIterable, CodingKeyRepresentable {
    /// User and system time between two marks, over the requests that nginx counted between them.
    case cpuPerRequest = "cpu_us_per_request"
    /// User and system time from the first instruction to the last, over the requests of the generator's own report.
    case wholeCPUPerRequest = "whole_process_cpu_us_per_request"
    case requestsPerSecond = "requests_per_second"
    /// The whole process at its largest, divided by its connections.
    case peakResident = "peak_resident_bytes_per_connection"
    case instructionsPerRequest = "user_instructions_per_request"
    case cpuPerConnection = "cpu_us_per_connection"
    /// A viewer with its machine and all its state; for the others one of their connections.
    case residentPerViewer = "resident_bytes_per_viewer"
    /// As `residentPerViewer`, once free memory was given back to the kernel, as a run does about once a window.
    case keptPerViewer = "kept_bytes_per_viewer"
    /// An open idle connection of podswarm's transport without any viewer.
    case residentPerConnection = "transport_resident_bytes_per_connection"
    case firstSend = "first_send_us"
    case medianSend = "p50_send_us"
    case lastSend = "last_send_us"
    case lastAnswer = "last_answer_us"
    case latenessMedian = "lateness_p50_us"
    case lateness99 = "lateness_p99_us"
    case lateness999 = "lateness_p999_us"
    case latenessMaximum = "lateness_max_us"
    case parseTime = "parse_us"
    case parseThroughput = "parse_megabytes_per_second"
    /// A kilobyte is a thousand bytes.
    case timePerKilobyte = "ns_per_kilobyte"
    case readTime = "read_ms"
    case recordTime = "record_ns"
    case compareTime = "compare_s"

    var title: String {
        switch self {
        case .cpuPerRequest: "CPU per request between two marks, us"
        case .wholeCPUPerRequest: "CPU per request of the whole process, connecting included, us"
        case .requestsPerSecond: "Requests per second"
        case .peakResident: "Peak resident memory of the process per connection, bytes"
        case .instructionsPerRequest: "User instructions per request"
        case .cpuPerConnection: "CPU per connection, opened and asked once, us"
        case .residentPerViewer: "Resident memory per viewer (peers: per connection), bytes"
        case .keptPerViewer: "Resident memory per viewer after free memory was given back, bytes"
        case .residentPerConnection: "Resident memory per idle connection of the transport alone, bytes"
        case .firstSend: "First send after T, us"
        case .medianSend: "Median send after T, us"
        case .lastSend: "Last send after T, us"
        case .lastAnswer: "Last answer after T, us"
        case .latenessMedian: "Planned to sent, p50, us"
        case .lateness99: "Planned to sent, p99, us"
        case .lateness999: "Planned to sent, p99.9, us"
        case .latenessMaximum: "Planned to sent, maximum, us"
        case .parseTime: "Time per playlist, us"
        case .parseThroughput: "Playlist text, MB/s"
        case .timePerKilobyte: "Time per kilobyte of playlist text, ns"
        case .readTime: "Time to read or refuse an answer, ms"
        case .recordTime: "Time per recorded outcome, ns"
        case .compareTime: "Time to compare, s"
        }
    }
}
