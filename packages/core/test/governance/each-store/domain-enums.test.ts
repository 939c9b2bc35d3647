import type { World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { celEngine } from "#cel/engine.js";
import { postureVocabulary, runtimeVocabulary } from "#families/governance/policies/compile/vocabulary.js";
import { manualClock } from "#ports/clock.js";
import { collections, machines, OWN_EVENTS } from "#reference/index.js";
import { createWorld } from "../../helpers/world.js";

const PATH = "/api/v1/ai-governance/domain/enums";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});

const read = (headers = {}, who = world.a.owner) => world.send("GET", PATH, { token: who.token, headers });

describe("the vocabularies of the interface", () => {
  it("hold every machine with its states and moves", async () => {
    const { json } = await read();
    const governed = machines.filter((machine) =>
      collections.some(({ resource, machines: own = {} }) => resource && Object.values(own).includes(machine)),
    );
    expect(Object.keys(json.machines).sort()).toEqual(governed.map(({ name }) => name).sort());
    for (const machine of governed) {
      const reported = json.machines[machine.name];
      const { values } = json.enums[`${reported.records}.${reported.field}`];
      expect(
        Object.fromEntries(
          values.map((each: { value: string; description: string }) => [each.value, each.description]),
        ),
      ).toEqual(machine.states);
      expect(reported.transitions.map(({ event, from, to }: Record<string, unknown>) => [event, from, to])).toEqual(
        machine.transitions.map(({ event, from, to }) => [event, [...from], to]),
      );
    }
    const terminal = json.enums["ai_policy.status"].values.filter((each: { terminal: boolean }) => each.terminal);
    expect(terminal.map(({ value }: { value: string }) => value)).toEqual(["archived"]);
  });

  it("hold the closed fields of every record, and severities in their order", async () => {
    const { enums } = (await read()).json;
    expect(enums["ai_asset.environment"].values.map(({ value }: { value: string }) => value)).toContain("production");
    expect(enums["ai_tool.effects"].values.map(({ label }: { label: string }) => label)).toContain("Destructive");
    const severities = enums["finding.severity"].values.map((each: Record<string, unknown>) => [
      each.value,
      each.ordinal,
    ]);
    expect(severities).toEqual([
      ["info", 1],
      ["low", 2],
      ["medium", 3],
      ["high", 4],
      ["critical", 5],
    ]);
  });

  it("hold every type that an event can have", async () => {
    const { eventTypes } = (await read()).json;
    const types = eventTypes.map(({ type }: { type: string }) => type);
    expect(new Set(types).size).toBe(types.length);
    expect(types).toEqual(
      expect.arrayContaining([...Object.keys(OWN_EVENTS), "asset.created", "policy.status.changed"]),
    );
  });

  it("hold what rules may read: every path compiles, and no other does", async () => {
    const { environments } = (await read()).json.cel;
    const engine = celEngine({ clock: manualClock("2026-01-05T09:00:00.000Z") });
    for (const [name, fields] of Object.entries<{ path: string }[]>(environments)) {
      const [kind, assetType] = name.split(".");
      const vocabulary =
        kind === "runtime" ? runtimeVocabulary(assetType as never) : postureVocabulary(assetType as never);
      const environment = engine.environment(vocabulary);
      for (const { path } of fields.filter(({ path: each }) => !each.includes("[]"))) {
        expect(environment.compile(`size([${path}]) == 1`), path).toMatchObject({ ok: true });
      }
      expect(environment.compile("asset.nothing == 1").ok).toBe(false);
    }
    expect(Object.keys(environments)).toContain("posture.mcp_server");
  });

  it("are not sent again to who has them, and are the same for all", async () => {
    const first = await read();
    const { etag = "" } = first.headers;
    expect(etag).toBe(`"${first.json.digest}"`);
    expect(await read({ "if-none-match": etag })).toMatchObject({ status: 304, text: "" });
    expect(await read({ "if-none-match": `"another", W/${etag}` })).toMatchObject({ status: 304, text: "" });
    expect((await read({ "if-none-match": '"another"' })).status).toBe(200);
    expect((await read({}, world.b.owner)).text).toBe(first.text);
  });
});
