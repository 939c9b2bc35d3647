import type { Fetch } from "./send.js";
import type { TokenSource } from "./session.js";
import type { ClientCredentials, PasswordSignIn } from "./sign-in.js";

/** Where Reeve answers, and who asks: one of `token`, `signIn` and `clientCredentials`, or nobody. */
export interface ClientOptions {
  /** The address of the mount, without `/api/v1`: `https://host.example/governance`. */
  readonly baseUrl: string;
  /** A bearer token, or a function that gives the one to use now. */
  readonly token?: TokenSource;
  /** Signs this user in with the first request, and again when the session has run out. */
  readonly signIn?: PasswordSignIn;
  /** Takes tokens of this AI identity. */
  readonly clientCredentials?: ClientCredentials;
  /** Sends requests; the global `fetch` unless it is given. */
  readonly fetch?: Fetch;
  /** How often a request is sent again at most, 0 to 10; 3 unless it is given. */
  readonly retries?: number;
  /** The longest wait between two tries, in milliseconds; 60,000 unless it is given, the window of the rate limits. */
  readonly maxRetryDelay?: number;
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>>;
}

type Check = (given: unknown) => boolean;

const isObject: Check = (given) => typeof given === "object" && given !== null;
const areTexts = (given: unknown, ...names: string[]) =>
  names.every((name) => typeof Object(given)[name] === "string" && Object(given)[name] !== "");
const isWhole = (given: unknown, most: number) =>
  Number.isInteger(given) && (given as number) >= 0 && (given as number) <= most;

/** What each option must be, and whether it is. Values are never shown: most of them are secrets. */
const CHECKS: { readonly [Name in keyof Required<ClientOptions>]: readonly [what: string, check: Check] } = {
  baseUrl: ['an http or https URL without query and /api/v1, as "https://host.example/governance" is', isBaseUrl],
  token: ["a bearer token, or a function that gives one", (given) => typeof given === "function" || isToken(given)],
  signIn: ["{ username, password, tenant? }", (given) => areTexts(given, "username", "password")],
  clientCredentials: ["{ clientId, clientSecret, scope? }", (given) => areTexts(given, "clientId", "clientSecret")],
  fetch: ["a function, as fetch is", (given) => typeof given === "function"],
  retries: ["a whole number from 0 to 10", (given) => isWhole(given, 10)],
  maxRetryDelay: ["a whole number of milliseconds from 0 to 86,400,000", (given) => isWhole(given, 86_400_000)],
  headers: ["headers by their name", isObject],
};

const WHO = ["token", "signIn", "clientCredentials"] as const;

function isBaseUrl(given: unknown): boolean {
  if (typeof given !== "string" || !URL.canParse(given)) return false;
  const { protocol, pathname, search, hash } = new URL(given);
  return /^https?:$/.test(protocol) && search === "" && hash === "" && !/\/api\/v1\/?$/.test(pathname);
}

/** One visible word: anything else is refused by `fetch` with a message that shows it. */
function isToken(given: unknown): boolean {
  return typeof given === "string" && /^[\x21-\x7e]+$/.test(given);
}

/** Refuses options that cannot work: all faults at once, each a line that names the option and what it must be. */
export function checkOptions(options: ClientOptions): void {
  const given = { ...options } as Readonly<Record<string, unknown>>;
  const who = WHO.filter((name) => given[name] !== undefined);
  const faults = [
    ...Object.keys(given)
      .filter((name) => !Object.hasOwn(CHECKS, name))
      .map((name) => `${name} is no option; there are ${Object.keys(CHECKS).join(", ")}`),
    ...Object.entries(CHECKS)
      .filter(([name, [, check]]) => (name === "baseUrl" || given[name] !== undefined) && !check(given[name]))
      .map(([name, [what]]) => `${name} ${given[name] === undefined ? "is required:" : "must be"} ${what}`),
    ...(who.length > 1 ? [`${who.join(" and ")} cannot be given together: each says who asks`] : []),
  ];
  if (faults.length > 0) throw new TypeError(`createClient cannot work with these options:\n- ${faults.join("\n- ")}`);
}
