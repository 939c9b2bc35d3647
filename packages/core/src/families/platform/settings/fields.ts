import type { Options } from "#families/options.js";
import type { BucketName } from "#kernel/config/rate-limits.js";
import { minutesMs } from "#ports/durations.js";
import { z } from "#schema/z.js";
import { LIMITS, type LimitKey } from "../capabilities/fields.js";

/** One setting of the platform: its meaning, its values, and its default. */
export interface Setting<T> {
  readonly description: string;
  readonly schema: z.ZodType<T, T>;
  readonly byDefault: (options: Options) => T;
}

function define<T>(description: string, schema: z.ZodType<T, T>, byDefault: (options: Options) => T): Setting<T> {
  return Object.freeze({ description, schema, byDefault });
}

const daysOf = (severity: string) =>
  z
    .int()
    .min(1)
    .max(3_650)
    .nullable()
    .meta({ description: `For ${severity} findings.` });
const Rate = z.int().min(0).max(1_000_000_000);
const rate = (bucket: BucketName, what: string) =>
  define(`Requests a minute ${what}; 0 for no limit.`, Rate, ({ rateLimits }) =>
    rateLimits === "off" ? 0 : rateLimits[bucket],
  );
const limit = (key: LimitKey) =>
  define<number | null>(
    `${LIMITS[key].description}, at most, in a tenant without an entitlement of its own; null for no limit.`,
    z.int().min(0).max(1_000_000_000).nullable(),
    () => null,
  );

/**
 * Every declared setting by key. Options of the control plane are the defaults. A stored value overrides its option.
 */
export const SETTINGS = {
  "tokens.lifetime": define(
    "Seconds an access token lives; tokens already issued keep theirs.",
    z.int().min(60).max(86_400),
    (options) => options.tokenLifetime,
  ),
  "browserSessions.lifetime": define(
    "Seconds a browser stays signed in at most; sessions that have begun keep theirs.",
    z.int().min(300).max(2_592_000),
    () => 43_200,
  ),
  "browserSessions.idle": define(
    "Seconds after which a browser that was not used is signed out.",
    z.int().min(600).max(2_592_000),
    () => 3_600,
  ),
  "passwords.minLength": define(
    "Least length of a new password, in characters.",
    z.int().min(8).max(128),
    (options) => options.passwordMinLength,
  ),
  "signIn.secondFactor": define<"optional" | "required">(
    "Whether everybody who signs in with a password needs a second factor, or only who has set one up.",
    z.enum(["optional", "required"]),
    () => "optional",
  ),
  "signIn.stepUpMinutes": define<number | null>(
    "Minutes within which whoever takes a decision for four eyes must have proven a second factor; null for none.",
    z.int().min(1).max(1_440).nullable(),
    () => null,
  ),
  "registration.policy": define(
    "Who may create a tenant: anyone, owners of a verified address, or nobody.",
    z.enum(["open", "verified_email", "closed"]),
    (options) => options.registration,
  ),
  "rateLimits.tenant": rate("tenant", "of all of a tenant"),
  "rateLimits.principal": rate("principal", "of one user or client"),
  "rateLimits.address": rate("address", "of one peer address: reads without a bearer"),
  "rateLimits.rejected": rate(
    "rejected",
    "of one peer address that are refused: invalid and missing bearers, and writes without a bearer",
  ),
  "rateLimits.credential": rate(
    "credential",
    "of one peer address and operation that succeed: sign-in, registration and other writes without a bearer",
  ),
  "rateLimits.expensive": rate("expensive", "of one user or client: operations that cost much"),
  "limits.assets": limit("assets"),
  "limits.users": limit("users"),
  "retention.failedDeliveryDays": define(
    "Days a delivery to the host that failed for good is kept.",
    z.int().min(1).max(3_650),
    () => 30,
  ),
  "findings.slaDays": define(
    "Days to resolve a finding in, by severity, from the start of its episode; null for no due date.",
    z.strictObject({
      critical: daysOf("critical"),
      high: daysOf("high"),
      medium: daysOf("medium"),
      low: daysOf("low"),
      info: daysOf("informative"),
    }),
    () => ({ critical: 7, high: 30, medium: 90, low: 180, info: null }),
  ),
  "decisions.default": define(
    "What a runtime decision is where no rule in force speaks of the request.",
    z.enum(["deny", "allow"]),
    () => "deny" as const,
  ),
  "decisions.reuseMs": define(
    "Milliseconds a runtime decision may be used again at most, beside what its session, assets and rules set; 0 for never.",
    z.int().min(0).max(minutesMs(1)),
    () => 5_000,
  ),
  "decisions.approvalMinutes": define(
    "Minutes a request for approval of an action waits, and an approval once it is given.",
    z.int().min(1).max(10_080),
    () => 60,
  ),
  "decisions.loggedFields": define<string[]>(
    "Paths of values of a request, as in `action.properties.amount`, that its event and its request for approval hold. What is named like a secret is never among them.",
    z
      .array(
        z
          .string()
          .max(200)
          .regex(/^(?:(?:subject|action|resource)\.properties|context)(?:\.[A-Za-z_]\w{0,63}){1,6}$/),
      )
      .max(50),
    () => [],
  ),
  "compliance.evaluationDays": define(
    "Days for which an evaluation of all assets is evidence for controls.",
    z.int().min(1).max(366),
    () => 7,
  ),
  "support.sqlConsole": define(
    "Whether the provider's read-only SQL console answers.",
    z.boolean(),
    (options) => options.sqlConsole,
  ),
} as const;

export type SettingKey = keyof typeof SETTINGS;
export type SettingValue<K extends SettingKey> = (typeof SETTINGS)[K] extends Setting<infer T> ? T : never;

/** Keys of the provider's own: any JSON value. Reeve stores and lists them only. */
const CUSTOM = /^custom(?:\.[a-z][A-Za-z0-9]{0,39}){1,4}$/;
export const CUSTOM_SETTINGS = 500;
const CUSTOM_BYTES = 8 * 1024;

export function isDeclared(key: string): key is SettingKey {
  return Object.hasOwn(SETTINGS, key);
}

export function isCustom(key: string): boolean {
  return CUSTOM.test(key);
}

/** The values of a declared setting, as JSON Schema. */
export function settingShape(key: SettingKey): Readonly<Record<string, unknown>> {
  return z.toJSONSchema(SETTINGS[key].schema, { io: "input" }) as Record<string, unknown>;
}

/** What is wrong with a value for this key, or `undefined`. */
export function settingFault(key: string, value: unknown): string | undefined {
  if (isDeclared(key)) return SETTINGS[key].schema.safeParse(value).error?.issues[0]?.message;
  return Buffer.byteLength(JSON.stringify(value)) > CUSTOM_BYTES ? `At most ${CUSTOM_BYTES} bytes.` : undefined;
}
