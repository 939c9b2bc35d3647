import type { RateLimits } from "./rate-limits.js";

/** Files of the interface viewer, by name; `@reeve/reference-page` provides them. */
export interface ReferenceAssets {
  get(name: string): { readonly contentType: string; readonly body: Uint8Array } | undefined;
}

/** What a host says of its console: its own name, logo, accent and links, and which areas it shows. */
export interface ConsoleSettings {
  readonly name: string;
  /** Name of the asset with the logo. */
  readonly logo: string | null;
  /** A colour as `#rrggbb`. */
  readonly accent: string | null;
  /** Links of the host, shown in the header. */
  readonly links: readonly { readonly label: string; readonly href: string }[];
  /** Areas that are shown; all where it is `null`. */
  readonly areas: readonly string[] | null;
  /** Whether pages take no approval that binds values which they cannot show. */
  readonly refuseHidden: boolean;
}

/** The pages of the console and their files; `consolePages()` of `@reeve/console` provides them. */
export interface ConsolePages {
  readonly settings: ConsoleSettings;
  /** The page, whose files are found from this base. */
  page(base: string): string;
  asset(name: string): { readonly contentType: string; readonly body: Uint8Array } | undefined;
}

/** An event as the host gets it: a CloudEvents document. */
export type EventDocument = Readonly<Record<string, unknown>> & { readonly id: string; readonly type: string };

/** What is dropped in time, with how many days it is kept unless the host says otherwise; `null` for without limit. */
export const RETENTION_DAYS = {
  diagnostics: 90,
  traffic: 90,
  syncs: 90,
  driftScans: 90,
  imports: 400,
  sessions: 400,
  evaluationRuns: 400,
  postures: 400,
  webhookAttempts: 7,
  notices: 90,
  findingDays: 1_000,
  aiUsage: 400,
  findingReviews: null,
  approvals: null,
  deletedRecords: 90,
  closedTenants: null,
} as const;
export type RetentionKind = keyof typeof RETENTION_DAYS;

/** The least days of kinds whose loss cannot be made good, so that a slip of the host is noticed in time. */
export const LEAST_RETENTION_DAYS: Readonly<Record<string, number>> = { closedTenants: 7 };

/** The options of the kernel, with defaults filled in. */
export interface KernelOptions {
  /** Public address without a trailing slash; the issuer of tokens and the base of links. */
  readonly baseUrl: string;
  /** Requests per minute for each bucket, or no limits. */
  readonly rateLimits: RateLimits | "off";
  /** Mount `/agents/health`, `/cache/health` and the other paths outside /api/v1. */
  readonly rootRoutes: boolean;
  /** Answer in the standards of others as well, outside /api/v1: AuthZEN, forward auth of proxies, Open Policy Agent, ToolHive. */
  readonly doors: boolean;
  /** Serve `/openapi.json`, and `/docs` when the viewer's files are given. */
  readonly reference: boolean | ReferenceAssets;
  /** Serve `/console`, the pages for people in a browser, when their files are given. */
  readonly console: false | ConsolePages;
  /** The status for a missing token. 403 is for clients of the older behaviour. */
  readonly missingTokenStatus: 401 | 403;
  /** Answer 428 to a change of an existing record without `If-Match`. */
  readonly requireIfMatch: boolean;
  /** Answer 400 to a POST or PATCH with a bearer token but without `Idempotency-Key`. */
  readonly requireIdempotencyKey: boolean;
  /** Prefix of problem types. The error code follows it. */
  readonly errorTypeBase: string;
  /** Prefix of event types, reverse DNS. */
  readonly eventTypePrefix: string;
  /** Called at least once for every committed event, after the commit. `tick` retries after a rejection. */
  readonly onEvent?: (event: EventDocument) => Promise<void> | void;
  /**
   * Milliseconds that `tick` and requests wait for an answer of the host, 100 to 60,000: `onEvent`, `anchor`, the mailer,
   * the reader of TXT records and a key management service. Later ones count as failed.
   */
  readonly hostCallTimeoutMs: number;
  /**
   * Days that histories are kept, by kind: 90 for `diagnostics`, `traffic`, `syncs` and `driftScans`, 400 for `imports`,
   * `sessions` and `evaluationRuns` that ended and for daily `postures` and sums of use (`aiUsage`), 7 for
   * `webhookAttempts`, 90 for `notices` to people, 1,000 for daily counts of findings (`findingDays`), 90 for `deletedRecords`, which nobody sees;
   * `null` for without limit. Decisions of people are kept
   * unless a number is given: `findingReviews`, and `approvals` from their end. The last sync and the last scan of a
   * target stay. `closedTenants` is the grace after which all of a closed tenant is erased, 7 at least; without it none
   * is.
   */
  readonly retentionDays: Readonly<Record<RetentionKind, number | null>>;
}

/** The options of a host that sets none. */
export const KERNEL_DEFAULTS: Omit<KernelOptions, "baseUrl" | "rateLimits"> & { readonly rateLimits: RateLimits } = {
  rateLimits: { tenant: 6_000, principal: 1_200, address: 300, rejected: 300, credential: 120, expensive: 30 },
  rootRoutes: false,
  doors: false,
  reference: false,
  console: false,
  missingTokenStatus: 401,
  requireIfMatch: false,
  requireIdempotencyKey: false,
  errorTypeBase: "urn:reeve:error:",
  eventTypePrefix: "reeve",
  hostCallTimeoutMs: 10_000,
  retentionDays: RETENTION_DAYS,
};
