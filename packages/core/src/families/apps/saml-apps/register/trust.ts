import { invalidProperty, ReeveError } from "#kernel/http/errors.js";
import { schemaFaults } from "#kernel/http/schema-faults.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { SamlLeftOut, SamlProvider } from "#ports/saml.js";
import { engineOf, refusing } from "../../engine/use-engine.js";
import { DescribedFields } from "../fields.js";
import type { SamlApp } from "../schema.js";
import type { AppBody } from "./body.js";
import { urlFault } from "./urls.js";

const BYTES = 65_536;
/** How much of an address that cannot be used is shown. */
const SHOWN = 200;

/** The fields of a record that certificates and metadata of a body give. */
export type Trust = Partial<
  Pick<
    SamlApp,
    | "acsIndexes"
    | "acsUrls"
    | "encryptionCertificate"
    | "entityId"
    | "metadataAt"
    | "metadataLeftOut"
    | "nameIdFormat"
    | "nameIdFormats"
    | "signedRequests"
    | "signingCertificates"
    | "sloBinding"
    | "sloResponseUrl"
    | "sloSoapUrl"
    | "sloUrl"
  >
>;

/**
 * Reads certificates and metadata. Metadata from an address are fetched here, so never call it inside a transaction.
 * Metadata never take a check away: an application keeps its certificates if they name none, and signs if it signed. A
 * kind of name that the body chooses is the only one.
 */
export async function readTrust(ctx: ReadContext, body: AppBody): Promise<Trust> {
  const document =
    body.metadataXml ?? (body.metadataUrl === undefined ? undefined : await fetched(ctx, body.metadataUrl));
  const engine =
    document !== undefined || body.certificates || body.encryptionCertificate ? engineOf(ctx.env) : undefined;
  const provider = document === undefined ? undefined : await refusing(engineOf(ctx.env).readMetadata(document));
  const trust: { -readonly [Name in keyof Trust]: Trust[Name] } = provider ? ofProvider(ctx, provider) : {};
  if (body.fields.nameIdFormat !== undefined) delete trust.nameIdFormats;
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
  const { leftOut, ...addresses } = usableAddresses(provider, ctx.env.options.baseUrl);
  const checked = DescribedFields.safeParse({ ...provider, ...addresses });
  if (!checked.success)
    throw new ReeveError("invalid_request", "The metadata give what an application may not have.", {
      errors: schemaFaults(checked.error),
    });
  const { entityId, sloBinding, nameIdFormat, nameIdFormats } = provider;
  const { signsRequests, signingCertificates, encryptionCertificate } = provider;
  return {
    entityId,
    ...addresses,
    sloBinding,
    nameIdFormats: [...nameIdFormats],
    metadataAt: ctx.now,
    metadataLeftOut: [...provider.leftOut, ...leftOut],
    ...(nameIdFormat ? { nameIdFormat } : {}),
    ...(signsRequests ? { signedRequests: true } : {}),
    ...(signingCertificates.length > 0 ? { signingCertificates: [...signingCertificates] } : {}),
    ...(encryptionCertificate ? { encryptionCertificate } : {}),
  };
}

/** The addresses to which messages may be sent. Others are left out; without any that takes responses nothing is left. */
function usableAddresses(provider: SamlProvider, baseUrl: string) {
  const leftOut: SamlLeftOut[] = [];
  const isUsable = (part: SamlLeftOut["part"], value: string) => {
    const why = urlFault(value, baseUrl);
    if (why !== undefined) leftOut.push({ part, value: value.slice(0, SHOWN), why });
    return why === undefined;
  };
  const orNull = (part: SamlLeftOut["part"], url: string | null) => (url !== null && isUsable(part, url) ? url : null);
  const acsUrls = provider.acsUrls.filter((url) => isUsable("acs_url", url));
  return {
    acsUrls,
    acsIndexes: Object.fromEntries(Object.entries(provider.acsIndexes).filter(([, url]) => acsUrls.includes(url))),
    sloUrl: orNull("slo_url", provider.sloUrl),
    sloResponseUrl: orNull("slo_response_url", provider.sloResponseUrl),
    sloSoapUrl: orNull("slo_soap_url", provider.sloSoapUrl),
    leftOut,
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
