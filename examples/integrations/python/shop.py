import http.client
import json
import os
import re
import time
import urllib.error
import urllib.request
import uuid

SHOP = os.environ["SHOP"]
HEADERS = {"Authorization": f"Bearer {os.environ['KEY']}", "Content-Type": "application/json"}


def call(method, path, body=None, idempotency_key=None):
    """Returns the body and the headers of a response. Repeats a request that failed for a reason that passes."""
    url = path if path.startswith("http") else SHOP + path
    data = None if body is None else json.dumps(body).encode()
    # All attempts share the key, so that none acts twice.
    keys = {"Idempotency-Key": idempotency_key or str(uuid.uuid4())} if method == "POST" else {}
    for wait in (1, 2, 4, 8, 16, 32, None):
        status, headers, text = send(urllib.request.Request(url, data, HEADERS | keys, method=method))
        if 200 <= status < 300:
            return json.loads(text), headers
        if wait is None or not passes(status, text):
            raise RuntimeError(f"{method} {path}: {status} {text}")
        time.sleep(int(headers.get("Retry-After", wait)))


def send(request):
    """Returns status, headers and text of a response. The status of a lost connection is 0."""
    try:
        try:
            response = urllib.request.urlopen(request, timeout=60)
        except urllib.error.HTTPError as error:
            response = error
        with response:
            return response.status, response.headers, response.read().decode()
    except (OSError, http.client.HTTPException) as fault:
        return 0, {}, str(fault)


def passes(status, text):
    """Returns True if the same request may succeed later."""
    if status == 409:
        return json.loads(text)["code"] in ("idempotency_key_in_use", "changed_meanwhile")
    return status == 0 or status == 429 or status >= 500


def each(path):
    """Yields every row of a list, page by page."""
    while path:
        page, headers = call("GET", path)
        yield from page["data"]
        link = re.search(r'<([^>]+)>; rel="next"', headers["Link"])
        path = link and link[1]
