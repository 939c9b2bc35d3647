import { ConnectorError, type ErrorClass } from "@reeve/core/connectors";
import { z } from "zod";
import { type JsonApi, readApi } from "../json-api.js";
import type { Fossil } from "./configuration.js";

/** One repository, signed in. */
export interface Session {
  readonly repository: string;
  /** What the user may do, as letters. */
  readonly capabilities: string;
  /** Calls the JSON API. Rejects with `ConnectorError`. */
  call<T>(command: readonly string[], payload: object, shape: z.ZodType<T>): Promise<T>;
  /** For pages that are no JSON. */
  readonly cookie: string;
}

const Answer = z.object({ resultCode: z.string().optional(), payload: z.unknown().optional() });
const Login = z.object({
  authToken: z.string().min(1),
  loginCookieName: z.string().regex(/^[\w-]+$/),
  capabilities: z.string().max(200),
});

/** Somebody who signs in. */
export interface Credentials {
  readonly name: string;
  readonly password: string;
}

/** Where a repository is on the web. Fossil writes only for requests that say that they come from there. */
export const addressOf = ({ config }: Fossil, repository: string) =>
  `${config.baseUrl.replace(/\/+$/, "")}/${repository}`;

/** Commands that change the repository, by their last word. */
const WRITES: ReadonlySet<string> = new Set(["save", "create"]);

/**
 * Signs in to a repository, as the user of the configuration where nobody else is named. Rejects with class `auth`
 * where the password is not that of the user.
 */
export async function signIn(ctx: Fossil, repository: string, as?: Credentials): Promise<Session> {
  const headers = { "content-type": "application/json", referer: addressOf(ctx, repository) };
  const api: JsonApi = { baseUrl: ctx.config.baseUrl, headers };
  async function call<T>(command: readonly string[], body: object, shape: z.ZodType<T>): Promise<T> {
    const what = `Fossil's ${command.join(" ")}`;
    const path = [repository, "json", ...command];
    const answer = readApi(ctx, api, { what, path, method: "POST", body }, Answer);
    const { resultCode, payload } = await (WRITES.has(command.at(-1) as string) ? answer : answer.catch(asRead));
    if (resultCode !== undefined) throw failureOf(resultCode, what);
    const read = shape.safeParse(payload);
    if (read.success) return read.data;
    throw new ConnectorError("invalid", `${what} was answered in another shape than documented.`, { code: "shape" });
  }
  const credentials = as ?? { name: ctx.config.user, password: await ctx.secret("password") };
  const given = { payload: { name: credentials.name, password: credentials.password } };
  const { authToken, loginCookieName, capabilities } = await call(["login"], given, Login);
  return {
    repository,
    capabilities,
    cookie: `${loginCookieName}=${encodeURIComponent(authToken)}`,
    call: (command, payload, shape) => call(command, { authToken, payload }, shape),
  };
}

/** Fossil takes reads as POST too. One that failed has changed nothing. */
function asRead(error: unknown): never {
  if (!ConnectorError.is(error) || error.errorClass !== "outcome_unknown" || error.httpStatus === undefined)
    throw error;
  throw new ConnectorError("transient", `Fossil answered ${error.httpStatus}.`, { httpStatus: error.httpStatus });
}

const CODES: Readonly<Record<string, ErrorClass>> = { "FOSSIL-3006": "not_found", "FOSSIL-3002": "invalid" };

/** What a code of Fossil's means: 21xx is about signing in, 2xxx about capabilities, 4xxx about its database. */
function failureOf(code: string, what: string): ConnectorError {
  const known = CODES[code];
  const errorClass: ErrorClass =
    known ?? (/-21/.test(code) ? "auth" : /-2/.test(code) ? "permission" : /-3/.test(code) ? "invalid" : "transient");
  return new ConnectorError(errorClass, `${what} was refused.`, {
    code: /^FOSSIL-\d{4}$/.test(code) ? code : "fossil",
  });
}
