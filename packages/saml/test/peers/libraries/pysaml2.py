"""A service provider of pysaml2, driven by lines of JSON: one question each, one answer each."""
import json
import logging
import os
import sys

from saml2 import BINDING_HTTP_POST, BINDING_HTTP_REDIRECT
from saml2.client import Saml2Client
from saml2.config import SPConfig
from saml2.metadata import create_metadata_string

logging.disable(logging.CRITICAL)
state = {}


def begin(acs, key, certificate, security):
    folder = os.getcwd()
    for name, text in (("sp.key", key), ("sp.crt", certificate)):
        with open(name, "w") as file:
            file.write(text or "")
    sp = {"endpoints": {"assertion_consumer_service": [(acs, BINDING_HTTP_POST)]}, **security}
    given = {"key_file": f"{folder}/sp.key", "cert_file": f"{folder}/sp.crt"} if key else {}
    state["config"] = {"entityid": "urn:pysaml2:sp", "xmlsec_binary": "/usr/bin/xmlsec1", "service": {"sp": sp}, **given}
    config = SPConfig().load(dict(state["config"]))
    return create_metadata_string(None, config).decode()


def trust(metadata):
    config = SPConfig().load({**state["config"], "metadata": {"inline": [metadata]}})
    state["client"] = Saml2Client(config)


def request(relayState):
    state["id"], info = state["client"].prepare_for_authenticate(relay_state=relayState, binding=BINDING_HTTP_REDIRECT)
    return dict(info["headers"])["Location"]


def accept(fields):
    response = state["client"].parse_authn_request_response(
        fields["SAMLResponse"], BINDING_HTTP_POST, outstanding={state["id"]: "/"}
    )
    if response is None:
        raise ValueError("no response was read")
    return {"nameId": response.name_id.text, "attributes": response.ava}


for line in sys.stdin:
    asked = json.loads(line)
    try:
        answer = {"value": globals()[asked["do"]](**asked["with"])}
    except Exception as error:
        answer = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(answer), flush=True)
