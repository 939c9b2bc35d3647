import {
  ENTITLEMENTS,
  Entitlement,
  type EntitlementKind,
  entitlements,
  inOrder,
  updateTenant,
} from "#families/platform/index.js";
import { invalidProperty, ReeveError } from "#kernel/http/errors.js";
import { requireNoVersion, requireVersion } from "#kernel/http/version-condition.js";
import { requireReason } from "#kernel/operation/context.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { PageQuery, pageOf } from "#kernel/operation/page.js";
import { isSame } from "#kernel/records/is-same.js";
import { EndTime } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { because, may, shared, sideOf, writeDown } from "../actions/rules.js";
import { ByTenant, living, registered } from "../tenants/operations.js";

const PATH = "/api/v1/support/tenants/{tenantId}/entitlements";
type Value = Entitlement["value"];

export const listEntitlements = defineOperation({
  ...shared,
  id: "support.listEntitlements",
  method: "GET",
  path: PATH,
  summary: "List what a tenant is licensed for",
  access: may("read"),
  params: ByTenant,
  query: PageQuery,
  success: { status: 200, schema: pageOf(Entitlement) },
  async handler(ctx, { params, query }) {
    const tenant = await registered(ctx, params.tenantId);
    return ctx.slice(`entitlements ${tenant.id}`, tenant.entitlements, query);
  },
});

const Grant = z
  .strictObject({
    status: z.enum(["licensed", "revoked"]).default("licensed").meta({ description: "Whether the tenant has it." }),
    configuration: z
      .strictObject({
        value: z
          .union([z.int(), z.string()])
          .optional()
          .meta({ description: "How many, for a limit; text, for a feature." }),
        expiresAt: EndTime.nullable().optional().meta({ description: "When it ends; `null`: never." }),
      })
      .default({})
      .meta({ description: "How much, and until when." }),
    ...because,
  })
  .meta({ id: "EntitlementGrant", example: { configuration: { value: "enterprise" }, reason: "As in the contract." } });

export const setEntitlement = defineOperation({
  ...shared,
  id: "support.setEntitlement",
  method: "POST",
  path: `${PATH}/{kind}/{key}`,
  summary: "Grant or revoke a capability, limit or feature of a tenant",
  description:
    "In force from the tenant's next request on. A limit that lies below what is there refuses only further creates.",
  access: may("entitlements"),
  params: z.object({
    ...ByTenant.shape,
    kind: z.string().max(64).meta({ description: "`capability`, `limit` or `feature`.", example: "capability" }),
    key: z.string().max(64).meta({ description: "What is granted.", example: "connectors" }),
  }),
  body: Grant,
  success: { status: 200, schema: Entitlement },
  errors: ["missing_reason", "precondition_failed"],
  async handler(ctx, { params: { tenantId, kind, key }, body }) {
    await living(ctx, tenantId);
    const known = requireKnown(kind, key);
    const reason = requireReason(body.reason);
    const side = sideOf(ctx, tenantId);
    const id = `${known}:${key}`;
    const previous = (await side.db.get(entitlements, id))?.value;
    if (previous) requireVersion(ctx.request.ifMatch, previous.version);
    else requireNoVersion(ctx.request.ifMatch);
    const terms = termsOf(known, body, previous, ctx.now);
    if (previous && sameTerms(previous, terms)) return previous;
    const next = previous
      ? await side.update(entitlements, previous, terms)
      : await side.insert(entitlements, { id, kind: known, key, ...terms });
    const from = previous ? pick(previous) : null;
    const subject = { id: tenantId, type: "tenant", path: `/api/v1/support/tenants/${tenantId}` };
    await side.emit({
      type: "tenant.entitlement_changed",
      subject,
      data: { kind: known, key, from, to: terms, reason },
    });
    await updateTenant(ctx, tenantId, (tenant) => ({
      entitlements: inOrder([...tenant.entitlements.filter((held) => held.id !== id), next]),
    }));
    const { metadata } = body;
    await writeDown(ctx, {
      operation: "support.setEntitlement",
      subject,
      tenantId,
      reason,
      from,
      to: { id, ...terms },
      metadata,
    });
    return next;
  },
});

function requireKnown(kind: string, key: string): EntitlementKind {
  const known = Object.hasOwn(ENTITLEMENTS, kind) && Object.hasOwn(ENTITLEMENTS[kind as EntitlementKind].keys, key);
  if (known) return kind as EntitlementKind;
  throw new ReeveError(
    "invalid_request",
    `There is no ${kind in ENTITLEMENTS ? kind : "kind of entitlement"} "${kind in ENTITLEMENTS ? key : kind}".`,
  );
}

type Terms = Pick<Entitlement, "status" | "value" | "expiresAt">;

/** Status, value and end for a body. A revoked entitlement keeps its value. */
function termsOf(
  kind: EntitlementKind,
  { status, configuration: { value, expiresAt = null } }: z.output<typeof Grant>,
  previous: Entitlement | undefined,
  now: string,
): Terms {
  if (status === "revoked") return { status, value: previous?.value ?? null, expiresAt: previous?.expiresAt ?? null };
  if (expiresAt !== null && expiresAt <= now)
    throw invalidProperty("/configuration/expiresAt", "Must lie in the future.");
  const parsed = ENTITLEMENTS[kind].value.safeParse(value ?? null);
  if (!parsed.success) {
    const why =
      kind === "capability" ? "A capability has no value." : (parsed.error.issues[0]?.message ?? "Not valid.");
    throw invalidProperty("/configuration/value", why);
  }
  return { status, value: parsed.data as Value, expiresAt };
}

function pick({ status, value, expiresAt }: Terms): Terms {
  return { status, value, expiresAt };
}

function sameTerms(a: Terms, b: Terms): boolean {
  return isSame(pick(a), pick(b));
}
