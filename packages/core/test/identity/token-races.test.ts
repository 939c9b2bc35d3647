import { generateKeyPairSync } from "node:crypto";
import { type Actor, type Answer, createWorld, type World } from "@reeve/testkit";
import { SignJWT } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import { collections } from "#reference/index.js";
import { PLATFORM_TENANT, ulidSource } from "#testing/index.js";
import { storeAt } from "../helpers/address.js";
import { type Command, Planes, sending, tick } from "../helpers/planes.js";
import { emptyDatabase } from "../helpers/stores.js";
import { undoLater } from "../helpers/undo.js";

const ROUNDS = 5;
const DAY = 86_400_000;
const TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const rounds = Array.from({ length: ROUNDS }, (_, round) => round);

describe.each(["sqlite", "postgres"] as const)("tokens in two processes on one %s database", (kind) => {
  let world: World;
  let planes: Planes;
  beforeAll(async () => {
    const address = await emptyDatabase(kind);
    const store = storeAt(address);
    undoLater(() => store.close());
    const config = { tokenLifetime: 86_400, refreshTokenLifetime: 7_776_000, signingKeyDays: 1 };
    world = await createWorld({ ...config, store, ids: ulidSource() });
    planes = await Planes.start(2, { address, config });
    // The first grant of a process loads modules. On a busy machine that takes longer than a write waits for its lock.
    await planes.all(refreshing("rt_unknown"));
  });

  const grant = (body: object): Command => sending("POST", "/api/v1/auth/token", { body });
  const refreshing = (refresh_token: string) => grant({ grant_type: "refresh_token", refresh_token });
  const reading = (token: string) => sending("GET", "/api/v1/ai-assets", { token });
  const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status);
  const advance = (milliseconds: number) => {
    world.clock.advance(milliseconds);
    planes.now = new Date(world.clock.now()).toISOString();
  };
  const anActor = (): Promise<Actor> => world.a.newUser(["operator"]);

  it.each(rounds)("give one successor to a refresh token, and end its family (round %i)", async () => {
    const { token, refreshToken } = await anActor();
    const answers = await planes.race(() => Array.from({ length: 4 }, () => refreshing(refreshToken)));
    const winners = answers.filter(({ status }) => status === 200);
    expect(winners).toHaveLength(1);
    expect(new Set(answers.filter(({ status }) => status !== 200).map(({ json }) => json.error))).toEqual(
      new Set(["invalid_grant"]),
    );
    const { access_token, refresh_token } = winners[0]?.json ?? {};
    advance(5_000);
    expect(statuses(await planes.all(reading(token), reading(access_token)))).toEqual([401, 401, 401, 401]);
    expect(statuses(await planes.all(refreshing(refresh_token)))).toEqual([400, 400]);
  });

  it.each(rounds)("keep at most one of a refresh and a sign-out that meet (round %i)", async () => {
    const { token, refreshToken } = await anActor();
    const [refreshed, signedOut] = await planes.race((process) =>
      process === 0 ? [refreshing(refreshToken)] : [sending("POST", "/api/v1/auth/signout", { token })],
    );
    expect(signedOut?.status).toBe(204);
    advance(5_000);
    expect(statuses(await planes.all(reading(token)))).toEqual([401, 401]);
    if (refreshed?.status === 200) {
      const { access_token, refresh_token } = refreshed.json;
      expect(statuses(await planes.all(reading(access_token)))).toEqual([401, 401]);
      expect(statuses(await planes.all(refreshing(refresh_token)))).toEqual([400, 400]);
    } else expect(refreshed?.json.error).toBe("invalid_grant");
  });

  it.each(rounds)("take a client's assertion once (round %i)", async (round) => {
    const id = await world.a.newIdentity();
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    await world.a.newCredential(id, { publicJwk: { ...publicKey.export({ format: "jwk" }), alg: "ES256" } });
    const exp = Math.floor(world.clock.now() / 1_000) + 60;
    const claims = { iss: id, sub: id, aud: "https://reeve.example", exp, jti: `once ${round}` };
    const client_assertion = await new SignJWT(claims).setProtectedHeader({ alg: "ES256" }).sign(privateKey);
    const body = { grant_type: "client_credentials", client_assertion, client_assertion_type: TYPE };
    const answers = await planes.race(() => Array.from({ length: 4 }, () => grant(body)));
    expect(statuses(answers).sort()).toEqual([200, ...Array(7).fill(401)]);
  });

  it.each(rounds)("see within five seconds what the other has ended (round %i)", async () => {
    const { token, refreshToken } = await anActor();
    const id = await world.a.newIdentity();
    const { clientSecret, id: credentialId } = await world.a.newCredential(id);
    const credentials = { grant_type: "client_credentials", client_id: id, client_secret: clientSecret };
    const [given] = await planes.race((process) => (process === 0 ? [grant(credentials)] : []));
    const machine = given?.json.access_token as string;
    expect(statuses(await planes.all(reading(token), reading(machine)))).toEqual([200, 200, 200, 200]);
    const path = `/api/v1/ai/identities/${id}/credentials/${credentialId}`;
    await planes.race((process) =>
      process === 0
        ? [sending("POST", "/api/v1/auth/revoke", { body: { token: refreshToken } })]
        : [sending("DELETE", path, { token: world.a.owner.token })],
    );
    advance(5_000);
    expect(statuses(await planes.all(reading(token), reading(machine)))).toEqual([401, 401, 401, 401]);
    expect(statuses(await planes.all(refreshing(refreshToken)))).toEqual([400, 400]);
    expect(statuses(await planes.all(grant(credentials)))).toEqual([401, 401]);
  });

  it.each(rounds)("replace the signing key once when both tick, and take each other's tokens (round %i)", async () => {
    advance(DAY);
    const before = await keys();
    await planes.all(tick, tick);
    const after = await keys();
    expect(after.filter((kid) => !before.includes(kid))).toHaveLength(1);
    advance(10_000);
    const { username, password } = world.a.owner;
    const signIn = sending("POST", "/api/v1/auth/signin", { body: { username, password } });
    const signedIn = await planes.all(signIn);
    for (const { json } of signedIn) expect(statuses(await planes.all(reading(json.token)))).toEqual([200, 200]);
  });

  async function keys(): Promise<string[]> {
    const collection = collections.find(({ name }) => name === "signing_keys") as (typeof collections)[number];
    return (await world.store.forTenant(PLATFORM_TENANT).scan(collection, { size: 100 })).map(({ id }) => id);
  }
});
