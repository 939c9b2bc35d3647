import { spawn } from "node:child_process";
import { once } from "node:events";
import { freePort } from "@reeve/testkit/postgres";
import { exportJWK, generateKeyPair } from "jose";
import { inject } from "vitest";
import type { Options } from "../../src/index.js";
import type { Address } from "./address.js";
import { undoLater } from "./undo.js";

/** The settings of a server process. Options must be serialisable as JSON. */
export interface ServerSetting {
  readonly adapter: "express" | "fastify";
  readonly port: number;
  readonly address: Address;
  readonly config: Partial<Omit<Options, "onEvent" | "authenticate">>;
}

/**
 * Starts a Node process and waits until it is ready. It stops at the end of the test, or of the file when a hook
 * started it.
 */
async function start(program: "server" | "issuer", setting: object): Promise<{ stop(): Promise<void> }> {
  const file = inject("programs")[`packages/core/test/helpers/${program}-process.ts`];
  const child = spawn(process.execPath, [file, JSON.stringify(setting)], {
    env: { PATH: process.env.PATH },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const stop = async () => {
    child.kill("SIGKILL");
    await exited;
  };
  undoLater(stop);
  await Promise.race([
    once(child.stdout, "data"),
    exited.then(([code]) => Promise.reject(new Error(`the ${program} has ended (${code})`))),
  ]);
  return { stop };
}

/** Starts a control plane with an HTTP server. Returns its address. */
export async function startServer(setting: Omit<ServerSetting, "port">, port?: number): Promise<string> {
  const at = port ?? (await freePort());
  await start("server", { ...setting, port: at });
  return `http://127.0.0.1:${at}`;
}

/** The clients of an issuer, and the claims of their tokens. */
export type IssuerClients = Readonly<Record<string, { readonly secret: string; readonly claims: object }>>;

/** The settings of an issuer process. */
export interface IssuerSetting {
  readonly port: number;
  readonly audience: string;
  readonly clients: IssuerClients;
  readonly keys: readonly object[];
}

/** Starts an OIDC issuer with a new key. Returns its address and a function that gets tokens. */
export async function startIssuer(audience: string, clients: IssuerClients) {
  const port = await freePort();
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  const keys = [{ ...(await exportJWK(privateKey)), alg: "RS256", use: "sig", kid: `of ${port}` }];
  await start("issuer", { port, audience, clients, keys });
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    async tokenOf(client: string): Promise<string> {
      const body = new URLSearchParams({ grant_type: "client_credentials" });
      const credentials = Buffer.from(`${client}:${clients[client]?.secret}`).toString("base64");
      const answer = await fetch(`${url}/token`, {
        method: "POST",
        body,
        headers: { authorization: `Basic ${credentials}` },
      });
      const { access_token: token } = (await answer.json()) as { access_token?: string };
      if (token === undefined) throw new Error(`the issuer answered ${answer.status}`);
      return token;
    },
  };
}
