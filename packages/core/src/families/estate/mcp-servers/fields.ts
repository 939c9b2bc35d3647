import { holdsSecret } from "#kernel/http/secrets-in-text.js";
import { claim, foreign, listed } from "#kernel/records/authority.js";
import { Time } from "#kernel/records/record.js";
import { MCP_CLIENT_CAPABILITIES } from "#ports/mcp.js";
import { z } from "#schema/z.js";
import { Label, Sha256 } from "../assets/fields.js";
import { HttpUrl, JsonObject } from "../records/fields.js";

export const TRANSPORTS = ["streamable_http", "sse", "stdio"] as const;
export const AUTH_TYPES = ["none", "bearer", "header", "oauth_client_credentials", "oauth_user"] as const;
/** How what a server offers compares with what was approved. */
export const MANIFEST_STATES = ["in_sync", "drifted", "unapproved"] as const;
export const TRUST_MODES = ["strict", "baseline", "auto_accept"] as const;

/** Headers of the protocol itself, which a caller cannot set. */
const RESERVED_HEADERS =
  /^(?:host|connection|content-.*|transfer-encoding|te|trailer|upgrade|accept|cookie|origin|mcp-.*|proxy-.*|x-forwarded-.*)$/i;

const HeaderName = z
  .string()
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/, "The name of a header.")
  .refine((name) => !RESERVED_HEADERS.test(name), "This header cannot be set.");

const authShape = {
  type: z.enum(AUTH_TYPES).meta({ description: "How it authenticates." }),
  headerName: HeaderName.nullable()
    .default(null)
    .meta({ description: "For `header`: the header that holds the secret." }),
  clientId: foreign(
    Label.nullable().default(null).meta({ description: "For the OAuth types: the name of the client." }),
  ),
};

/** How Reeve authenticates to a server, as stored on the record. */
export const Auth = z.object({
  ...authShape,
  secretSetAt: Time.nullable().meta({ description: "When the secret was last set; `null` when there is none." }),
});

/** The same as a caller gives it. */
export const GivenAuth = z.strictObject({
  ...Auth.partial({ secretSetAt: true }).shape,
  secret: z
    .string()
    .min(1)
    .max(8_192)
    .regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/, "Visible ASCII characters.")
    .nullable()
    .optional()
    .meta({ description: "Kept sealed and never shown. Left out: the one there is stays; `null`: it is dropped." }),
});

export const Package = z.strictObject({
  registryType: Label.meta({ description: "Which registry has it.", example: "npm" }),
  identifier: Label.meta({ description: "Its name in the registry." }),
  // Public lists write an empty text where no version is published.
  version: z
    .string()
    .max(200)
    .nullable()
    .overwrite((version) => version?.trim() || null)
    .default(null)
    .meta({ description: "Its exact version; `null` or empty: none is published." }),
  sha256: Sha256.nullable().default(null),
});

const distinct = (items: readonly string[]) => new Set(items).size === items.length;

const Word = z
  .string()
  .max(2_000)
  .refine((word) => !holdsSecret(word), "It looks like a secret. Secrets stand in the environment of the client.");

/** How clients start a server that runs beside them. */
export const Launch = z.strictObject({
  command: Word.min(1).meta({ description: "The program, as clients start it.", example: "npx" }),
  args: z.array(Word).max(100).default([]).meta({ description: "Its arguments, in order." }),
});

/** A name of RFC 6749, section 3.3. */
const ScopeName = z
  .string()
  .regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/, "Visible ASCII without spaces, quotes and backslashes.");

/** The authorization server that guards a server. */
export const Authorization = z.strictObject({
  issuer: HttpUrl.meta({
    description: "Issuer of the authorization server, letter by letter as its metadata says.",
    example: "https://login.example",
  }),
  scopes: z
    .array(ScopeName)
    .max(100)
    .refine(distinct, "A scope appears twice.")
    .default([])
    .meta({ description: "Scopes that agents can be granted there; none: access has no scopes." }),
});

/** How the protocol version is negotiated. */
export const Protocol = z.object({
  mode: z.enum(["auto", "legacy", "pin"]).meta({ description: "Negotiated, an old version, or `pinnedVersion`." }),
  pinnedVersion: Label.nullable().default(null).meta({ description: "For `pin`: the one version that is spoken." }),
  negotiated: z.string().nullable().meta({ description: "The version last agreed on." }),
  era: z.enum(["legacy", "modern"]).nullable().meta({ description: "Which generation of the protocol it speaks." }),
  supportedVersions: z.array(z.string()).max(50).meta({ description: "Versions the server names." }),
});

/** The same as a caller gives it. Negotiated values may be repeated but not changed. */
export const GivenProtocol = z.strictObject(
  Protocol.partial({ negotiated: true, era: true, supportedVersions: true }).shape,
);

/** As whom a server is asked. */
export const AskedAs = z.strictObject({
  name: Label.nullable().default(null).meta({ description: "The name of the client; `null`: Reeve's own." }),
  capabilities: z
    .array(z.enum(MCP_CLIENT_CAPABILITIES))
    .max(MCP_CLIENT_CAPABILITIES.length)
    .default([])
    .meta({ description: "What the client declares. It is answered with nothing." }),
});

export const HealthCheck = z.strictObject({
  enabled: z.boolean().default(true).meta({ description: "Whether it is probed." }),
  intervalSec: z.int().min(30).max(86_400).default(300).meta({ description: "Seconds between probes." }),
  timeoutMs: z.int().min(100).max(30_000).default(5_000).meta({ description: "Milliseconds until a probe fails." }),
  threshold: z.int().min(1).max(20).default(3).meta({ description: "Failures in a row until it is `unreachable`." }),
});

/** The least seconds between scans of a server that are not requested by somebody. */
export const LEAST_SCAN_INTERVAL_SEC = 300;

/** What a caller may set, at the top level of the body or in `configuration`. */
export const McpServerFields = z.object({
  transport: listed(z.enum(TRANSPORTS).meta({ description: "How it is reached." })),
  url: listed(HttpUrl.nullable().meta({ description: "Address; `null` for `stdio`." })),
  command: listed(
    z
      .string()
      .regex(/^[A-Za-z][\w.-]{0,63}$/, "The name of a command that the host has registered.")
      .nullable()
      .meta({ description: "For `stdio`: the name of a command that the host has registered. Never a command line." }),
  ),
  launch: listed(
    Launch.nullable().meta({
      description:
        "For `stdio`: how clients start it where they run. It is published to them, and Reeve never runs it.",
    }),
  ),
  auth: GivenAuth.meta({ description: "How Reeve authenticates to it." }),
  registryName: listed(
    Label.nullable().meta({
      description: "Its name in a registry, reverse DNS.",
      example: "com.example/files",
    }),
  ),
  package: listed(Package.nullable().meta({ description: "Where its code comes from." })),
  authorization: claim(
    Authorization.nullable().meta({
      description: "The authorization server that guards it, for identity assertions; `null` for none.",
    }),
    "caller",
    "import",
  ),
  protocol: GivenProtocol.meta({ description: "How the version is negotiated." }),
  client: AskedAs.meta({
    description:
      "As whom it is asked: some servers show each client other things. Say what the agents that use it are.",
  }),
  healthCheck: HealthCheck.meta({ description: "How it is probed." }),
  scanIntervalSec: z
    .int()
    .min(LEAST_SCAN_INTERVAL_SEC)
    .max(2_592_000)
    .nullable()
    .meta({ description: "Seconds between scans by the clock; `null` for none." }),
  trustMode: z.enum(TRUST_MODES).meta({
    description:
      "`strict`: any change takes the server out of use. `baseline`: changed and new tools wait. `auto_accept`: what is found is approved.",
  }),
});
export type McpServerFields = z.output<typeof McpServerFields>;

const Count = z.int().min(0);

/** Fields that only probes and scans write. */
export const ProbedFields = z.object({
  serverInfo: JsonObject(16_384).nullable().meta({ description: "What it calls itself. Not to be trusted." }),
  instructionsDigest: Sha256.nullable().meta({ description: "Of its instructions." }),
  capabilities: JsonObject(16_384).nullable().meta({ description: "What it says it can do." }),
  manifest: z
    .object({
      alg: z.string().meta({ description: "Algorithm of the digests." }),
      current: Sha256.nullable().meta({ description: "SHA-256 of what it offers." }),
      approved: Sha256.nullable().meta({ description: "SHA-256 of what was approved." }),
      state: z.enum(MANIFEST_STATES).meta({ description: "How the two compare." }),
      fetchedAt: Time.nullable().meta({ description: "When it was last scanned." }),
      observer: z.string().nullable().meta({ description: "With which credential it was seen." }),
    })
    .meta({ description: "What it offers against what was approved." }),
  consecutiveFailures: Count.meta({ description: "Probes that failed in a row." }),
  lastProbeAt: Time.nullable().meta({ description: "When it was last probed." }),
  lastProbeOkAt: Time.nullable().meta({ description: "When a probe last succeeded." }),
  lastProbeError: z
    .object({
      code: z.string().meta({ description: "What kind of failure." }),
      message: z.string().meta({ description: "What went wrong." }),
    })
    .nullable()
    .meta({ description: "Why the last probe failed." }),
  toolCounts: z
    .object({
      approved: Count.meta({ description: "Tools that are approved." }),
      pending_review: Count.meta({ description: "Tools that wait for a review." }),
      changed: Count.meta({ description: "Tools that have changed." }),
      blocked: Count.meta({ description: "Tools that are blocked." }),
      removed: Count.meta({ description: "Tools that are gone." }),
    })
    .meta({ description: "Its tools by status." }),
});
export type ProbedFields = z.output<typeof ProbedFields>;
