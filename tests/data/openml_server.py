"""A stand-in for the server of OpenML on this machine: what scikit-learn and the loader ask for, and its failures."""

import gzip
import hashlib
import json
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from data.openml import loading
from data.reading import elsewhere

_REAL = "https://www.openml.org"
_ASKING_HERE = """
from sklearn.datasets import _openml
for name in ("_DATA_INFO", "_DATA_FEATURES", "_DATA_QUALITIES"):
    setattr(_openml, name, getattr(_openml, name).replace({real!r}, {url!r}))
"""
ARFF = """@RELATION {name}
{attributes}
@DATA
{rows}
"""


class OpenML:
    """Data sets and the answers about them; `asked` holds the paths in order, `cut` those that break off."""

    def __init__(self):
        self.answers = {}
        self.asked = []
        self.cut = set()
        self.slow = {}  # path -> Event to wait for before answering
        self.listed = {}
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def in_place_of_the_real_one(self, monkeypatch, cache):
        """Make the loader and scikit-learn, in any process, ask here, with a cache folder of its own."""
        from sklearn.datasets import _openml

        for module, names in ((_openml, ("_DATA_INFO", "_DATA_FEATURES", "_DATA_QUALITIES")), (loading, ("_LIST",))):
            for name in names:
                monkeypatch.setattr(module, name, getattr(module, name).replace(_REAL, self.url))
        monkeypatch.setattr(elsewhere, "ONLINE", _ASKING_HERE.format(real=_REAL, url=self.url) + elsewhere.ONLINE)
        monkeypatch.setenv("CONCORD_CACHE", str(cache))

    def stop(self):
        self.server.shutdown()
        self.server.server_close()

    def add(self, did, name, version, columns, rows, status="active", told=None):
        """A data set. `columns`: name -> (ARFF type, flags); `told`: the size OpenML says it has, (rows, columns)."""
        attributes = "\n".join(f"@ATTRIBUTE {column} {kind}" for column, (kind, _) in columns.items())
        arff = ARFF.format(name=name, attributes=attributes, rows="\n".join(rows)).encode()
        url = f"{self.url}/data/v1/download/{did}/{name}.arff"
        size = told or (len(rows), len(columns))
        sizes = [("NumberOfInstances", size[0]), ("NumberOfFeatures", size[1])]
        qualities = [{"name": quality, "value": str(float(value))} for quality, value in sizes]
        item = {"did": did, "name": name, "version": version, "status": status, "format": "ARFF", "quality": qualities}
        self.listed.setdefault((name.lower(), status), []).append(item)
        described = {
            **item,
            "id": str(did),
            "description": "made here",
            "url": url,
            "md5_checksum": hashlib.md5(arff).hexdigest(),
        }
        self.answers |= {
            f"/api/v1/json/data/{did}": _json(data_set_description=described),
            f"/api/v1/json/data/features/{did}": _json(data_features={"feature": _features(columns)}),
            f"/api/v1/json/data/qualities/{did}": _json(data_qualities={"quality": qualities}),
            url.removeprefix(self.url): arff,
        }

    def answer(self, path):
        """The contents at a path, or None for error 412."""
        base = "/api/v1/json/data/list/data_name/"
        if not path.startswith(base) or path in self.answers:
            return self.answers.get(path)
        name, *words = path.removeprefix(base).split("/")
        options = dict(zip(words[::2], words[1::2], strict=True))
        found = self.listed.get((name, options.get("status", "active")), [])
        wanted = options.get("data_version")
        found = [item for item in found if wanted in (None, str(item["version"]))]
        return _json(data={"dataset": found}) if found else None


def _json(**content):
    return json.dumps(content).encode()


def _features(columns):
    """What OpenML says about columns."""
    kinds = {"REAL": "numeric", "INTEGER": "numeric", "STRING": "string"}
    return [
        {
            "index": str(i),
            "name": name,
            "data_type": kinds.get(kind, "nominal"),
            "number_of_missing_values": "0",
            **({"nominal_value": kind.strip("{}").split(",")} if kind.startswith("{") else {}),
            **{flag: str(flag in flags).lower() for flag in ("is_target", "is_ignore", "is_row_identifier")},
        }
        for i, (name, (kind, flags)) in enumerate(columns.items())
    ]


def _handler(served):
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):  # noqa: N802
            served.asked.append(self.path)
            if self.path in served.slow:
                served.slow[self.path].wait(30)
            content = served.answer(self.path)
            status = content if isinstance(content, int) else 412 if content is None else 200
            body = content if isinstance(content, bytes) else b'{"error": {"code": "372"}}'
            self.send_response(status)
            if "gzip" in self.headers.get("Accept-Encoding", ""):
                body = gzip.compress(body)
                self.send_header("Content-Encoding", "gzip")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            with suppress(ConnectionError):  # whoever asked may be gone
                self.wfile.write(body[: len(body) // 2] if self.path in served.cut else body)

        def log_message(self, *_):
            pass

    return Handler
