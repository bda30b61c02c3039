import Foundation
import TestSupport

/// An nginx on sockets that listen already, so that nothing is to be waited for.
enum Nginx {
    static func start(_ http: String, in folder: TemporaryFolder, at ports: [LoopbackPort]) throws -> ChildProcess {
        let scratch = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "\($0)_temp_path \(folder.path)/\($0);" }.joined(separator: " ")
        let configuration = """
            daemon off; worker_processes 1; pid \(folder.path)/nginx.pid; error_log stderr;
            events { worker_connections 4096; }
            http { \(scratch) \(http) }

            """
        return try ChildProcess(
            try ExternalTool.nginx.path(),
            ["-p", folder.path, "-c", try folder.write(configuration, to: "nginx.conf"), "-e", "stderr"],
            environment: ["NGINX": LoopbackPort.nginxVariable(count: ports.count)],
            inherited: ports.map(\.descriptor)
        )
    }
}
