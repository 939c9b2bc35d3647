import { record } from "./answer.js";
import type { Backend } from "./backend.js";
import { openWatch } from "./http-watch.js";
import { AnswerError, type Send } from "./send.js";
import { type Credential, tokens } from "./tokens.js";

/** Where Reeve is, and who asks. */
export interface HttpOptions {
  /** The address that Reeve is served at, with its prefix if it has one. */
  readonly baseUrl: string | URL;
  /** A token, a function that gives one, or the client id and secret of an AI identity. */
  readonly credential: Credential;
  /** In place of the global `fetch`. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/** Asks Reeve over HTTP, at the door for AuthZEN. */
export function http({ baseUrl, credential, fetch = globalThis.fetch }: HttpOptions): Backend {
  const base = String(baseUrl).replace(/[/]+$/, "");
  const token = tokens(base, credential, fetch);
  const send: Send = async (method, path, body, signal) => {
    for (let isFirst = true; ; isFirst = false) {
      const response = await fetch(base + path, {
        method,
        // An answer from elsewhere is no decision of this Reeve.
        redirect: "error",
        headers: { authorization: `Bearer ${await token(!isFirst, signal)}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(signal ? { signal } : {}),
      });
      if (response.status === 401 && isFirst && token.renews) {
        await response.body?.cancel();
        continue;
      }
      if (!response.ok) {
        await response.body?.cancel();
        throw new AnswerError(response.status);
      }
      const answer = record(await response.json());
      if (!answer) throw new TypeError("The answer is no object.");
      return answer;
    }
  };
  return {
    decide: (question, signal) => send("POST", "/access/v1/evaluation", question, signal),
    readApproval: (id, signal) =>
      send("GET", `/api/v1/ai-governance/approvals/${encodeURIComponent(id)}`, undefined, signal),
    watch: (options) => openWatch(send, options),
  };
}
