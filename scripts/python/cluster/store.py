"""A local S3 server with injected faults."""

import logging
import threading
from collections import Counter
from io import BytesIO

from moto.moto_server.werkzeug_app import DomainDispatcherApplication, MotoRequestHandler, create_backend_app
from werkzeug.serving import make_server

ERROR = '<?xml version="1.0" encoding="UTF-8"?><Error><Code>{}</Code><Message>told to</Message></Error>'
CODES = {"503": ("503 Slow Down", "SlowDown"), "500": ("500 Internal Server Error", "InternalError"),
         "gap": ("404 Not Found", "NoSuchKey"), "denied": ("403 Forbidden", "AccessDenied")}  # fmt: skip


class Store:
    """An S3 server in a thread. The attribute keys has the environment of its clients."""

    def __init__(self):
        self.app, self.lock = DomainDispatcherApplication(create_backend_app), threading.Lock()
        self.server = make_server("127.0.0.1", 0, self, threaded=True, request_handler=MotoRequestHandler)
        self.url = "http://{}:{}".format(*self.server.server_address[:2])
        self.keys = {"AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "secret-of-tests", "AWS_REGION": "us-east-1"}
        self.keys |= {"AWS_DEFAULT_REGION": "us-east-1", "AWS_ENDPOINT_URL": self.url, "S3_ENDPOINT_URL": self.url}
        self.none()
        logging.getLogger("werkzeug").setLevel(logging.ERROR)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def none(self):
        """Inject no faults from now on."""
        self.faults, self.happened, self.every = [], Counter(), 0

    def at(self, kind, method, word, times=1):
        """Inject a fault into the next requests that use the method and whose path contains the
        given word. At most the given number of requests receive the fault.

        The kinds "503", "500", "gap" (not found) and "denied" are error responses. A fault of the
        kind "cut" sends half of the body and closes the connection, "short" sends half of the body
        as if it were complete, "lost" lets a PUT succeed although nothing is stored, and "other"
        stores other bytes than those sent.
        """
        self.faults.append([kind, method, word, times])

    def _fault(self, method, path):
        with self.lock:
            if self.every and method != "HEAD":
                self.count += 1
                if self.count % self.every == 0:
                    return "cut" if method == "GET" and self.happened["cut"] <= self.happened["503"] else "503"
            for f in self.faults:
                if f[1] == method and f[2] in path and f[3]:
                    f[3] -= 1
                    return f[0]
        return None

    def chaos(self, every):
        """Make every n-th request fail, where n is the given number; HEAD requests are not counted.
        The response has the status 503 or only half of the body."""
        self.every, self.count = every, 0

    def __call__(self, environ, start):
        kind = self._fault(environ["REQUEST_METHOD"], environ["PATH_INFO"])
        self.happened[kind] += 1
        if kind in CODES or kind == "lost":
            environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
            status, code = CODES.get(kind, ("200 OK", None))
            body = ERROR.format(code).encode() if code and environ["REQUEST_METHOD"] != "HEAD" else b""
            start(status, [("Content-Type", "application/xml"), ("Content-Length", str(len(body)))])
            return [body]
        if kind == "other":
            size = int(environ["CONTENT_LENGTH"])
            environ["wsgi.input"].read(size)
            environ["wsgi.input"] = BytesIO(bytes(size))
        told = []
        body = b"".join(self.app(environ, lambda status, headers, *_: told.append((status, headers))))
        status, headers = told[-1]
        if kind in ("cut", "short"):
            body = body[: len(body) // 2]
        if kind == "short":
            headers = [(k, v) for k, v in headers if k.lower() not in ("content-length", "x-amz-checksum-crc32")]
            headers.append(("Content-Length", str(len(body))))
        start(status, headers)
        return [body]
