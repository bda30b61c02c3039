"""Answers everything with 204 and writes a line for each request."""

import http.server, sys
class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def do_GET(self):
        sys.stderr.write("asked for " + self.path + chr(10))
        sys.stderr.flush()
        self.send_response(204)
        self.end_headers()
    def log_message(self, *arguments):
        pass
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
