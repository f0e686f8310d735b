"""Receives webhooks, checks that they are genuine, and prints them. It needs nothing but Python 3.8.

    WEBHOOK_SECRET=whsec_... PORT=8080 python3 scripts/examples/receive_webhook.py
"""

import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ["WEBHOOK_SECRET"]
TOLERANCE_SECONDS = 300
# Ids of the newest events: an event may arrive more than once.
known = {}


def is_genuine(body: bytes, headers) -> bool:
    """The bytes must be those that came: parsed and serialised again they may differ."""
    timestamp = headers.get("X-SaaS-Timestamp", "")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    digest = hmac.new(SECRET.encode(), timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(headers.get("X-SaaS-Signature", "").encode(), ("sha256=" + digest).encode())


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        genuine = is_genuine(body, self.headers)
        # Answer first and work afterwards: a slow answer counts as a failure.
        self.send_response(204 if genuine else 401)
        self.end_headers()
        if not genuine:
            return
        event = json.loads(body)
        if event["id"] in known:
            return
        known[event["id"]] = True
        if len(known) > 10_000:
            del known[next(iter(known))]
        print(event["timestamp"], event["type"], json.dumps(event["data"]), flush=True)

    def log_message(self, *args):
        pass


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8080"))), Receiver)
print(f"Waiting for webhooks at http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
