import type { Store } from "@reeve/core/store";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Answer } from "../world/client.js";
import type { Scene } from "../world/scene.js";
import { createWorld, type World } from "../world/world.js";

const AT_ONCE = 8;
const ASSETS = "/api/v1/ai-assets";
const IDENTITIES = "/api/v1/ai/identities";

interface Listed {
  readonly id: string;
  readonly name: string;
  readonly assetId: string;
}

/** Declares races of assets, AI identities and their credentials as vitest cases, on a store of the caller. */
export function describeEstateRaces(options: {
  readonly name: string;
  create(): Promise<{ readonly store: Store; dispose(): Promise<void> }>;
}): void {
  describe(`estate races: ${options.name}`, { timeout: 120_000 }, () => {
    let world: World;
    let dispose: () => Promise<void>;
    beforeEach(async () => {
      const made = await options.create();
      dispose = made.dispose;
      world = await createWorld({ store: made.store });
    });
    afterEach(() => dispose());

    const as = (scene: Scene) => ({ token: scene.owner.token });
    const send = (method: string, path: string, body?: object) => world.send(method, path, { ...as(world.a), body });
    const atOnce = (work: (index: number) => Promise<Answer>) =>
      Promise.all(Array.from({ length: AT_ONCE }, (_, index) => work(index)));
    const outcomes = (answers: readonly Answer[]) => answers.map(({ status, json }) => json?.code ?? status).sort();
    const all = async (path: string): Promise<Listed[]> => (await send("GET", `${path}?size=100`)).json.items;

    /** Every asset of type `identity` has exactly one identity of its name, and vice versa. */
    async function expectJoined(): Promise<number> {
      const assets = (await send("GET", `${ASSETS}?assetType=identity&size=100`)).json.items as Listed[];
      const identities = await all(IDENTITIES);
      const pairs = identities.map(({ assetId, name }) => `${assetId} ${name}`).sort();
      expect(pairs).toEqual(assets.map(({ id, name }) => `${id} ${name}`).sort());
      return pairs.length;
    }

    it("of identities with one issuer and subject one is made, and the others leave no asset", async () => {
      const before = await expectJoined();
      const body = { issuer: "https://issuer.example", subject: "one" };
      const answers = await atOnce(() => send("POST", IDENTITIES, body));
      expect(outcomes(answers)).toEqual([201, ...Array(AT_ONCE - 1).fill("already_exists")]);
      expect(await expectJoined()).toBe(before + 1);
      expect((await world.send("POST", IDENTITIES, { ...as(world.b), body })).status).toBe(201);
    });

    it("one of several rotations of a credential succeeds", async () => {
      const id = await world.a.newIdentity();
      const credential = await world.a.newCredential(id);
      const path = `${IDENTITIES}/${id}/credentials`;
      const answers = await atOnce(() => send("POST", `${path}/${credential.id}/rotate`));
      expect(outcomes(answers)).toEqual([201, ...Array(AT_ONCE - 1).fill("invalid_transition")]);
      const listed = (await send("GET", path)).json.items as { status: string; replacedBy: string | null }[];
      expect(listed.map(({ status }) => status).sort()).toEqual(["active", "superseded"]);
    });

    it("an identity keeps to its number of credentials", async () => {
      const id = await world.a.newIdentity();
      const answers = await Promise.all(
        [0, 1].map(() => atOnce(() => send("POST", `${IDENTITIES}/${id}/credentials`))),
      );
      const codes = outcomes(answers.flat());
      expect(codes).toEqual([...Array(10).fill(201), ...Array(AT_ONCE * 2 - 10).fill("limit_exceeded")]);
    });

    it("assets and identities stay joined, whichever is made, renamed or deleted", async () => {
      const ids = await Promise.all(Array.from({ length: AT_ONCE }, () => world.a.newIdentity()));
      const pairs = (await all(IDENTITIES)).filter(({ id }) => ids.includes(id));
      const work = pairs.flatMap(({ id, assetId }, index) => [
        send("PUT", `${ASSETS}/${assetId}`, { name: `asset ${index}` }),
        send("PUT", `${IDENTITIES}/${id}`, { name: `identity ${index}` }),
        send("POST", ASSETS, { assetType: "identity", name: `new asset ${index}` }),
        send("POST", `${IDENTITIES}/${id}/credentials`),
        index % 2 === 0 ? send("DELETE", `${ASSETS}/${assetId}`) : send("DELETE", `${IDENTITIES}/${id}`),
      ]);
      const statuses = (await Promise.all(work)).map(({ status }) => status);
      expect(statuses.filter((status) => ![200, 201, 204, 404].includes(status))).toEqual([]);
      await expectJoined();
      for (const { id, assetId } of pairs) {
        expect([
          (await send("GET", `${IDENTITIES}/${id}`)).status,
          (await send("GET", `${ASSETS}/${assetId}`)).status,
        ]).toEqual([404, 404]);
      }
    });

    it("a deleted identity acts no more, whatever was under way", async () => {
      const id = await world.a.newIdentity();
      await world.a.newCredential(id);
      const { controlPlane, a } = world;
      const use = () =>
        controlPlane.principalOf(a.tenantId, id).then(
          ({ kind }) => kind,
          (error: { code: string }) => error.code,
        );
      expect(await use()).toBe("client");
      const uses = Array.from({ length: AT_ONCE }, use);
      const deleted = send("DELETE", `${IDENTITIES}/${id}`);
      uses.push(...Array.from({ length: AT_ONCE }, use));
      expect((await deleted).status).toBe(204);
      expect(await use()).toBe("invalid_token");
      for (const outcome of await Promise.all(uses)) expect(["client", "invalid_token"]).toContain(outcome);
      expect(await use()).toBe("invalid_token");
      await expect(controlPlane.principalOf(world.b.tenantId, id)).rejects.toMatchObject({ code: "invalid_token" });
    });
  });
}
