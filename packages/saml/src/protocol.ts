import type { SamlEngine } from "@reeve/core";
import { readAuthnRequest } from "./message/authn-request.js";
import { readLogout } from "./message/logout.js";
import { peek } from "./message/receive.js";
import { readSoapLogout } from "./message/soap.js";
import { logoutRequest, logoutResponse, soapLogout } from "./message/write-logout.js";
import { newKey, readCertificate } from "./metadata/certificate.js";
import { idpMetadata } from "./metadata/idp.js";
import { readMetadata } from "./metadata/sp.js";
import { refusingResponse, successfulResponse } from "./response/response.js";

const base64 = (document: string) => Buffer.from(document).toString("base64");

/** The protocol with its libraries, which is loaded at first use. */
export const protocol: SamlEngine = {
  newKey,
  readCertificate: async (text) => readCertificate(text),
  readMetadata: async (document) => readMetadata(document),
  writeMetadata: async (...input) => idpMetadata(...input),
  peek: async (message) => peek(message),
  readAuthnRequest: async (message, expected) => readAuthnRequest(message, expected),
  readLogout: async (message, expected) => readLogout(message, expected),
  writeResponse: async (signOn) => base64(await successfulResponse(signOn)),
  writeFailure: async (failure) => base64(refusingResponse(failure)),
  writeLogoutRequest: async (draft, subject) => logoutRequest(draft, subject),
  writeLogoutResponse: async (draft, answer) => logoutResponse(draft, answer),
  writeSoapLogout: async (draft, subject) => soapLogout(draft, subject),
  readSoapLogout: async (document, expected) => readSoapLogout(document, expected),
};
