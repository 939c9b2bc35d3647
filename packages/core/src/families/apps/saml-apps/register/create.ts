import { invalidProperty } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { GenericBody } from "#kernel/records/generic-body.js";
import { moveApp } from "../change/change.js";
import { DEFAULTS } from "../fields.js";
import { type SamlApp, samlApps } from "../schema.js";
import { type AppBody, checkEncryption, checkSigning, readAppBody } from "./body.js";
import { readTrust, type Trust } from "./trust.js";

export interface NewApp {
  readonly body: AppBody;
  readonly trust: Trust;
}

/** Checks what an application is to be, and reads its certificates and metadata. */
export async function prepareApp(ctx: ReadContext, given: GenericBody): Promise<NewApp> {
  const body = readAppBody(given, ctx.env.options.baseUrl);
  return { body, trust: await readTrust(ctx, body) };
}

/** Stores a new application as a draft, or active where the body says so, within the transaction. */
export async function createApp(ctx: Context, { body, trust }: NewApp): Promise<SamlApp> {
  const { id, version, ...marks } = ctx.stamp(samlApps);
  const {
    name = `Application ${id.slice(-6).toLowerCase()}`,
    entityId,
    acsUrls,
    ...fields
  } = { ...trust, ...body.fields };
  if (entityId === undefined) throw invalidProperty("/entityId", "Give the entity id, or metadata.");
  if (acsUrls === undefined) throw invalidProperty("/acsUrls", "Give an address that takes responses, or metadata.");
  const app: SamlApp = {
    id,
    name,
    status: "draft",
    version,
    metadata: {},
    ...marks,
    ...DEFAULTS,
    attributeMapping: [],
    nameIdFormats: [],
    entityId,
    acsUrls,
    signingCertificates: [],
    encryptionCertificate: null,
    metadataAt: null,
    metadataLeftOut: [],
    configuration: {},
    attributes: {},
    ...fields,
  };
  checkEncryption(app);
  checkSigning(app);
  return moveApp(ctx, await ctx.insert(samlApps, app), body);
}
