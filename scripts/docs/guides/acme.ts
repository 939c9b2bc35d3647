import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { reeveListener } from "@reeve/adapter-http";
import { type Client, createClient } from "@reeve/client";
import type { ControlPlane, ControlPlaneConfig } from "@reeve/core";
import { createPlane } from "@reeve/testkit";
import { counted } from "./calls.js";

const PASSWORD = "seven green lanterns at dusk";

/** Closes what hosts have opened, newest first. */
const closing: (() => unknown)[] = [];

/** Has something closed when the page is done. */
export function afterPage(close: () => unknown): void {
  closing.unshift(close);
}

export async function closeHosts(): Promise<void> {
  for (const close of closing.splice(0)) await close();
}

/** Serves a control plane on a free port. Returns its address. */
export async function serve(controlPlane: ControlPlane): Promise<string> {
  const server = createServer(reeveListener(controlPlane)).listen(0, "127.0.0.1");
  await once(server, "listening");
  afterPage(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A person of Acme: in process, over HTTP, and by token. */
export interface Person {
  readonly userId: string;
  readonly username: string;
  readonly password: string;
  readonly token: string;
  readonly refreshToken: string;
  readonly client: Client;
}

/** A service with the tenant Acme, its owner Ada, its approver Grace and its governance officer Joan. */
export async function newAcme(config: Partial<ControlPlaneConfig> = {}) {
  const plane = createPlane(config);
  const base = await serve(counted(plane.controlPlane));
  const as = (token: string) => createClient({ baseUrl: base, token });
  const nobody = createClient({ baseUrl: base });
  const ada = { username: "ada@acme.example", password: PASSWORD };
  const grace = { username: "grace@acme.example", password: PASSWORD };
  const { data: registered } = await nobody.POST("/api/v1/register", { body: { organization: "Acme Ltd", ...ada } });
  const signIn = async (userId: string, credentials: typeof ada): Promise<Person> => {
    const { data } = await nobody.POST("/api/v1/auth/signin", { body: credentials });
    const { token, refreshToken } = data;
    return { userId, ...credentials, token, refreshToken, client: as(token) };
  };
  const owner = await signIn(registered.userId, ada);
  const { data: made } = await owner.client.POST("/api/v1/users", { body: { ...grace, roles: ["approver"] } });
  const approver = await signIn(made.id, grace);
  const joan = { username: "joan@acme.example", password: PASSWORD };
  const { data: third } = await owner.client.POST("/api/v1/users", {
    body: { ...joan, roles: ["governance_officer"] },
  });
  const officer = await signIn(third.id, joan);
  const principal = await plane.controlPlane.principalOf(registered.tenantId, owner.userId);
  afterPage(() => plane.controlPlane.close());
  const env = { BASE: base, TOKEN: owner.token };
  return { ...plane, base, tenantId: registered.tenantId, nobody, as, owner, approver, officer, principal, env };
}
