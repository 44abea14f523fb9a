"""Files a person brought: parsed once, kept by content hash, so that a URL can name them."""

import hashlib
from collections import OrderedDict
from dataclasses import dataclass

import streamlit as st

from data import DataError, Dataset, Pool, read_upload
from data.records import Kind, Missing
from ui.compute.jobs import size_of

PREFIX = "upload-"
KEPT_BYTES = 2**30


@dataclass(frozen=True)
class Upload:
    """A parsed file and the words that parse it again."""

    id: str
    filename: str
    kind: str
    missing: str
    content: Dataset | Pool


class MissingUploadError(DataError):
    """The URL names a file that this server does not hold."""


@st.cache_resource
def _kept() -> OrderedDict[str, Upload]:
    return OrderedDict()


def keep(filename: str, content: bytes, kind: Kind, missing: Missing = "refuse") -> Upload:
    """Parse a file and keep it.

    Raises
    ------
    DataError
        If it cannot be used; the message says why, where, and what to do.
    """
    digest = hashlib.blake2b(content + f"|{kind}|{missing}".encode(), digest_size=8).hexdigest()
    upload = Upload(PREFIX + digest, filename, kind, missing, read_upload(filename, content, kind, missing))
    kept = _kept()
    kept[upload.id] = upload
    kept.move_to_end(upload.id)
    while len(kept) > 1 and sum(size_of(item) for item in kept.values()) > KEPT_BYTES:
        kept.popitem(last=False)
    return upload


def find(upload_id: str) -> Upload:
    """The upload with this id.

    Raises
    ------
    MissingUploadError
    """
    if upload_id not in _kept():
        raise MissingUploadError(
            "This link shows a file that was uploaded in another session, and it is not here. "
            "Upload the same file on the Data page, and the link works again."
        )
    return _kept()[upload_id]
