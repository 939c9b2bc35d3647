import { freePort } from "@reeve/testkit/postgres";
import { createEmulator } from "emulate";

interface Named {
  readonly id: string;
  readonly profile: { readonly login?: string; readonly name?: string };
}

/** A search that finds bob. The emulator looks for its text in names, so it is his last name. */
export const BOB = 'profile.login sw "bob"';

/**
 * An emulator of Okta, which is not Okta: it takes any token, does not read searches as expressions, ignores `limit`,
 * and numbers its pages. It has the users ann, bob, cyd and dan, and these groups beside its own.
 */
export async function startOkta(names: readonly string[]) {
  const port = await freePort();
  const emulator = await createEmulator({
    service: "okta",
    port,
    seed: {
      okta: {
        users: ["ann", "bob", "cyd", "dan"].map((name) => ({
          login: `${name}@acme.example`,
          email: `${name}@acme.example`,
          first_name: name,
          last_name: name === "bob" ? BOB : "Acme",
        })),
        groups: names.map((name) => ({ name })),
      },
    },
  });
  const headers = { authorization: "SSWS of-the-tests", "content-type": "application/json" };
  const read = async (path: string) =>
    (await (await fetch(`${emulator.url}/api/v1/${path}`, { headers })).json()) as readonly Named[];
  const users = await read("users?per_page=100");
  const groups = await read("groups?per_page=100");
  return {
    url: emulator.url,
    address: { host: new URL(emulator.url).hostname, port },
    idOf: (name: string) => users.find(({ profile }) => profile.login?.startsWith(name))?.id ?? "",
    group: (name: string) => groups.find(({ profile }) => profile.name === name)?.id ?? "",
    /** What the emulator says without the connector. */
    groups: async () => (await read("groups?per_page=100")).map(({ id }) => id),
    membersOf: async (group: string) => (await read(`groups/${group}/users?per_page=100`)).map(({ id }) => id),
    async send(method: "PUT" | "DELETE", path: string, body?: unknown): Promise<void> {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const { ok, status } = await fetch(`${emulator.url}/api/v1/${path}`, { method, headers, ...sent });
      if (!ok) throw new Error(`${method} ${path} was answered ${status}`);
    },
    close: () => emulator.close(),
  };
}
