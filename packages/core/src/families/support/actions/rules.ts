import type { EventSpec } from "#kernel/events/events.js";
import type { Context } from "#kernel/operation/context.js";
import { Metadata } from "#kernel/records/generic-body.js";
import { z } from "#schema/z.js";
import type { SUPPORT_PERMISSIONS } from "./support-permissions.js";

type SupportPermission = keyof typeof SUPPORT_PERMISSIONS;
type May = SupportPermission extends `support:${infer What}` ? What : never;

/** The access of an operation: a support permission in the provider's own tenant. */
export const may = (what: May) =>
  ({ permission: `support:${what}` satisfies SupportPermission, provider: true }) as const;

export const shared = { tag: "Provider Support" } as const;

/** Members common to the bodies of all support writes. */
export const because = {
  reason: z
    .string()
    .max(2_000)
    .optional()
    .meta({ description: "Why, for both audit trails. Required but for a stop, of whom it is asked afterwards." }),
  metadata: Metadata.optional().meta({ description: "Kept with the event in the provider's stream." }),
};

/** One action of the provider's people: its subject, tenant and reason. */
interface Act {
  readonly operation: string;
  readonly subject: EventSpec["subject"];
  readonly tenantId: string | null;
  readonly reason: string;
  readonly from: unknown;
  readonly to: unknown;
  readonly metadata?: Record<string, unknown> | undefined;
}

/** A context for the tenant that is acted on. Its events name the provider, and no person. */
export function sideOf(ctx: Context, tenantId: string): Context {
  const { permissions } = ctx.principal;
  return ctx.on(tenantId, {
    kind: "system",
    tenantId,
    userId: "provider",
    username: "provider",
    roles: [],
    permissions,
  });
}

/** Stores an action in the provider's own event stream, with the person. */
export async function writeDown(ctx: Context, { subject, tenantId, metadata, ...facts }: Act): Promise<void> {
  await ctx.emit({
    type: "support.acted",
    subject,
    data: { tenantId, metadata: metadata ?? {}, ...facts },
    related: tenantId === null ? [] : [tenantId],
  });
}
