import { optionsOf } from "#families/options.js";
import {
  CUSTOM_SETTINGS,
  isCustom,
  isDeclared,
  PLATFORM_TENANT,
  platformSettings,
  SETTINGS,
  type SettingKey,
  type StoredSetting,
  settingFault,
} from "#families/platform/index.js";
import { invalidProperty, notFound, ReeveError } from "#kernel/http/errors.js";
import { requireVersion } from "#kernel/http/version-condition.js";
import { type Context, requireReason } from "#kernel/operation/context.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { PageQuery, pageOf } from "#kernel/operation/page.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { isSame } from "#kernel/records/is-same.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { because, may, shared, writeDown } from "../actions/rules.js";

const PATH = "/api/v1/support/config";

const Entry = z
  .object({
    id: z.string().meta({ description: "The key of the setting.", example: "tokens.lifetime" }),
    value: z.unknown().meta({ description: "The value in force." }),
    default: z.unknown().meta({ description: "The value of the option; `null` for keys of the provider's own." }),
    source: z.enum(["default", "stored"]).meta({ description: "Whether `value` is stored." }),
    description: z.string().meta({ description: "What it sets." }),
    version: z.int().min(0).meta({ description: "0 while nothing is stored." }),
    createdAt: Time.nullable().meta({ description: "When it was first stored." }),
    updatedAt: Time.nullable().meta({ description: "When it was last stored." }),
    updatedBy: z.string().nullable().meta({ description: "Id of who stored it last." }),
  })
  .meta({ id: "ConfigEntry" });
type Entry = z.output<typeof Entry>;

const ByKey = z.object({
  key: z.string().max(255).meta({ description: "Key of a setting.", example: "tokens.lifetime" }),
});
const Value = z.strictObject({ value: z.unknown().meta({ description: "The value to store." }) });
const Create = z
  .strictObject({
    name: z.string().max(255).meta({ description: "The key of the setting." }),
    configuration: Value.meta({ description: "Holds the value." }),
    ...because,
  })
  .meta({
    id: "ConfigCreate",
    example: { name: "custom.region", configuration: { value: "eu" }, reason: "Shown in the console." },
  });
const Update = z
  .strictObject({ configuration: Value.meta({ description: "Holds the value." }), ...because })
  .meta({ id: "ConfigUpdate", example: { configuration: { value: "eu-west" }, reason: "Shown in the console." } });

/** A setting as it is shown. Declared ones exist even when not stored. */
function entryOf(ctx: ReadContext, key: string, stored: StoredSetting | undefined): Entry {
  const declared = isDeclared(key) ? SETTINGS[key] : undefined;
  const byDefault = declared ? declared.byDefault(optionsOf(ctx.env)) : null;
  return {
    id: key,
    value: stored ? stored.value : byDefault,
    default: byDefault,
    source: stored ? "stored" : "default",
    description: declared?.description ?? "A key of the provider's own.",
    version: stored?.version ?? 0,
    createdAt: stored?.createdAt ?? null,
    updatedAt: stored?.updatedAt ?? null,
    updatedBy: stored?.updatedBy ?? null,
  };
}

export const listConfig = defineOperation({
  ...shared,
  id: "support.listConfig",
  method: "GET",
  path: PATH,
  summary: "List the settings of the platform, declared ones first",
  access: may("read"),
  query: PageQuery,
  success: { status: 200, schema: pageOf(Entry) },
  async handler(ctx, { query }) {
    const rows = await ctx.on(PLATFORM_TENANT).db.scan(platformSettings, { size: 1_000 });
    const stored = new Map(rows.map((row) => [row.id, row.value]));
    const own = [...stored.keys()].filter(isCustom);
    const keys = [...(Object.keys(SETTINGS) as SettingKey[]), ...own];
    return ctx.slice(
      "config",
      keys.map((key) => entryOf(ctx, key, stored.get(key))),
      query,
    );
  },
});

export const createConfig = defineOperation({
  ...shared,
  id: "support.createConfig",
  method: "POST",
  path: PATH,
  summary: "Store a setting that is not stored yet",
  description: "`name` is a declared key, or one of the provider's own that begins with `custom.`.",
  access: may("config"),
  body: Create,
  success: { status: 201, schema: Entry },
  errors: ["missing_reason", "already_exists", "limit_exceeded", "precondition_failed"],
  async handler(ctx, { body }) {
    const reason = requireReason(body.reason);
    const key = body.name;
    if (!isDeclared(key) && !isCustom(key)) throw invalidProperty("/name", `There is no setting "${key}".`);
    const side = ctx.on(PLATFORM_TENANT);
    if (await side.db.get(platformSettings, key))
      throw new ReeveError("already_exists", `"${key}" is stored already; change that one.`);
    return change(ctx, key, { operation: "support.createConfig", ...body, reason });
  },
});

export const updateConfig = defineOperation({
  ...shared,
  id: "support.updateConfig",
  method: "POST",
  path: `${PATH}/{key}`,
  summary: "Change a setting",
  description: "A declared setting that is at its default is stored from now on.",
  access: may("config"),
  params: ByKey,
  body: Update,
  success: { status: 200, schema: Entry },
  errors: ["missing_reason", "precondition_failed"],
  async handler(ctx, { params: { key }, body }) {
    const known = isDeclared(key) || (isCustom(key) && (await ctx.on(PLATFORM_TENANT).db.get(platformSettings, key)));
    if (!known) throw notFound();
    const reason = requireReason(body.reason);
    return change(ctx, key, { operation: "support.updateConfig", ...body, reason });
  },
});

export const resetConfig = defineOperation({
  ...shared,
  id: "support.resetConfig",
  method: "DELETE",
  path: `${PATH}/{key}`,
  summary: "Take a setting back to its default, or remove one of the provider's own",
  access: may("config"),
  params: ByKey,
  query: z.strictObject({
    reason: z.string().max(2_000).optional().meta({ description: "Why; required, for the audit trail." }),
  }),
  success: { status: 204 },
  errors: ["missing_reason", "precondition_failed"],
  async handler(ctx, { params: { key }, query }) {
    const side = ctx.on(PLATFORM_TENANT);
    const stored = (await side.db.get(platformSettings, key))?.value;
    if (!stored && !isDeclared(key)) throw notFound();
    const reason = requireReason(query.reason, { parameter: "reason" });
    requireVersion(ctx.request.ifMatch, stored?.version ?? 0);
    if (!stored) return undefined;
    await side.remove(platformSettings, stored);
    const to = entryOf(ctx, key, undefined).value;
    await writeDown(ctx, { ...about(key), operation: "support.resetConfig", reason, from: stored.value, to });
    return undefined;
  },
});

interface Change {
  readonly operation: string;
  readonly configuration: { readonly value?: unknown };
  readonly reason: string;
  readonly metadata?: Record<string, unknown> | undefined;
}

/** Stores a value with its event. An unchanged value changes nothing. */
async function change(
  ctx: Context,
  key: string,
  { operation, configuration, reason, metadata }: Change,
): Promise<Entry> {
  const { value } = configuration;
  const fault = value === undefined ? "A value is required." : settingFault(key, value);
  if (fault !== undefined) throw invalidProperty("/configuration/value", fault);
  const side = ctx.on(PLATFORM_TENANT);
  const previous = (await side.db.get(platformSettings, key))?.value;
  requireVersion(ctx.request.ifMatch, previous?.version ?? 0);
  if (previous && isSame(previous.value, value)) return entryOf(ctx, key, previous);
  if (!previous) await requireRoomFor(side, key);
  const next = previous
    ? await side.update(platformSettings, previous, { value })
    : await side.insert(platformSettings, { id: key, value });
  const from = entryOf(ctx, key, previous).value;
  await writeDown(ctx, { ...about(key), operation, reason, from, to: value, metadata });
  return entryOf(ctx, key, next);
}

/** 403 when the provider has too many custom settings, because every process caches all of them. */
async function requireRoomFor(side: Context, key: string): Promise<void> {
  if (isDeclared(key) || (await side.db.count(platformSettings)).count < CUSTOM_SETTINGS) return;
  throw new ReeveError("limit_exceeded", `At most ${CUSTOM_SETTINGS} settings are stored.`);
}

function about(key: string) {
  return { subject: { id: key, type: "setting", path: `${PATH}/${key}` }, tenantId: null };
}
