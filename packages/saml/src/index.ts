import type { SamlEngine } from "@reeve/core";

/** The protocol of SAML 2.0 for the option `saml` of a control plane. Its libraries are loaded at first use. */
export function samlEngine(): SamlEngine {
  const protocol = async () => (await import("./protocol.js")).protocol;
  return {
    newKey: async (...input) => (await protocol()).newKey(...input),
    readCertificate: async (...input) => (await protocol()).readCertificate(...input),
    readMetadata: async (...input) => (await protocol()).readMetadata(...input),
    writeMetadata: async (...input) => (await protocol()).writeMetadata(...input),
    peek: async (...input) => (await protocol()).peek(...input),
    readAuthnRequest: async (...input) => (await protocol()).readAuthnRequest(...input),
    readLogout: async (...input) => (await protocol()).readLogout(...input),
    writeResponse: async (...input) => (await protocol()).writeResponse(...input),
    writeFailure: async (...input) => (await protocol()).writeFailure(...input),
    writeLogoutRequest: async (...input) => (await protocol()).writeLogoutRequest(...input),
    writeLogoutResponse: async (...input) => (await protocol()).writeLogoutResponse(...input),
    writeSoapLogout: async (...input) => (await protocol()).writeSoapLogout(...input),
    readSoapLogout: async (...input) => (await protocol()).readSoapLogout(...input),
  };
}
