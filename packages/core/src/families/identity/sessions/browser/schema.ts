import { defineCollection } from "#kernel/records/collection.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { METHODS } from "../schema.js";

/** What was proven besides the password; `issuer` where an OpenID provider says that a second factor was. */
const FACTORS = [...METHODS, "issuer"] as const;

const BrowserSession = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  /** SHA-256 of the value of the cookie, hex. */
  secretHash: z.string(),
  /** Id of a user, or of a person whom only a trusted issuer knows. */
  userId: z.string(),
  username: z.string(),
  /** The trusted issuer that said who they are, and its lasting id of them. `null` for a password of Reeve. */
  issuer: z.string().nullable(),
  subject: z.string().nullable(),
  /** Names of roles that the issuer told at sign-in. `null`: those of the user here. */
  roles: z.array(z.string()).nullable(),
  /** The user's security version at sign-in. A higher one ends the session. `null` without an account here. */
  securityVersion: z.int().min(1).nullable(),
  /** What they proved besides the password, or to the provider. `null` for nothing that is known. */
  factor: z.enum(FACTORS).nullable(),
  /** When they proved who they are. `null` where the provider did not say. */
  authenticatedAt: Time.nullable(),
  /** Of five minutes at least before the last use. */
  lastUsedAt: Time,
  /** End of the session, however much it is used. */
  expiresAt: Time,
  /** What the browser called itself, cut off. */
  userAgent: z.string().nullable(),
});
export type BrowserSession = z.output<typeof BrowserSession>;

/** Browsers in which somebody is signed in. They are found by the secret of their cookie, without a tenant. */
export const browserSessions = defineCollection<BrowserSession>({
  name: "browser_sessions",
  prefix: "bws",
  scope: "platform",
  schema: BrowserSession,
  fields: {
    secretHash: { type: "text", compare: "exact" },
    userId: { type: "text" },
    expiresAt: { type: "time" },
  },
  unique: { secretHash: ["secretHash"] },
  indexes: [{ where: ["userId"] }, { where: [], by: "expiresAt" }],
});

const shown = z.object({
  id: z.string().meta({ description: "Id of the session.", example: "bws_01JD3Z6T5W8Y9X7V4R2Q1P0N6M" }),
  createdAt: Time.meta({ description: "When the browser was signed in." }),
  lastUsedAt: Time.meta({ description: "When it was last used, at most five minutes late." }),
  expiresAt: Time.meta({ description: "When it ends at the latest." }),
  factor: z.enum(FACTORS).nullable().meta({
    description:
      "What the person proved besides the password; `issuer` where the OpenID provider says that it was more.",
  }),
  issuer: z
    .string()
    .nullable()
    .meta({ description: "The OpenID provider that said who they are; `null` for a password." }),
  userAgent: z.string().nullable().meta({ description: "What the browser called itself; it may say anything." }),
  current: z.boolean().meta({ description: "Whether this request was sent with it." }),
  recoveryCodes: z
    .array(z.string())
    .optional()
    .meta({ description: "New recovery codes, each good once: shown once, by the sign-in that set up a factor." }),
});

/** A browser session as its owner sees it. */
export const ShownSession = shown.meta({ id: "BrowserSession" });

/** What the owner sees of a session, asked with the one of the id `current`. */
export function shownSession(session: BrowserSession, current: string | undefined): z.output<typeof shown> {
  const { id, createdAt, lastUsedAt, expiresAt, factor, issuer, userAgent } = session;
  return { id, createdAt, lastUsedAt, expiresAt, factor, issuer, userAgent, current: id === current };
}
