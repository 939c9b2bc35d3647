"""A service provider of python3-saml, driven by lines of JSON: one question each, one answer each."""
import json
import sys

from onelogin.saml2.auth import OneLogin_Saml2_Auth
from onelogin.saml2.idp_metadata_parser import OneLogin_Saml2_IdPMetadataParser as Parser
from onelogin.saml2.settings import OneLogin_Saml2_Settings as Settings

BINDINGS = "urn:oasis:names:tc:SAML:2.0:bindings:"
state = {}


def begin(acs, key, certificate, security):
    url = acs.split("//", 1)[1]
    state["request"] = {"http_host": url.split("/", 1)[0], "script_name": "/acs", "get_data": {}, "post_data": {}}
    sp = {"entityId": "urn:python3-saml:sp", "assertionConsumerService": {"url": acs, "binding": BINDINGS + "HTTP-POST"}}
    if key:
        sp.update(x509cert=certificate, privateKey=key)
    state["settings"] = {"strict": True, "sp": sp, "security": security}
    metadata = Settings(state["settings"], sp_validation_only=True).get_sp_metadata()
    return metadata if isinstance(metadata, str) else metadata.decode()


def trust(metadata):
    state["settings"] = Parser.merge_settings(state["settings"], Parser.parse(metadata))


def request(relayState):
    auth = OneLogin_Saml2_Auth(state["request"], state["settings"])
    url = auth.login(return_to=relayState)
    state["id"] = auth.get_last_request_id()
    return url


def accept(fields):
    auth = OneLogin_Saml2_Auth({**state["request"], "post_data": fields}, state["settings"])
    auth.process_response(request_id=state["id"])
    if auth.get_errors():
        raise ValueError(auth.get_last_error_reason())
    return {"nameId": auth.get_nameid(), "attributes": auth.get_attributes()}


for line in sys.stdin:
    asked = json.loads(line)
    try:
        answer = {"value": globals()[asked["do"]](**asked["with"])}
    except Exception as error:
        answer = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(answer), flush=True)
