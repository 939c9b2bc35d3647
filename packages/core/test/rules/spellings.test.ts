import { sampleOf, sendSample, table, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import type { z } from "zod";
import type { Operation } from "#reference/index.js";
import { ulidSource } from "../../src/testing/index.js";
import { NAMINGS } from "../fixtures/spellings.js";
import { createWorld } from "../helpers/world.js";

/** An id as people, spreadsheets and other systems write it. */
const SPELLINGS: Readonly<Record<string, (id: string) => string>> = {
  "in lower case": (id) => id.toLowerCase(),
  "with a blank": (id) => `${id} `,
  "with a sign that is not seen": (id) => `${id}\u200b`,
  "of nothing": (id) => `${id.slice(0, -4)}ZZZZ`,
};

/** The paths of the properties of a schema; `[]` stands for the items of a list of objects. */
function* pathsOf(schema: unknown, path = "", depth = 0): Generator<string> {
  const def = (schema as z.ZodType | undefined)?.def as unknown as Readonly<Record<string, unknown>> | undefined;
  if (!def || depth > 8) return;
  for (const inner of [def.innerType, def.in, def.valueType]) if (inner) yield* pathsOf(inner, path, depth + 1);
  if (def.element) yield* pathsOf(def.element, `${path}[]`, depth + 1);
  for (const option of (def.options ?? []) as unknown[]) yield* pathsOf(option, path, depth + 1);
  for (const [name, value] of Object.entries((def.type === "object" ? def.shape : {}) as object)) {
    const at = path === "" ? name : `${path}.${name}`;
    yield at;
    yield* pathsOf(value, at, depth + 1);
  }
}

const asked = table.flatMap((operation) =>
  [...new Set(operation.body ? pathsOf(operation.body) : [])].flatMap((path) =>
    Object.hasOwn(NAMINGS, path) ? [[operation.id, path, operation] as const] : [],
  ),
);

/** Where an id of nothing is taken, and why that lets nobody past anything. */
const TAKEN: Readonly<Record<string, string>> = {
  "relations[].targetId": "it is shown as dangling, and keeps the asset out of production",
  "agentTools.runtimeTest connectorInstanceId": "the answer says where a call would be blocked",
};
/** Where the id of a record of the scene is refused for another reason, such as that it is settled at the start. */
const REFUSED =
  /^(?:accessTargets[.]patchResource|aiSessions[.]replace|aiCompliance[.]replace|aiExemptions[.]create|accessRequests[.](?:create|preview)|agentToolTokens[.]issue|aiGovernance[.]eraseEvents)$/;

let world: World;
beforeAll(async () => {
  // Letters in ids, because lower case changes no digit.
  world = await createWorld({ tokenLifetime: 86_400, ids: ulidSource() });
});

async function answerTo(operation: Operation, said: object) {
  const { a, provider } = world;
  const sample = sampleOf(operation);
  const sender = Array.isArray(operation.access) ? provider.owner : a.owner;
  const params = (await sample.arrange?.(a, sender)) ?? {};
  return sendSample(a, operation, sender, { params, body: { ...sample.body?.(a, sender), ...said } });
}

describe("an id in a body", () => {
  it("is asked about wherever bodies name a record", () => {
    const found = new Set(asked.map(([, path]) => path));
    expect(Object.keys(NAMINGS).filter((path) => !found.has(path))).toEqual([]);
    expect(asked.length).toBeGreaterThan(60);
  });

  it.each(asked)("is not taken by %s in another spelling, as %s", async (id, path, operation) => {
    const naming = NAMINGS[path];
    const known = (await naming?.known(world.a)) as string;
    const right = await answerTo(operation, naming?.said(known) ?? {});
    if (!REFUSED.test(id)) expect(right.status, right.text).toBeLessThan(300);
    for (const [what, spell] of Object.entries(SPELLINGS)) {
      const { status, json, text } = await answerTo(operation, naming?.said(spell(known)) ?? {});
      const isTaken = status < 300 && json.valid !== false;
      expect(isTaken, `${what}: ${text}`).toBe(path in TAKEN || `${id} ${path}` in TAKEN);
    }
  });
});
