import { randomBytes } from "node:crypto";
import type { Client, Json } from "../client.js";
import { expectSame } from "../expectation.js";
import { CODE } from "../mailbox.js";
import { chapter, done, note, refused } from "../page.js";
import type { Story } from "../story.js";
import type { Person } from "../wire.js";

/** A random passphrase, new in every run. */
export const newPassword = () => randomBytes(18).toString("base64url");

/** Registers a tenant with its owner, who verifies the address by a mailed code and signs in. */
export async function register({ server, mailbox }: Story, organization: string, name: string, mark: string) {
  const username = `${name.toLowerCase()}@${mark}.example`;
  const password = newPassword();
  await server.post("/api/v1/email/send-otp", { email: username }, { expect: 200 });
  const otp = await mailbox.find(username, CODE);
  const proof = { email: username, otp };
  const proven = await server.post<{ verificationToken: string }>("/api/v1/email/verify-otp", proof, { expect: 200 });
  await server.post("/api/v1/email/verify-otp", proof, { expect: 400, code: "invalid_otp" });
  const { verificationToken } = proven.body;
  const { body } = await server.post<{ tenantUrl: string }>("/api/v1/register", {
    organization,
    username,
    password,
    name,
    verificationToken,
  });
  return { person: await signIn(server, username, password), tenantUrl: body.tenantUrl, username, password };
}

export async function signIn(server: Client, username: string, password: string): Promise<Person> {
  const { body } = await server.post<{ token: string; user: { id: string; name: string } }>(
    "/api/v1/auth/signin",
    { username, password },
    { expect: 200 },
  );
  return { name: body.user.name, userId: body.user.id, client: server.as(body.token) };
}

export async function ownTenant(story: Story): Promise<void> {
  chapter("A tenant of our own", "Registration makes a tenant and its owner; a bearer token opens it.");
  const { body: ping } = await story.server.get<{ status: string }>("/api/v1/monitor/ping");
  expectSame("the service says it is well", ping.status, "ok");
  done(`The service at ${story.server.baseUrl} is well`);

  const { person, tenantUrl, username, password } = await register(story, `Acme ${story.mark}`, "Ada", story.mark);
  story.ada = person;
  story.adaSignsInBy = { username, password };
  done(`A code mailed to ${username} proves the address; a second time it is worth nothing`);
  done(`Acme ${story.mark} is registered (${tenantUrl})`);
  done(`${username}, its owner, has signed in`);

  await story.server.get("/api/v1/ai-assets", { expect: 401, code: "token_missing" });
  refused("Without a token the estate stays closed: 401 token_missing");
  const wrong = { username, password: newPassword() };
  await story.server.post("/api/v1/auth/signin", wrong, { expect: 401, code: "invalid_credentials" });
  refused("A wrong password: 401 invalid_credentials");
  story.refusals += 3;

  const { body: estate } = await person.client.get<Json>("/api/v1/ai-assets");
  expectSame("a new tenant has no assets", estate.totalItems, 0);
  note("The estate is empty. That is about to change.");
}
