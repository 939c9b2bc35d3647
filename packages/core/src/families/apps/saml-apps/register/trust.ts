import { invalidProperty, ReeveError } from "../../../../kernel/http/errors.js";
import { schemaFaults } from "../../../../kernel/http/schema-faults.js";
import type { ReadContext } from "../../../../kernel/operation/read-context.js";
import type { SamlProvider } from "../../../../ports/saml.js";
import { DescribedFields } from "../fields.js";
import type { SamlApp } from "../schema.js";
import { type AppBody, checkUrls } from "./body.js";
import { engineOf, refusing } from "./engine.js";

const BYTES = 65_536;

/** The fields of a record that certificates and metadata of a body give. */
export type Trust = Partial<
  Pick<
    SamlApp,
    | "acsUrls"
    | "encryptionCertificate"
    | "entityId"
    | "metadataAt"
    | "nameIdFormat"
    | "signingCertificates"
    | "sloBinding"
    | "sloResponseUrl"
    | "sloSoapUrl"
    | "sloUrl"
  >
>;

/**
 * Reads certificates and metadata. Metadata from an address are fetched here, so never call it inside a transaction.
 * Metadata never take a check away: an application keeps its certificates if they name none.
 */
export async function readTrust(ctx: ReadContext, body: AppBody): Promise<Trust> {
  const document =
    body.metadataXml ?? (body.metadataUrl === undefined ? undefined : await fetched(ctx, body.metadataUrl));
  const engine =
    document !== undefined || body.certificates || body.encryptionCertificate ? engineOf(ctx.env) : undefined;
  const provider = document === undefined ? undefined : await refusing(engineOf(ctx.env).readMetadata(document));
  const trust: { -readonly [Name in keyof Trust]: Trust[Name] } = provider ? ofProvider(ctx, provider) : {};
  if (body.certificates && engine)
    trust.signingCertificates = await refusing(
      Promise.all(body.certificates.map((text) => engine.readCertificate(text))),
    );
  if (body.encryptionCertificate === null) trust.encryptionCertificate = null;
  else if (body.encryptionCertificate && engine)
    trust.encryptionCertificate = await refusing(engine.readCertificate(body.encryptionCertificate));
  return trust;
}

function ofProvider(ctx: ReadContext, provider: SamlProvider): Trust {
  const checked = DescribedFields.safeParse(provider);
  if (!checked.success)
    throw new ReeveError("invalid_request", "The metadata give more than an application may have.", {
      errors: schemaFaults(checked.error),
    });
  const { entityId, acsUrls, sloUrl, sloResponseUrl, sloBinding, sloSoapUrl, nameIdFormat } = provider;
  checkUrls({ acsUrls: [...acsUrls], sloUrl, sloResponseUrl, sloSoapUrl }, ctx.env.options.baseUrl);
  const { signingCertificates, encryptionCertificate } = provider;
  return {
    entityId,
    acsUrls: [...acsUrls],
    sloUrl,
    sloResponseUrl,
    sloBinding,
    sloSoapUrl,
    metadataAt: ctx.now,
    ...(nameIdFormat ? { nameIdFormat } : {}),
    ...(signingCertificates.length > 0 ? { signingCertificates: [...signingCertificates] } : {}),
    ...(encryptionCertificate ? { encryptionCertificate } : {}),
  };
}

async function fetched(ctx: ReadContext, url: string): Promise<string> {
  const answer = await ctx.env.egress.request({
    url,
    maxBytes: BYTES,
    headers: { accept: "application/samlmetadata+xml" },
  });
  if (answer.status !== 200)
    throw new ReeveError("connector_error", `The metadata were answered with ${answer.status}.`);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(answer.body);
  } catch (cause) {
    throw Object.assign(invalidProperty("/metadataUrl", "The metadata are not UTF-8."), { cause });
  }
}
