import type { KeyObject } from "node:crypto";
import { defineService, type Environment, type Provided, provided } from "../kernel/config/environment.js";
import { type EventDocument, KERNEL_DEFAULTS, type KernelOptions } from "../kernel/config/options.js";
import type { RateLimits } from "../kernel/config/rate-limits.js";
import type { NeutralRequest } from "../kernel/http/http.js";
import type { JsonWebKeySet } from "../kernel/http/json-web-keys.js";
import { CAPABILITIES, type Capability } from "./platform/capabilities/fields.js";

/** A role that the host defines: its purpose and its permissions. */
export interface HostRole {
  readonly description: string;
  readonly permissions: readonly string[];
}

/** A system of the host that takes the record of all tenants. */
export interface AuditSink {
  /** Names it in what is stored of how far it is, so it must stay the same. 1 to 100 characters. */
  readonly name: string;
  /**
   * Takes up to 100 events of a tenant, in order. Resolves once they are kept; any rejection has the same events come
   * again. `hostCallTimeoutMs` limits it.
   */
  take(events: readonly EventDocument[], tenantId: string): Promise<void>;
}

/** How access tokens are signed. */
export const SIGNING_ALGORITHMS = ["ES256", "EdDSA", "RS256"] as const;
export type SigningAlgorithm = (typeof SIGNING_ALGORITHMS)[number];

/** Somebody whom the host has signed in. */
export interface HostPrincipal {
  readonly tenantId: string;
  /** Id of a user of the tenant, or an id of the host's choice. It stands in the audit trail. */
  readonly userId: string;
  /** Required with `roles`. The user's own when absent. */
  readonly username?: string;
  /**
   * Roles for this request, or names of `roleMap`. When absent, the user must exist here and has the roles stored here.
   */
  readonly roles?: readonly string[];
  /**
   * When they proved to the host who they are, in milliseconds since the epoch. Applications that ask for a new sign-in
   * are refused without it.
   */
  readonly authenticatedAt?: number;
  /** Whether they proved a second factor then. Without it they have not, where a decision takes one. */
  readonly withFactor?: boolean;
}

/** An OIDC issuer whose tokens are accepted, with the claims that name the principal. */
export interface TrustedIssuer {
  /** The exact `iss` of its tokens. */
  readonly issuer: string;
  /** The `aud` of its tokens for this service. */
  readonly audience: string;
  /** Where its public keys are. From its OIDC metadata when absent. */
  readonly jwksUri?: string;
  /** Claim with the tenant's id or subdomain. */
  readonly tenantClaim?: string;
  /** Id or subdomain of the one tenant of all its people, in place of `tenantClaim`. */
  readonly tenant?: string;
  /** Claim with the lasting id of a person. `sub` when absent. */
  readonly subjectClaim?: string;
  /** Accepted values of `azp`, the client that sends a token. The audience only when absent. */
  readonly authorizedParties?: readonly string[];
  /** Accepted values of the header `typ`. `JWT` and `at+jwt` when absent. A token without `typ` is accepted. */
  readonly tokenTypes?: readonly string[];
  /**
   * Whether the issuer has verified every user name as an address. When absent, the token's `email` must be the user
   * name and `email_verified` true.
   */
  readonly usernamesVerified?: boolean;
  /** Claim with a user name. Without it or `tenantClaim`, its tokens serve token exchange only. */
  readonly usernameClaim?: string;
  /**
   * Claim with names of roles, which replace the user's. Unknown names are ignored. When absent, the user must exist in
   * the tenant.
   */
  readonly rolesClaim?: string;
  /** Roles by the issuer's names of groups or roles, in place of the option `roleMap`. A name without an entry has none. */
  readonly roleMap?: Readonly<Record<string, readonly string[]>>;
  /**
   * Roles of the user that a person without an account becomes at the first sign-in, by a verified address. When absent,
   * no user is made.
   */
  readonly newUserRoles?: readonly string[];
  /** Claim with the name of a user that is made. The part of the address before `@` when absent. */
  readonly nameClaim?: string;
}

/**
 * The state of a tenant's chain at one moment. It can be verified later, and verification can start from it after
 * pruning.
 */
export interface Checkpoint {
  readonly format: "reeve-checkpoint/1";
  /** Id of the tenant whose chain it is. */
  readonly chainid: string;
  /** The events it covers, both included; they follow those of the checkpoint before. */
  readonly fromSeq: number;
  readonly toSeq: number;
  /** `eventhash` of the last of them. */
  readonly headHash: string;
  /** Root of the Merkle tree (RFC 9162, SHA-256) whose leaves are their event hashes. */
  readonly merkleRoot: string;
  /** Which of these events are about whom, by whom and of which kind, as a tree. A slice of the chain is proven with it. */
  readonly index?: CheckpointIndex;
  /** All checkpoints before this one, as a tree. With it one signature vouches for all of the chain. */
  readonly history?: CheckpointHistory;
  /** When it was made, after all of these events. */
  readonly at: string;
  /** Ed25519 over the canonical JSON (RFC 8785) of all other members. Absent without a key. */
  readonly signature?: CheckpointSignature;
}

/** What a checkpoint says of its events, to prove that none of a kind is left out. */
export interface CheckpointIndex {
  /** Root of the sparse Merkle tree over the lists of events of each subject, actor, kind and type. */
  readonly root: string;
  /** The time of the first event. */
  readonly firstTime: string;
  /** The time of the last event. */
  readonly lastTime: string;
}

/** The checkpoints before one. */
export interface CheckpointHistory {
  /** How many there are. */
  readonly size: number;
  /** Root of the Merkle tree (RFC 9162, SHA-256) whose leaves are their canonical JSON without the signature. */
  readonly root: string;
}

export interface CheckpointSignature {
  readonly alg: "Ed25519";
  /** Thumbprint of the public key (RFC 7638). */
  readonly kid: string;
  /** base64url. */
  readonly value: string;
}

/** All options of a control plane, with defaults filled in. */
export interface Options extends KernelOptions {
  /** Page where people set a password by a mailed link; the link adds `#token=…`. `<baseUrl>/set-password` when absent. */
  readonly setPasswordUrl: string;
  /** Where people find the console; links in notices begin with it. `<baseUrl>/console` when absent. */
  readonly consoleUrl: string;
  /** Page of the host where people sign in on their way to an application; it sends them back to its parameter `return`. */
  readonly samlSignInUrl?: string;
  /** Page of the host on which applications for sign-on are registered. */
  readonly samlFormUrl?: string;
  /** Who may create a tenant: anyone, owners of a verified address, or nobody. */
  readonly registration: "open" | "verified_email" | "closed";
  /** Capabilities that a new tenant is licensed for. */
  readonly defaultCapabilities: readonly Capability[];
  /** Roles in addition to the built-in ones, by name. */
  readonly roles: Readonly<Record<string, HostRole>>;
  /**
   * Roles by the host's own names of groups or roles, for `authenticate` and `rolesClaim`. A name without an entry has
   * none. When absent, names are roles.
   */
  readonly roleMap?: Readonly<Record<string, readonly string[]>>;
  /** Seconds until an access token expires, 60 to 86,400. */
  readonly tokenLifetime: number;
  /** Seconds from a sign-in until its refresh tokens expire, 300 to 7,776,000. Use does not extend them. */
  readonly refreshTokenLifetime: number;
  /** Algorithm of new signing keys; a change takes effect by a rotation on `tick`. */
  readonly signingAlgorithm: SigningAlgorithm;
  /** Days after which `tick` replaces the signing key, 1 to 3,650. */
  readonly signingKeyDays: number;
  /** OIDC issuers whose tokens are accepted as bearers and in token exchange. */
  readonly trustedIssuers: readonly TrustedIssuer[];
  /** Public keys, each with a `kid`, that verify agent cards. URLs in cards are never fetched. */
  readonly agentCardKeys: JsonWebKeySet;
  /** Whom the host has signed in. Called before the bearer token is read. `undefined` when no one is. */
  readonly authenticate?: (request: NeutralRequest) => Promise<HostPrincipal | undefined> | HostPrincipal | undefined;
  /** Least password length, 8 to 128. */
  readonly passwordMinLength: number;
  /**
   * Fields of an approved asset, or of its typed record, whose change sends it back to review. With `toolIds` a relation
   * `uses` more of an agent does as well.
   */
  readonly reReviewOn: readonly string[];
  /** Hosts (`host`, `host:port`), addresses and networks that may be called although not public or not https. */
  readonly egressAllow: readonly string[];
  /** Seconds between two ticks once `start` was called, 1 to 3,600. */
  readonly tickSeconds: number;
  /** Tenants whose jobs run at the same time in a tick, 1 to 64. One that hangs does not hold up the others. */
  readonly tickConcurrency: number;
  /** Connections that are tested, and grants that are worked on, at the same time for a tenant by `tick`, 1 to 64. */
  readonly connectorConcurrency: number;
  /** Name servers for the proofs of domains, as addresses with or without `:port`. The system's when empty. */
  readonly dnsServers: readonly string[];
  /** Allows the provider SQL queries over redacted views. */
  readonly sqlConsole: boolean;
  /**
   * Days that events are kept, 1 to 36,500. Without limit when absent. Older ones are deleted with the checkpoint that
   * covers them, once anchored.
   */
  readonly activityRetentionDays?: number;
  /**
   * Hours between two checkpoints of a tenant's chain, 1 to 8,760. `tick` makes them if retention, key, anchor or
   * authority is set.
   */
  readonly checkpointHours: number;
  /** Ed25519 private key (PEM, or a `KeyObject`) that signs checkpoints. */
  readonly checkpointKey?: string | KeyObject;
  /**
   * Address of a time stamping authority (RFC 3161). `tick` has it stamp the newest checkpoint, again until it does.
   * Name it in `egressAllow` where it is not public https.
   */
  readonly timestampUrl?: string;
  /**
   * Called by `tick` at least once per checkpoint, to store it where operators of this service cannot change it. A
   * rejection is retried.
   */
  readonly anchor?: (checkpoint: Checkpoint) => Promise<void> | void;
  /**
   * Where the events of all tenants go as well, such as a SIEM. Each gets them in the order of each tenant's chain, at
   * least once, from the first one on, and is never given up. No request waits for it.
   */
  readonly auditSinks: readonly AuditSink[];
  /** Whether people are told of what waits for them and of what happens to what they own. By mail, if there is a mailer. */
  readonly notices: boolean;
  /** Minutes after which a webhook or a sink that takes nothing is told of by an event and in the log, 1 to 10,080. */
  readonly deliveryAlarmMinutes: number;
}

/** Options as the host gives them: each may be absent, and each rate limit too. */
export type GivenOptions = Partial<Omit<Options, "rateLimits" | "retentionDays">> & {
  readonly retentionDays?: Partial<Options["retentionDays"]> | undefined;
  readonly rateLimits?: Partial<RateLimits> | "off" | undefined;
};

/** The defaults of options. */
export const DEFAULTS: Omit<Options, keyof KernelOptions | "setPasswordUrl" | "consoleUrl"> = {
  registration: "verified_email",
  defaultCapabilities: Object.keys(CAPABILITIES) as Capability[],
  roles: {},
  tokenLifetime: 3_600,
  refreshTokenLifetime: 604_800,
  signingAlgorithm: "ES256",
  signingKeyDays: 90,
  trustedIssuers: [],
  agentCardKeys: { keys: [] },
  passwordMinLength: 15,
  reReviewOn: [
    "environment",
    "owner",
    "provider",
    "riskTier",
    "dataClassification",
    "autonomy",
    "scopes",
    "registrations",
    "modelIds",
    "toolIds",
    "mcpServerIds",
    "identityId",
    "agentCard",
    "modelId",
    "modelVersion",
    "transport",
    "url",
    "command",
    "package",
    "authorization",
  ],
  egressAllow: [],
  tickSeconds: 60,
  tickConcurrency: 8,
  connectorConcurrency: 8,
  dnsServers: [],
  sqlConsole: false,
  checkpointHours: 24,
  auditSinks: [],
  notices: true,
  deliveryAlarmMinutes: 30,
};

/** Fills in defaults. Expects options that were validated. */
export function resolveOptions(given: GivenOptions & Pick<Options, "baseUrl">): Options {
  const defined = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const baseUrl = given.baseUrl.replace(/\/+$/, "");
  const limits = given.rateLimits ?? {};
  const rateLimits = limits === "off" ? limits : { ...KERNEL_DEFAULTS.rateLimits, ...limits };
  const retentionDays = { ...KERNEL_DEFAULTS.retentionDays, ...given.retentionDays };
  const derived = { baseUrl, rateLimits, retentionDays };
  const options = {
    ...KERNEL_DEFAULTS,
    ...DEFAULTS,
    setPasswordUrl: `${baseUrl}/set-password`,
    consoleUrl: `${baseUrl}/console`,
    ...defined,
    ...derived,
  } as Options;
  return Object.freeze(options);
}

const given = defineService<Options>("options", () => {
  throw new Error("this environment was made without the options of a control plane");
});

/** Provides the options to the environment of a control plane. */
export function providedOptions(options: Options): Provided {
  return provided(given, options);
}

/** The options of this control plane. */
export function optionsOf(env: Environment): Options {
  return env.use(given);
}
