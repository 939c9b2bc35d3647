import { X509Certificate } from "node:crypto";
import { invalidProperty, ReeveError } from "#kernel/http/errors.js";
import { schemaFaults } from "#kernel/http/schema-faults.js";
import { type GenericBody, splitBody } from "#kernel/records/generic-body.js";
import { statesOf } from "#kernel/records/machine.js";
import { openBody } from "#kernel/records/open-body.js";
import { z } from "#schema/z.js";
import { ApplicationFields, GivenTrust, SamlFields } from "../fields.js";
import { samlAppStatus } from "../machine.js";
import { APP_READ_ONLY, type SamlApp } from "../schema.js";
import { checkUrl } from "./urls.js";

const BodyFields = z.object({ ...SamlFields.shape, ...ApplicationFields.shape, ...GivenTrust.shape });
const GivenFields = BodyFields.partial();

export const SamlAppRequest = openBody({
  id: "SamlAppRequest",
  fields: BodyFields,
  states: statesOf(samlAppStatus),
  example: {
    name: "Expenses",
    entityId: "https://expenses.example/saml/metadata",
    acsUrls: ["https://expenses.example/saml/acs"],
    attributeMapping: [{ name: "mail", nameFormat: "basic", source: "username" }],
  },
});

export const ApplicationRequest = openBody({
  id: "ApplicationRequest",
  fields: ApplicationFields,
  states: statesOf(samlAppStatus),
  example: { name: "Expenses", category: "Finance", launchUrl: "https://expenses.example/" },
});

/** A body of an application as it was read. */
export type AppBody = ReturnType<typeof readAppBody>;

/** Reads a generic body with these fields. `current` is the stored record, whose read-only values it may repeat. */
export function readAppBody(body: GenericBody, baseUrl: string, current: object = {}, known: z.ZodObject = BodyFields) {
  const { fields, configuration, attributes } = splitBody(body, Object.keys(known.shape), APP_READ_ONLY, current);
  const parsed = GivenFields.safeParse(fields);
  if (!parsed.success) throw new ReeveError("invalid_request", undefined, { errors: schemaFaults(parsed.error) });
  const { name, metadata, status, reason } = body;
  const { certificates, encryptionCertificate, metadataXml, metadataUrl, ...own } = parsed.data;
  checkUrls(own, baseUrl);
  const free = Object.entries({ name, metadata, attributes, configuration }).filter(([, value]) => value !== undefined);
  return {
    certificates,
    encryptionCertificate,
    metadataXml,
    metadataUrl,
    fields: { ...own, ...(Object.fromEntries(free) as Free) },
    status,
    reason,
  };
}

interface Free {
  readonly name?: string;
  readonly metadata?: Record<string, unknown>;
  readonly attributes?: Record<string, unknown>;
  readonly configuration?: Record<string, unknown>;
}

type Urls = Partial<
  Pick<
    z.output<typeof BodyFields>,
    "acsIndexes" | "acsUrls" | "sloUrl" | "sloResponseUrl" | "sloSoapUrl" | "iconUrl" | "launchUrl"
  >
>;

/** 400 for an address that no message and no person may be sent to. */
export function checkUrls({ acsUrls = [], acsIndexes = {}, ...urls }: Urls, baseUrl: string): void {
  for (const [index, url] of Object.entries(acsIndexes)) checkUrl(`/acsIndexes/${index}`, url, baseUrl);
  for (const [index, url] of acsUrls.entries()) checkUrl(`/acsUrls/${index}`, url, baseUrl);
  for (const name of ["sloUrl", "sloResponseUrl", "sloSoapUrl", "iconUrl", "launchUrl"] as const) {
    const url = urls[name];
    if (typeof url === "string") checkUrl(`/${name}`, url, baseUrl);
  }
}

/** 400 where requests must be signed and no certificate could verify one, so that nobody could ever sign on. */
export function checkSigning({
  signedRequests,
  signingCertificates,
  metadataLeftOut,
}: Pick<SamlApp, "signedRequests" | "signingCertificates" | "metadataLeftOut">): void {
  if (!signedRequests || signingCertificates.length > 0) return;
  const left = metadataLeftOut
    .filter(({ part }) => part === "signing_key")
    .map(({ why }) => ` A key of the metadata: ${why}`);
  throw invalidProperty(
    "/signedRequests",
    `Requests that must be signed need a certificate that verifies them. Give \`certificates\`, or set it to false.${left.join("")}`,
  );
}

/** 400 unless assertions can be encrypted where they must be. */
export function checkEncryption({
  encrypted,
  encryptionCertificate,
}: Pick<SamlApp, "encrypted" | "encryptionCertificate">): void {
  if (!encrypted) return;
  if (!encryptionCertificate) throw invalidProperty("/encrypted", "Encryption needs an encryption certificate.");
  const { publicKey } = new X509Certificate(Buffer.from(encryptionCertificate.certificate, "base64"));
  if (publicKey.asymmetricKeyType !== "rsa")
    throw invalidProperty("/encryptionCertificate", "Assertions are encrypted for keys of RSA only.");
}
