import { collections } from "@reeve/core/reference";
import type { Store, StoredRecord } from "@reeve/core/store";
import { PLATFORM_TENANT, ulidSource } from "@reeve/core/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Answer, codeIn, createPlane, createScene, type Scene } from "../world/index.js";
import { countedHasher } from "./counted-hasher.js";

export interface CredentialContractOptions {
  readonly name: string;
  /** Creates an empty database. Each `open` returns a store on it, as another process would have. */
  create(): Promise<{ open(): Promise<Store>; dispose(): Promise<void> }>;
}

const PASSWORD = "quite a long pass phrase 9";
const MINUTE = 60_000;
const times = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));
const statuses = (answers: readonly Answer[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { status, json } of answers) {
    const name = status < 400 ? String(status) : `${status} ${json.code}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
};

/**
 * Declares the rules for concurrent uses of codes, links and passwords as vitest cases, on two control planes that
 * share a database. Each secret works once, and no more guesses are compared than allowed.
 */
export function describeCredentialContract(options: CredentialContractOptions): void {
  describe(`credentials at once: ${options.name}`, { timeout: 60_000 }, () => {
    type Plane = ReturnType<typeof createPlane>;
    let hasher: ReturnType<typeof countedHasher>;
    let planes: [Plane, Plane];
    let database: Awaited<ReturnType<CredentialContractOptions["create"]>>;

    beforeEach(async () => {
      database = await options.create();
      hasher = countedHasher();
      const plane = async () => createPlane({ store: await database.open(), hasher, ids: ulidSource() });
      planes = [await plane(), await plane()];
    });
    afterEach(async () => {
      for (const { controlPlane } of planes) await controlPlane.close();
      await database.dispose();
    });

    const post = (index: number, path: string, body: unknown, remoteAddress?: string): Promise<Answer> => {
      const plane = planes[index % 2] as Plane;
      return plane.send("POST", `/api/v1${path}`, { body, ...(remoteAddress ? { remoteAddress } : {}) });
    };
    const aScene = (name = "alpha"): Promise<Scene> => createScene(planes[0], name);
    const platformRows = (name: string) => rowsOf(planes[1].store, PLATFORM_TENANT, name);

    async function aCode(email: string): Promise<string> {
      expect((await post(0, "/email/send-otp", { email })).status).toBe(200);
      return codeIn(await planes[0].mailbox.next(email));
    }

    async function aProof(email: string): Promise<string> {
      const otp = await aCode(email);
      return (await post(0, "/email/verify-otp", { email, otp })).json.verificationToken;
    }

    it("takes one of a hundred correct codes", async () => {
      const email = "ada@acme.example";
      const otp = await aCode(email);
      const answers = await times(100, (index) => post(index, "/email/verify-otp", { email, otp }, `192.0.2.${index}`));
      expect(statuses(answers)).toEqual({ 200: 1, "400 invalid_otp": 99 });
      expect(await platformRows("address_proofs")).toHaveLength(1);
    });

    it("compares five of five hundred wrong codes, and then not even the right one", async () => {
      const email = "ada@acme.example";
      const otp = await aCode(email);
      const wrong = otp === "00000000" ? "00000001" : "00000000";
      const answers = await times(500, (index) =>
        post(index, "/email/verify-otp", { email, otp: wrong }, `192.0.2.${index % 250}`),
      );
      expect(statuses(answers)).toEqual({ "400 invalid_otp": 100, "429 too_many_attempts": 400 });
      expect(await platformRows("one_time_codes")).toEqual([expect.objectContaining({ tries: 5 })]);
      expect((await post(1, "/email/verify-otp", { email, otp }, "198.51.100.1")).status).toBe(429);
      expect(await platformRows("address_proofs")).toEqual([]);
    });

    it("founds one tenant by one verification token", async () => {
      const username = "ada@acme.example";
      const verificationToken = await aProof(username);
      const register = (plane: Plane, remoteAddress: string) =>
        plane.send("POST", "/api/v1/register", {
          body: { organization: "Acme", username, password: PASSWORD, verificationToken },
          remoteAddress,
        });
      const strict = await Promise.all(
        planes.map(async () =>
          createPlane({ store: await database.open(), hasher, ids: ulidSource(), registration: "verified_email" }),
        ),
      );
      const answers = await times(20, (index) => register(strict[index % 2] as Plane, `192.0.2.${index}`));
      const found = statuses(answers);
      expect(found[201]).toBe(1);
      expect(Object.keys(found).filter((key) => !/^(201|400 invalid_otp|409 already_exists)$/.test(key))).toEqual([]);
      const { rows } = await planes[0].store.platform.find(collectionNamed("tenants"), { size: 10 });
      expect(rows).toHaveLength(1);
      expect(await platformRows("address_proofs")).toEqual([]);
      for (const { controlPlane } of strict) await controlPlane.close();
    });

    it("keeps the token when the tenant cannot be founded", async () => {
      await aScene();
      const username = "ada@acme.example";
      const verificationToken = await aProof(username);
      const strict = createPlane({
        store: await database.open(),
        hasher,
        ids: ulidSource(),
        registration: "verified_email",
      });
      const register = (subdomain: string) =>
        strict.send("POST", "/api/v1/register", {
          body: { organization: "Acme", username, password: PASSWORD, verificationToken, subdomain },
        });
      const { json } = await post(0, "/register", {
        organization: "Taken",
        username: "taken@example.test",
        password: PASSWORD,
        subdomain: "taken",
      });
      expect(json.subdomain).toBe("taken");
      expect((await register("taken")).json.code).toBe("already_exists");
      expect((await register("free-one")).status).toBe(201);
      expect((await register("free-two")).json.code).toBe("invalid_otp");
      await strict.controlPlane.close();
    });

    it("lets one of fifty use a link", async () => {
      const scene = await aScene();
      const userId = await scene.newInvited();
      const { address, secret: token } = scene.mailed;
      const answers = await times(50, (index) =>
        post(index, "/auth/set-password", { token, newPassword: `${PASSWORD} ${index}` }, `192.0.2.${index}`),
      );
      expect(statuses(answers)).toMatchObject({ 200: 1 });
      const winner = answers.findIndex(({ status }) => status === 200);
      const signIn = (index: number) =>
        post(0, "/auth/signin", { username: address, password: `${PASSWORD} ${index}` }, "198.51.100.7");
      expect((await signIn(winner)).json.user.id).toBe(userId);
      expect((await signIn(winner === 0 ? 1 : 0)).status).toBe(401);
      expect(await rowsOf(planes[1].store, scene.tenantId, "password_links")).toEqual([]);
    });

    it("compares for ten of two hundred passwords, whichever process is asked", async () => {
      const { username, password } = (await aScene()).owner;
      hasher.verified = 0;
      const answers = await times(200, (index) =>
        post(index, "/auth/signin", { username, password: `wrong ${index}` }),
      );
      const { rows } = await planes[0].store.platform.find(collectionNamed("tenants"), { size: 3 });
      expect(hasher.verified).toBe(10 * rows.length);
      expect(statuses(answers)).toEqual({ "401 invalid_credentials": 10, "429 too_many_attempts": 190 });
      expect((await post(1, "/auth/signin", { username, password })).status).toBe(429);
      for (const { clock } of planes) clock.advance(15 * MINUTE);
      expect((await post(1, "/auth/signin", { username, password })).status).toBe(200);
    });

    it("counts every one of many different callers, and forgets them when their time has passed", async () => {
      await times(300, (index) =>
        post(index, "/auth/signin", { username: `u${index}@example.test`, password: "x" }, `10.0.${index}.1`),
      );
      const rows = await platformRows("attempts");
      expect(rows.filter(({ used }) => used === 1)).toHaveLength(900);
      await aCode("ada@acme.example");
      await aProof("eve@acme.example");
      planes[0].clock.advance(61 * MINUTE);
      await planes[0].controlPlane.tick();
      for (const name of ["one_time_codes", "address_proofs"]) expect(await platformRows(name)).toEqual([]);
      // That somebody has signed in from an address is remembered for a month.
      expect(await platformRows("attempts")).toMatchObject([{ used: 1 }]);
      planes[0].clock.advance(30 * 24 * 60 * MINUTE);
      await planes[0].controlPlane.tick();
      expect(await platformRows("attempts")).toEqual([]);
    });

    it("keeps no secret and no address in the clear", async () => {
      const scene = await aScene();
      await scene.newInvited();
      const { secret } = scene.mailed;
      const otp = await aCode("ada@acme.example");
      const proof = await aProof("eve@acme.example");
      const kept = [
        ...(await rowsOf(planes[0].store, scene.tenantId, "password_links")),
        ...(await Promise.all(["attempts", "one_time_codes", "address_proofs"].map(platformRows))).flat(),
      ];
      expect(kept.length).toBeGreaterThan(3);
      const text = JSON.stringify(kept);
      for (const plain of [secret, otp, proof, "acme.example", "192.0.2.1"]) expect(text).not.toContain(plain);
    });
  });
}

function collectionNamed(name: string) {
  const collection = collections.find((candidate) => candidate.name === name);
  if (!collection) throw new Error(`there is no collection ${name}`);
  return collection;
}

async function rowsOf(store: Store, tenantId: string, name: string): Promise<(StoredRecord & { used?: number })[]> {
  const rows = await store.forTenant(tenantId).scan(collectionNamed(name), { size: 1_000 });
  return rows.map((row) => row.value);
}
