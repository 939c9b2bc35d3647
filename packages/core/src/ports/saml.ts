import { brand, brandOf, isBranded } from "./brand.js";

/** Why a SAML document or message is refused. */
export const SAML_REFUSALS = {
  document_too_large: "It is larger than the limit, also once it is inflated.",
  document_malformed: "It is not well-formed XML in UTF-8, or not encoded as the binding requires.",
  document_forbidden: "It has a document type, an entity, a processing instruction, a comment or CDATA.",
  document_unexpected: "It is another kind of message, or has elements where the protocol has none.",
  parameter_invalid: "A parameter of the binding is missing, sent twice or cannot be read.",
  relay_state_invalid: "The relay state is longer than 2,048 bytes or has control characters.",
  signature_missing:
    "It is not signed, and it must be: a logout always, a request to sign on where the application says that it signs.",
  signature_invalid: "No certificate of the application verifies the signature, or it does not cover the message.",
  signature_unverifiable: "It must be signed, and the application has no certificate to verify it with.",
  algorithm_not_allowed:
    "It must be signed, and an algorithm of its signature is not allowed, such as those with SHA-1.",
  certificate_invalid: "A certificate cannot be read, or its key is too weak.",
  issuer_mismatch: "The issuer is not the application.",
  destination_mismatch: "It is addressed to another endpoint.",
  recipient_mismatch: "It asks for an answer to an address that is not registered.",
  version_unsupported: "It is not of SAML 2.0.",
  not_in_time: "It was issued too long ago, or in the future.",
  replayed: "A message with this id was used before.",
  name_id_unsupported: "It asks for a kind of name that the application is not told.",
  subject_mismatch: "It asks about somebody else than who is signed in.",
  session_unknown: "It names no session of this application.",
  metadata_invalid: "The metadata describe no service provider of SAML 2.0 that can be answered by POST.",
  status_failed: "The application answers that it did not do what was asked.",
} as const;
export type SamlRefusal = keyof typeof SAML_REFUSALS;

const SAML_ERROR = brandOf("SamlError");

/** A refused SAML document or message. */
export class SamlError extends Error {
  override readonly name = "SamlError";

  /** Whether a value is one, even from another copy of this package. */
  static is(value: unknown): value is SamlError {
    return isBranded(value, SAML_ERROR);
  }

  constructor(
    readonly refusal: SamlRefusal,
    detail?: string,
    options?: ErrorOptions,
  ) {
    super(detail ?? SAML_REFUSALS[refusal], options);
  }
}

brand(SamlError, SAML_ERROR);

export const SAML_BINDINGS = ["redirect", "post"] as const;
export type SamlBinding = (typeof SAML_BINDINGS)[number];

export const NAME_ID_FORMATS = ["email", "persistent", "transient", "unspecified"] as const;
export type NameIdFormat = (typeof NAME_ID_FORMATS)[number];

/** A message as it arrives: the raw query of a redirect, or the fields of a posted form. */
export type SamlMessage =
  | { readonly binding: "redirect"; readonly query: string }
  | { readonly binding: "post"; readonly fields: Readonly<Record<string, string>> };

/** A certificate, base64 of its DER without line breaks. */
export interface SamlCertificate {
  readonly certificate: string;
  /** SHA-256 of the DER, lower-case hex. */
  readonly fingerprint: string;
  readonly subject: string;
  /** RFC 3339. */
  readonly notBefore: string;
  readonly notAfter: string;
}

/** A key pair that signs, with its self-signed certificate. The private key is PEM in PKCS #8. */
export interface SamlKey extends SamlCertificate {
  readonly privateKey: string;
}

/** What signs a document: the private key as PEM and its certificate as base64. */
export type SamlSigner = Pick<SamlKey, "privateKey" | "certificate">;

/** The identity provider as applications know it. */
export interface SamlIssuer {
  readonly entityId: string;
  readonly ssoUrl: string;
  readonly sloUrl: string;
}

/** What the metadata of a service provider say. */
export interface SamlProvider {
  readonly entityId: string;
  /** Addresses that take responses by POST, the default first. */
  readonly acsUrls: readonly string[];
  readonly sloUrl: string | null;
  /** Where it wants answers to its logout requests, when elsewhere. */
  readonly sloResponseUrl: string | null;
  readonly sloBinding: SamlBinding;
  /** Where it takes logouts from server to server, by SOAP. */
  readonly sloSoapUrl: string | null;
  /** Addresses by the index under which requests may name them. */
  readonly acsIndexes: Readonly<Record<string, string>>;
  /** The kind of name that it lists first; `null` for any. */
  readonly nameIdFormat: NameIdFormat | null;
  /** All kinds of name that it lists. */
  readonly nameIdFormats: readonly NameIdFormat[];
  /** Whether it says that it signs its requests to sign on. */
  readonly signsRequests: boolean;
  readonly signingCertificates: readonly SamlCertificate[];
  readonly encryptionCertificate: SamlCertificate | null;
  /** What of the metadata cannot be used. The rest can. */
  readonly leftOut: readonly SamlLeftOut[];
}

/** A part of metadata that is left out. */
export interface SamlLeftOut {
  readonly part: "signing_key" | "encryption_key" | "acs_url" | "slo_url" | "slo_response_url" | "slo_soap_url";
  /** Which one, such as the subject of a certificate or an address. */
  readonly value: string;
  readonly why: string;
}

/** What a message must fit to be accepted. */
export interface SamlExpectation {
  /** Entity id of the application. */
  readonly entityId: string;
  /** Base64 certificates that may verify the signature. */
  readonly certificates: readonly string[];
  /** Whether requests to sign on must be signed. Messages of a logout always must. */
  readonly signedRequests?: boolean;
  /** The endpoint that it arrived at. */
  readonly destination: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** What a message says of itself before anything is verified: only good for finding the application. */
export interface SamlEnvelope {
  readonly kind: "AuthnRequest" | "LogoutRequest" | "LogoutResponse";
  readonly issuer: string;
}

interface Received {
  readonly id: string;
  readonly relayState: string | null;
  /** Whether it has a signature, and that is verified. */
  readonly signed: boolean;
}

/** How somebody has signed in, as far as an application is told. */
export type SamlAuthentication = "password" | "unspecified";

export interface SamlAuthnRequest extends Received {
  /** Where the answer goes; `null` for the default. */
  readonly acsUrl: string | null;
  /** The index of the address, where no address is named. */
  readonly acsIndex: number | null;
  /** The name of the person whom it is about; `null` for whoever is there. */
  readonly subject: string | null;
  readonly forceAuthn: boolean;
  readonly isPassive: boolean;
  /** Whether it takes a sign-in by password, and one whose kind is not told. */
  readonly takes: Readonly<Record<SamlAuthentication, boolean>>;
  readonly nameIdFormat: NameIdFormat | null;
}

export interface SamlLogoutRequest extends Received {
  readonly kind: "LogoutRequest";
  readonly nameId: string;
  /** Empty for all sessions of the name. */
  readonly sessionIndexes: readonly string[];
}

export interface SamlLogoutResponse extends Received {
  readonly kind: "LogoutResponse";
  readonly inResponseTo: string;
  readonly success: boolean;
}

/** One attribute of an assertion. */
export interface SamlAttribute {
  readonly name: string;
  readonly friendlyName?: string | undefined;
  /** `basic` for plain names, `uri` for names that are URIs. */
  readonly nameFormat: "basic" | "uri" | "unspecified";
  readonly values: readonly string[];
}

/** The answer to a sign-on. */
export interface SamlSignOn {
  readonly issuer: SamlIssuer;
  readonly signer: SamlSigner;
  /** `response`: the response is signed as well as the assertion. */
  readonly signed: "assertion" | "response";
  /** Base64 certificate for which the assertion is encrypted. */
  readonly encryptFor: string | null;
  readonly entityId: string;
  readonly acsUrl: string;
  readonly inResponseTo: string | null;
  readonly nameId: string;
  readonly nameIdFormat: NameIdFormat;
  readonly attributes: readonly SamlAttribute[];
  readonly sessionIndex: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly authenticatedAt: number;
  readonly authenticatedBy: SamlAuthentication;
  readonly sessionEndsAt: number;
  readonly ids: { readonly response: string; readonly assertion: string };
}

/** A refusal that the application is told of. */
export interface SamlFailure extends Pick<SamlSignOn, "issuer" | "signer" | "acsUrl" | "inResponseTo" | "now"> {
  readonly id: string;
  readonly status: "NoPassive" | "RequestDenied" | "AuthnFailed" | "NoAuthnContext";
}

/** A message of a logout that is sent. */
export interface SamlLogoutDraft {
  readonly issuer: SamlIssuer;
  readonly signer: SamlSigner;
  readonly id: string;
  readonly now: number;
  readonly destination: string;
  readonly binding: SamlBinding;
  readonly relayState: string | null;
}

/** Whose session a logout ends, as the application was told. */
export interface SamlLogoutSubject {
  readonly nameId: string;
  readonly nameIdFormat: NameIdFormat;
  readonly sessionIndex: string;
}

/** A message to be sent: an address to go to, or the value of a form's field. */
export type SamlOutgoing =
  | { readonly binding: "redirect"; readonly url: string }
  | {
      readonly binding: "post";
      readonly action: string;
      readonly fields: Readonly<Record<string, string>>;
    };

/**
 * The protocol of SAML 2.0 for an identity provider, as `samlEngine()` of `@reeve/saml` implements it: functions of their
 * input alone. Each rejects with `SamlError`.
 */
export interface SamlEngine {
  /** A new key with a self-signed certificate for this name, valid for this many days. */
  newKey(name: string, now: number, days: number): Promise<SamlKey>;
  /** Reads a certificate, PEM or base64. */
  readCertificate(text: string): Promise<SamlCertificate>;
  /** Reads the metadata of a service provider. A signature in them proves nothing here and is ignored. Keys that cannot be used are left out. */
  readMetadata(document: string): Promise<SamlProvider>;
  /**
   * The signed metadata of the identity provider, with all certificates that may sign. `wantsSigned`: they ask that
   * requests to sign on be signed.
   */
  writeMetadata(
    issuer: SamlIssuer,
    signer: SamlSigner,
    certificates: readonly string[],
    wantsSigned?: boolean,
  ): Promise<string>;
  /** Kind and issuer of a message. Nothing is verified. */
  peek(message: SamlMessage): Promise<SamlEnvelope>;
  /**
   * A request to sign on. A signature that a certificate of the application can verify is verified. Any other counts as
   * none, and none is refused where requests must be signed.
   */
  readAuthnRequest(message: SamlMessage, expected: SamlExpectation): Promise<SamlAuthnRequest>;
  /** A request or response of a logout, verified. It is always signed. */
  readLogout(message: SamlMessage, expected: SamlExpectation): Promise<SamlLogoutRequest | SamlLogoutResponse>;
  /** The base64 document of a successful response. */
  writeResponse(signOn: SamlSignOn): Promise<string>;
  /** The base64 document of a response that refuses. */
  writeFailure(failure: SamlFailure): Promise<string>;
  writeLogoutRequest(draft: SamlLogoutDraft, subject: SamlLogoutSubject): Promise<SamlOutgoing>;
  writeLogoutResponse(
    draft: SamlLogoutDraft,
    answer: { readonly inResponseTo: string; readonly status: "Success" | "PartialLogout" | "Requester" },
  ): Promise<SamlOutgoing>;
  /** The envelope of a logout request that one server sends another by SOAP. */
  writeSoapLogout(draft: Omit<SamlLogoutDraft, "binding" | "relayState">, subject: SamlLogoutSubject): Promise<string>;
  /** The answer to such a request, verified. It is signed, and answers this request and no other. */
  readSoapLogout(
    document: Uint8Array,
    expected: Omit<SamlExpectation, "destination"> & { readonly inResponseTo: string },
  ): Promise<SamlLogoutResponse>;
}
