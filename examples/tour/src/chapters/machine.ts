import { expectSame, expectTrue } from "../expectation.js";
import { chapter, done, note, refused } from "../page.js";
import { known, type Story } from "../story.js";
import type { List } from "../wire.js";

interface Identity {
  readonly id: string;
  readonly assetId: string;
}

interface Issued {
  readonly id: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A machine client signs in by its credential, does its work, and is refused after the credential is revoked. */
export async function cutOffMachine(story: Story): Promise<void> {
  chapter(
    "A machine client",
    "It has an identity of its own, does what it was given and nothing else, and can be cut off.",
  );
  const ada = known(story.ada, "Ada").client;
  const identity = (
    await ada.post<Identity>("/api/v1/ai/identities", {
      name: "Nightly inventory",
      kind: "workload",
      scopes: ["ai-asset:read"],
    })
  ).body;
  done("Ada registers the identity “Nightly inventory”, with ai-asset:read and no more");
  const credentials = `/api/v1/ai/identities/${identity.id}/credentials`;
  const { body: issued } = await ada.post<Issued>(credentials, { name: "inventory job" });
  const { text } = await ada.get(credentials);
  expectTrue("no list shows the secret again", !text.includes(issued.clientSecret), "the secret");
  done("Its client secret is shown once; no list shows it again");

  const grant = { grant_type: "client_credentials", client_id: issued.clientId, client_secret: issued.clientSecret };
  const signedIn = await story.server.post<{ access_token: string; expires_in: number }>("/api/v1/auth/token", grant, {
    expect: 200,
  });
  const machine = story.server.as(signedIn.body.access_token);
  const { body: estate } = await machine.get<List<unknown>>("/api/v1/ai-assets");
  done(`It signs in and counts ${estate.totalItems} assets`);
  await machine.post("/api/v1/ai-assets", { name: "Sleeper" }, { expect: 403, code: "permission_denied" });
  refused("It registers an asset of its own: 403 permission_denied");

  await ada.remove(`${credentials}/${issued.id}`);
  done("Ada revokes the credential");
  await machine.get("/api/v1/ai-assets", { expect: 401, code: "invalid_token" });
  refused(`Its token, good for ${Math.round(signedIn.body.expires_in / 60)} minutes more: 401 invalid_token`);
  const { body } = await story.server.post<{ error: string }>("/api/v1/auth/token", grant, { expect: 401 });
  expectSame("the credential is worth nothing", body.error, "invalid_client");
  refused("Signing in again: 401 invalid_client");
  note("Whatever it had done by then stays in the record, under its own name.");
  story.refusals += 3;
}
