import type { GrantSpec } from "@reeve/core/connectors";
import { expect } from "vitest";
import { listAll } from "../../calls.js";
import type { Bench } from "../bench.js";
import type { ConformanceCase } from "../case.js";
import type { Access } from "../target.js";
import { accessKey, changed, comparable, has } from "../truth.js";

/** Answers of one write that somebody else comes before, at most. */
const HOLDS = 16;

/** What grants, revocations and changes do, by the oracle. */
export const accessCases: readonly ConformanceCase[] = [
  {
    name: "a grant adds that access and touches no other",
    needs: ["grant"],
    run: (bench) =>
      expectChange(bench, { added: [bench.access.wanted[0]] }, async () => {
        expect(await bench.outcomeOf(bench.calls().grant(bench.access.wanted[0]))).toBe("applied");
      }),
  },
  {
    name: "a grant that is there already is already_applied, also by another call",
    needs: ["grant"],
    async run(bench) {
      const [wanted] = bench.access.wanted;
      await bench.outcomeOf(bench.calls().grant(wanted));
      await expectChange(bench, {}, async () => {
        const again = bench.calls({}, { attempt: 2 });
        const other = bench.calls({}, { idempotencyKey: "another" });
        expect(await bench.outcomeOf(again.grant(wanted))).toBe("already_applied");
        expect(await bench.outcomeOf(other.grant({ ...wanted, grantKey: "another" }))).toBe("already_applied");
      });
    },
  },
  {
    name: "a revocation removes that access and touches no other",
    needs: ["revoke"],
    async run(bench) {
      const { wanted } = bench.access;
      for (const spec of wanted) await bench.outcomeOf(bench.calls().grant(spec));
      await expectChange(bench, { removed: [wanted[0]] }, async () => {
        expect(await bench.outcomeOf(bench.calls().revoke(wanted[0]))).toBe("applied");
      });
    },
  },
  {
    name: "a revocation of what is not there is already_applied",
    needs: ["revoke"],
    async run(bench) {
      const [wanted] = bench.access.wanted;
      const revokes = () =>
        expectChange(bench, {}, async () => {
          expect(await bench.outcomeOf(bench.calls().revoke(wanted))).toBe("already_applied");
        });
      await revokes();
      await bench.outcomeOf(bench.calls().grant(wanted));
      await bench.outcomeOf(bench.calls().revoke(wanted));
      await revokes();
    },
  },
  {
    name: "access that somebody else gets in the middle of a write stays",
    needs: ["grant", "revoke"],
    async run(bench) {
      await interfered(bench, "grant");
      await interfered(bench, "revoke");
    },
  },
  {
    name: "a resource that is not there is not_found, and its grants are absent",
    needs: ["grant"],
    async run(bench) {
      const { nowhere } = bench.access;
      await expectChange(bench, {}, async () => {
        await bench.failsAs(["not_found"], bench.outcomeOf(bench.calls().grant(nowhere)), "grant");
        const revoked = bench.outcomeOf(bench.calls().revoke(nowhere));
        const outcome = await revoked.catch(() => undefined);
        if (outcome) expect(outcome).toBe("already_applied");
        else await bench.failsAs(["not_found"], revoked, "revoke");
      });
    },
  },
  {
    name: "a change replaces one access by the other",
    needs: ["modify"],
    async run(bench) {
      const { wanted, changed: to } = bench.access;
      if (!to) throw new Error("the target gives no `changed` access, which a connector that modifies needs");
      await bench.outcomeOf(bench.calls().grant(wanted[0]));
      await expectChange(bench, { removed: [wanted[0]], added: [to] }, async () => {
        expect(await bench.outcomeOf(bench.calls().modify(wanted[0], to))).toBe("applied");
      });
    },
  },
  {
    name: "verify agrees with the oracle",
    needs: ["verify", "grant"],
    async run(bench) {
      const [wanted, other] = bench.access.wanted;
      const agrees = async (when: string) => {
        const truth = await bench.target.observe();
        for (const spec of [wanted, other, specOf(bench.access.foreign)]) {
          const { presence } = await bench.calls().verify(spec);
          expect(presence, `${when}, of ${spec.principal.externalId}`).toBe(has(truth, spec) ? "present" : "absent");
        }
      };
      await agrees("at first");
      await bench.outcomeOf(bench.calls().grant(wanted));
      await agrees("after a grant");
      await bench.outcomeOf(bench.calls().revoke(wanted));
      await agrees("after a revocation");
    },
  },
  {
    name: "grants are listed of one resource or of some principals where they are asked for",
    needs: ["observe", "grant"],
    async run(bench) {
      const [wanted, other] = bench.access.wanted;
      for (const spec of [wanted, other]) await bench.outcomeOf(bench.calls().grant(spec));
      const { access = [] } = await bench.target.observe();
      const ofResource = ({ resource }: Access) =>
        resource.type === wanted.resource.type && resource.externalId === wanted.resource.externalId;
      const ofPrincipal = ({ principal }: Access) =>
        principal.type === wanted.principal.type && principal.externalId === wanted.principal.externalId;
      expect(await listedKeys(bench, { resource: wanted.resource })).toEqual(keysOf(access.filter(ofResource)));
      expect(await listedKeys(bench, { principals: [wanted.principal] })).toEqual(keysOf(access.filter(ofPrincipal)));
    },
  },
  {
    name: "the target keeps the end of access that it ends by itself",
    needs: ["grant"],
    applies: ({ connector }) => connector.manifest.expiry === "native",
    async run(bench) {
      const expiresAt = new Date("2199-01-01T00:00:00Z");
      const wanted = { ...bench.access.wanted[0], expiresAt };
      await bench.outcomeOf(bench.calls().grant(wanted));
      const { access = [] } = await bench.target.observe();
      const kept = access.find((one) => accessKey(one) === accessKey(wanted));
      expect(kept?.expiresAt, "the end of the access in the target").toEqual(expiresAt);
    },
  },
];

async function expectChange(bench: Bench, change: Parameters<typeof changed>[1], act: () => Promise<void>) {
  const before = await bench.target.observe();
  await act();
  expect(comparable(await bench.target.observe())).toEqual(comparable(changed(before, change)));
}

/** Has somebody else get access before the first answer to the connector comes back, then before the second. */
async function interfered(bench: Bench, write: "grant" | "revoke"): Promise<void> {
  const [wanted] = bench.access.wanted;
  for (let holdAt = 0; holdAt < HOLDS; holdAt += 1) {
    await bench.target.reset();
    if (write === "revoke") await bench.give(wanted);
    let interfering: Promise<Access> | undefined;
    const run = () => {
      interfering = bench.access.interfere();
      return interfering;
    };
    bench.relay.disturb({ holdAt, run });
    await bench.outcomeOf(bench.calls()[write](wanted));
    if (!interfering) return;
    const [between, truth] = [await interfering, await bench.target.observe()];
    expect(has(truth, between), `${write} removed access that somebody else got meanwhile`).toBe(true);
    expect(has(truth, bench.access.foreign), `${write} removed access of somebody else`).toBe(true);
    expect(has(truth, wanted), `${write} did not do its part`).toBe(write === "grant");
  }
}

const keysOf = (access: readonly Access[]) => access.map(accessKey).sort();

async function listedKeys(bench: Bench, query: Parameters<ReturnType<Bench["calls"]>["listGrants"]>[0]) {
  const calls = bench.calls();
  const { items } = await listAll((page) => calls.listGrants(query, page));
  return keysOf(items.filter(({ source }) => source === "direct"));
}

const specOf = (access: Access): GrantSpec => ({ grantKey: accessKey(access), parameters: {}, ...access });
