import type { ReadContext } from "#kernel/operation/read-context.js";
import { Time } from "#kernel/records/record.js";
import { daysMs } from "#ports/durations.js";
import { z } from "#schema/z.js";
import { samlKeys } from "../keys/schema.js";
import { type SamlApp, samlApps, samlAppUsage } from "./schema.js";

/** How many days before its end a certificate is reported. */
const SOON = 30;
const MOST = 1_000;

const AppHealth = z
  .object({
    id: z.string().meta({ description: "Id of the application." }),
    name: z.string().meta({ description: "The name of the application." }),
    status: z.string().meta({ description: "The state of the application." }),
    health: z.enum(["ok", "warning", "failing"]).meta({ description: "The worst of its warnings." }),
    warnings: z
      .array(
        z.enum([
          "certificate_expired",
          "certificate_expires_soon",
          "not_signed",
          "last_sign_on_refused",
          "metadata_left_out",
        ]),
      )
      .meta({ description: "What to look at." }),
    certificateExpiresAt: Time.nullable().meta({ description: "When the first of its certificates ends." }),
    metadataAt: Time.nullable().meta({ description: "When its metadata were read." }),
    lastSignOnAt: Time.nullable().meta({ description: "When somebody last signed on." }),
    signOns: z.int().meta({ description: "How many have." }),
    lastFailureAt: Time.nullable().meta({ description: "When a message was last refused." }),
    lastFailure: z.string().nullable().meta({ description: "The reason of the last failure." }),
    failures: z.int().meta({ description: "How many were refused." }),
  })
  .meta({ id: "SamlAppHealth" });
type AppHealth = z.output<typeof AppHealth>;

export const SamlHealth = z
  .object({
    items: z.array(AppHealth).meta({ description: "One for each application, the newest 1,000." }),
    signingCertificateExpiresAt: Time.nullable().meta({
      description: "When the certificate ends by which applications know the tenant; `null` before the first sign-on.",
    }),
    warnings: z.array(z.enum(["signing_certificate_expired", "signing_certificate_expires_soon"])).meta({
      description: "What to look at for all of them: make a key, give them the new metadata, then activate it.",
    }),
  })
  .meta({ id: "SamlHealth" });

/** How the applications of the tenant do, the newest 1,000. */
export async function samlHealth(ctx: ReadContext): Promise<z.output<typeof SamlHealth>> {
  const { rows } = await ctx.db.find(samlApps, { size: MOST });
  const usage = await ctx.db.getMany(
    samlAppUsage,
    rows.map(({ id }) => id),
  );
  const byId = new Map(usage.map(({ id, value }) => [id, value]));
  return { items: rows.map(({ value }) => healthOf(ctx, value, byId.get(value.id))), ...(await signingHealth(ctx)) };
}

/** How the certificate does that the tenant signs with. */
async function signingHealth(ctx: ReadContext) {
  const active = (await ctx.db.lookup(samlKeys, "slot", { slot: "active" }))?.value;
  const signingCertificateExpiresAt = active?.notAfter ?? null;
  const end = endOf(ctx, signingCertificateExpiresAt);
  return { signingCertificateExpiresAt, warnings: end === "fine" ? [] : [`signing_certificate_${end}` as const] };
}

/** Whether a certificate is over, or soon will be. */
function endOf(ctx: ReadContext, notAfter: string | null): "fine" | "expired" | "expires_soon" {
  if (notAfter === null) return "fine";
  if (notAfter <= ctx.now) return "expired";
  return notAfter <= new Date(ctx.request.nowMs + daysMs(SOON)).toISOString() ? "expires_soon" : "fine";
}

function healthOf(ctx: ReadContext, app: SamlApp, usage: z.output<typeof samlAppUsage.schema> | undefined): AppHealth {
  const ends = [...app.signingCertificates, ...(app.encryptionCertificate ? [app.encryptionCertificate] : [])]
    .map(({ notAfter }) => notAfter)
    .sort();
  const [certificateExpiresAt = null] = ends;
  const end = endOf(ctx, certificateExpiresAt);
  const isRefused = (usage?.lastFailureAt ?? "") > (usage?.lastSignOnAt ?? "");
  const warnings: AppHealth["warnings"] = [
    ...(end === "fine" ? [] : [`certificate_${end}` as const]),
    ...(app.signingCertificates.length === 0 ? (["not_signed"] as const) : []),
    ...(isRefused ? (["last_sign_on_refused"] as const) : []),
    ...(app.metadataLeftOut.length > 0 ? (["metadata_left_out"] as const) : []),
  ];
  return {
    id: app.id,
    name: app.name,
    status: app.status,
    health: end === "expired" || isRefused ? "failing" : warnings.length > 0 ? "warning" : "ok",
    warnings,
    certificateExpiresAt,
    metadataAt: app.metadataAt,
    lastSignOnAt: usage?.lastSignOnAt ?? null,
    signOns: usage?.signOns ?? 0,
    lastFailureAt: usage?.lastFailureAt ?? null,
    lastFailure: usage?.lastFailure ?? null,
    failures: usage?.failures ?? 0,
  };
}
