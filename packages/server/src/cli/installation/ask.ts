import { Failure } from "../../failure.js";
import type { InstallationFile } from "./credential-file.js";

/** A refusal of the server, by its status and its problem document. */
export class Refused extends Failure {
  constructor(
    readonly status: number,
    reason: string,
  ) {
    super(reason);
  }
}

type Asking = Pick<InstallationFile, "server" | "credential">;

/** Posts as an installation. Throws a `Refused`, or a `Failure` where no answer came within `milliseconds`. */
export async function askAs(asking: Asking, path: string, body: string, milliseconds: number): Promise<unknown> {
  return post(asking.server, path, body, milliseconds, bearerOf(asking));
}

/** Posts without a credential, as `askAs` does. */
export async function post(
  server: string,
  path: string,
  body: string,
  milliseconds: number,
  headers: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const init = { method: "POST", body, headers: { "content-type": "application/json", ...headers } };
  return (await answerOf(server, path, init, milliseconds)).value;
}

/** What was read, with its tag. */
export interface Read {
  readonly value: unknown;
  readonly etag: string | undefined;
}

/** Reads as an installation, unless it is as it was under this tag: `undefined` then. Fails as `askAs` does. */
export async function readAs(
  asking: Asking,
  path: string,
  etag: string | undefined,
  milliseconds: number,
): Promise<Read | undefined> {
  const headers = { ...bearerOf(asking), ...(etag === undefined ? {} : { "if-none-match": etag }) };
  const { status, ...read } = await answerOf(asking.server, path, { headers }, milliseconds);
  return status === 304 ? undefined : read;
}

const bearerOf = ({ credential }: Asking) => ({ authorization: `Bearer ${credential}` });

async function answerOf(server: string, path: string, init: RequestInit, milliseconds: number) {
  const signal = AbortSignal.timeout(milliseconds);
  try {
    const response = await fetch(`${server.replace(/\/+$/, "")}${path}`, { ...init, signal, redirect: "error" });
    const { status } = response;
    const etag = response.headers.get("etag") ?? undefined;
    if (status === 304) return { status, value: undefined, etag };
    const value: unknown = await response.json();
    if (response.ok) return { status, value, etag };
    const { title, detail, code } = Object(value);
    throw new Refused(status, `${title ?? status}${detail ? `: ${detail}` : ""} (${code ?? "?"})`);
  } catch (error) {
    if (error instanceof Failure) throw error;
    if (signal.aborted) throw new Failure(`${server} has not answered within ${milliseconds / 1_000} seconds`);
    throw new Failure(`${server} cannot be reached, or its answer is not of Reeve`);
  }
}
