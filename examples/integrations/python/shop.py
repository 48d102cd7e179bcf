import json
import os
import re
import time
import urllib.error
import urllib.request

SHOP = os.environ["SHOP"]
HEADERS = {"Authorization": f"Bearer {os.environ['KEY']}", "Content-Type": "application/json"}


def call(method, path, body=None, idempotency_key=None):
    """Returns the body and the headers of a response. Waits as long as the shop asks for."""
    url = path if path.startswith("http") else SHOP + path
    data = None if body is None else json.dumps(body).encode()
    headers = HEADERS | ({"Idempotency-Key": idempotency_key} if idempotency_key else {})
    while True:
        try:
            with urllib.request.urlopen(urllib.request.Request(url, data, headers, method=method)) as response:
                return json.load(response), response.headers
        except urllib.error.HTTPError as error:
            if error.code not in (429, 503):
                raise RuntimeError(f"{method} {path}: {error.code} {error.read().decode()}") from None
            time.sleep(int(error.headers["Retry-After"]))


def each(path):
    """Yields every row of a list, page by page."""
    while path:
        page, headers = call("GET", path)
        yield from page["data"]
        link = re.search(r'<([^>]+)>; rel="next"', headers["Link"])
        path = link and link[1]
