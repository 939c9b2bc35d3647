import { ReeveError } from "#kernel/http/errors.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { actionBody } from "#kernel/records/open-body.js";
import { daysMs } from "#ports/durations.js";
import { z } from "#schema/z.js";
import { may } from "../access.js";
import { engineOf } from "../engine/use-engine.js";
import { retiringKeys, samlKeyRing, storedKeys } from "./key-ring.js";
import { makeSamlKey } from "./make-key.js";
import { ShownKey, samlKeys, shownKey } from "./schema.js";

const PATH = "/api/v1/saml-keys";
const shared = { tag: "SAML Applications", extension: true } as const;
const OVERLAP_MS = daysMs(30);
/** The most keys that retire at once. All of them are in the metadata. */
const MOST_RETIRING = 10;
const event = (id: string) => ({ id, type: "saml_key", path: PATH });

export const listKeys = defineOperation({
  ...shared,
  id: "samlKeys.list",
  method: "GET",
  path: PATH,
  summary: "List the keys that sign for the tenant",
  access: may("read"),
  success: {
    status: 200,
    schema: z
      .object({ items: z.array(ShownKey).meta({ description: "Those that sign, will sign or have signed." }) })
      .meta({ id: "SamlKeys" }),
  },
  errors: ["not_configured"],
  async handler(ctx) {
    engineOf(ctx.env);
    return { items: (await storedKeys(ctx.env, ctx.principal.tenantId)).map(shownKey) };
  },
});

export const createKey = defineOperation({
  ...shared,
  id: "samlKeys.create",
  method: "POST",
  path: PATH,
  summary: "Make the key that signs next, and put it in the metadata",
  description:
    "Applications are given the metadata, or the certificate, before the key is activated. At most ten keys retire at once.",
  access: may("write"),
  body: actionBody({ id: "SamlKeyRequest", example: {} }).optional(),
  success: { status: 201, schema: ShownKey },
  errors: ["already_exists", "limit_exceeded", "not_configured"],
  async prepare(ctx) {
    await ctx.env.use(samlKeyRing).of(ctx.principal.tenantId);
    return makeSamlKey(ctx.env, ctx.principal.tenantId, "next");
  },
  async handler(ctx, _input, made) {
    const held = await ctx.db.lookup(samlKeys, "slot", { slot: "next" });
    if (held) throw new ReeveError("already_exists", "There is a next key already; activate it.");
    if ((await retiringKeys(ctx.db, ctx.now, MOST_RETIRING)).length === MOST_RETIRING)
      throw new ReeveError("limit_exceeded", `${MOST_RETIRING} keys are retiring; wait until one leaves the metadata.`);
    const key = await ctx.insert(samlKeys, made);
    await ctx.emit({
      type: "saml.key.created",
      subject: event(key.id),
      data: {
        entity: { type: "saml_key", id: key.id },
        reason: ctx.request.reason ?? null,
      },
    });
    return shownKey(key);
  },
});

export const activateKey = defineOperation({
  ...shared,
  id: "samlKeys.activate",
  method: "POST",
  path: `${PATH}/{keyId}/activate`,
  summary: "Sign with the next key from now on",
  description: "The key before it stays in the metadata for 30 days, so that applications verify what it has signed.",
  access: may("write"),
  params: z.object({ keyId: z.string().meta({ description: "Id of the key." }) }),
  body: actionBody({
    id: "SamlKeyActivation",
    example: { reason: "every application has the new certificate" },
  }).optional(),
  success: { status: 200, schema: ShownKey },
  errors: ["transition_guard_failed", "not_configured"],
  async handler(ctx, { params }) {
    engineOf(ctx.env);
    const next = await ctx.getForUpdate(samlKeys, params.keyId);
    if (next.status === "active") return shownKey(next);
    if (next.status !== "next") throw new ReeveError("transition_guard_failed", "A retiring key does not sign again.");
    const before = await ctx.db.lookup(samlKeys, "slot", { slot: "active" });
    const retiresAt = new Date(ctx.request.nowMs + OVERLAP_MS).toISOString();
    if (before) await ctx.update(samlKeys, before.value, { status: "retiring", retiresAt });
    const active = await ctx.update(samlKeys, next, { status: "active", activatedAt: ctx.now });
    await ctx.emit({
      type: "saml.key.activated",
      subject: event(active.id),
      data: {
        entity: { type: "saml_key", id: active.id },
        previous: before?.id ?? null,
        reason: ctx.request.reason ?? null,
      },
    });
    return shownKey(active);
  },
});
