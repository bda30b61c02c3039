import Foundation

// How each program is told to serve a folder over HTTP/2.

extension ForeignServer {
    /// Where a server finds and leaves things.
    struct Place: Sendable {
        let port: UInt16
        let root: String
        let folder: String
        let isTLS: Bool
        let isOld: Bool

        var certificate: String { "\(folder)/certificate.pem" }
        var key: String { "\(folder)/key.pem" }
        var log: String { "\(folder)/access.log" }

        /// A certificate that signs itself, where one is needed.
        func makeCertificate() async throws {
            guard isTLS else { return }
            let end = try await ExternalTool.openssl.run([
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate,
            ])
            guard end.status == 0 else { throw ChildProcess.Failure(end: end) }
        }
    }

    func arguments(_ configuration: String, at place: Place) -> [String] {
        switch program {
        case .nginx: ["-p", place.folder, "-c", configuration, "-e", "stderr"]
        case .apache2: ["-D", "FOREGROUND", "-f", configuration]
        case .h2o: ["-c", configuration]
        case .nghttpd:
            ["--verbose", "--address=127.0.0.1", "--htdocs=\(place.root)"] + settings
                + (place.isTLS ? ["\(place.port)", place.key, place.certificate] : ["--no-tls", "\(place.port)"])
        case .caddy: ["run", "--config", configuration, "--adapter", "caddyfile"]
        }
    }

    func configuration(at place: Place) -> String {
        switch program {
        case .nginx: nginx(place)
        case .apache2: apache(place)
        case .h2o: h2o(place)
        case .caddy: caddy(place)
        case .nghttpd: ""
        }
    }

    private func nginx(_ place: Place) -> String {
        let scratch = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "\($0)_temp_path \(place.folder)/\($0);" }.joined(separator: " ")
        let listen = "listen 127.0.0.1:\(place.port)\(place.isTLS ? " ssl" : "")\(place.isOld ? "" : " http2");"
        let tls = place.isTLS ? "ssl_certificate \(place.certificate); ssl_certificate_key \(place.key);" : ""
        return """
            daemon off; worker_processes 1; pid \(place.folder)/pid; error_log stderr;
            events { worker_connections 1024; }
            http {
                log_format told '$connection $server_protocol $request_uri';
                access_log \(place.log) told; \(scratch)
                types { application/vnd.apple.mpegurl m3u8; video/mp2t ts; }
                server { \(listen) root \(place.root); \(tls) \(settings.joined(separator: " ")) }
            }

            """
    }

    /// As many threads as keep no connection waiting: where all are busy, mpm_event closes connections that are idle.
    private func apache(_ place: Place) -> String {
        let modules = ["mpm_event", "authz_core", "mime", "http2"] + (place.isTLS ? ["ssl"] : [])
        let loads = modules.map { "LoadModule \($0)_module /usr/lib/apache2/modules/mod_\($0).so\n" }.joined()
        let tls =
            "SSLEngine on\nSSLCertificateFile \(place.certificate)\nSSLCertificateKeyFile \(place.key)\nProtocols h2\n"
        let threads = settings.contains { $0.hasPrefix("ThreadsPerChild") } ? "" : "ThreadsPerChild 64\n"
        return loads + """
            ServerRoot \(place.folder)
            DefaultRuntimeDir \(place.folder)
            PidFile \(place.folder)/pid
            Mutex file:\(place.folder) default
            ErrorLog /dev/stderr
            ServerName localhost
            User nobody
            Group nogroup
            Listen 127.0.0.1:\(place.port)
            TypesConfig /dev/null
            AddType application/vnd.apple.mpegurl .m3u8
            AddType video/mp2t .ts
            LogFormat "%{remote}p %H %U%q" told
            CustomLog \(place.log) told
            DocumentRoot \(place.root)
            ServerLimit 4
            \(threads)\(place.isTLS ? tls : "Protocols h2c\nH2Direct on\n")\(settings.joined(separator: "\n"))

            """
    }

    private func h2o(_ place: Place) -> String {
        let tls = """
              ssl:
                certificate-file: \(place.certificate)
                key-file: \(place.key)
                ocsp-update-interval: 0
                neverbleed: OFF

            """
        let listen = "listen:\n  host: 127.0.0.1\n  port: \(place.port)\n\(place.isTLS ? tls : "")"
        return listen + """
            num-threads: 1
            access-log:
              path: \(place.log)
              format: "%{connection-id}x %H %U%q"
            file.mime.addtypes:
              application/vnd.apple.mpegurl: .m3u8
            \(settings.joined(separator: "\n"))
            hosts:
              default:
                paths:
                  /:
                    file.dir: \(place.root)

            """
    }

    private func caddy(_ place: Place) -> String {
        let site = "\(place.isTLS ? "https" : "http")://127.0.0.1:\(place.port)"
        return """
            {
            	admin unix/\(place.folder)/admin
            	auto_https off
            	persist_config off
            	servers {
            		protocols h1 h2\(place.isTLS ? "" : " h2c")
            	}
            	\(settings.joined(separator: "\n\t"))
            }
            \(site) {
            	bind 127.0.0.1
            	\(place.isTLS ? "tls \(place.certificate) \(place.key)" : "")
            	root * \(place.root)
            	file_server
            	log {
            		output stderr
            		format json
            	}
            }

            """
    }
}
