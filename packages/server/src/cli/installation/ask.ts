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

/** Posts as an installation. Throws a `Refused`, or a `Failure` where no answer came within `milliseconds`. */
export async function askAs(
  { server, credential }: Pick<InstallationFile, "server" | "credential">,
  path: string,
  body: string,
  milliseconds: number,
): Promise<unknown> {
  return post(server, path, body, milliseconds, { authorization: `Bearer ${credential}` });
}

/** Posts without a credential, as `askAs` does. */
export async function post(
  server: string,
  path: string,
  body: string,
  milliseconds: number,
  headers: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const signal = AbortSignal.timeout(milliseconds);
  const init = { method: "POST", body, signal, headers: { "content-type": "application/json", ...headers } };
  try {
    const response = await fetch(`${server.replace(/\/+$/, "")}${path}`, { ...init, redirect: "error" });
    const answer: unknown = await response.json();
    if (response.ok) return answer;
    const { title, detail, code } = Object(answer);
    throw new Refused(response.status, `${title ?? response.status}${detail ? `: ${detail}` : ""} (${code ?? "?"})`);
  } catch (error) {
    if (error instanceof Failure) throw error;
    if (signal.aborted) throw new Failure(`${server} has not answered within ${milliseconds / 1_000} seconds`);
    throw new Failure(`${server} cannot be reached, or its answer is not of Reeve`);
  }
}
