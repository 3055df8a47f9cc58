import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.request import Request, urlopen

URL = os.environ.get("CARILLON_URL", "http://127.0.0.1:3000")
PORT = int(os.environ.get("PORT", "4400"))


def carillon(path, body):
    headers = {"Authorization": "Key " + os.environ["CARILLON_KEY"], "Content-Type": "application/json"}
    request = Request(f"{URL}/api/o/acme/{path}", json.dumps(body).encode(), headers)
    return json.load(urlopen(request, timeout=10))  # raises HTTPError unless it succeeds


def trigger(event, recipient, context={}):
    return carillon(f"p/shop/a/web/e/{event}/trigger/", {"context": context, "options": {"recipients": [recipient]}})


class Shop(BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path == "/customers":  # creates the user, too
            answer = trigger("signed-up", {"email": body["email"], "first_name": body["name"]})
        else:
            answer = trigger("order-paid", body["email"], {"order": body["order"], "total": body["total"]})
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(answer).encode())


print(f"The shop listens on http://127.0.0.1:{PORT}", flush=True)
ThreadingHTTPServer(("127.0.0.1", PORT), Shop).serve_forever()
