import { pathOf, type Scene, sampleOf, table, tokenFor, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { eventsOf, mutates, recordsOf } from "../helpers/facts.js";
import { createWorld } from "../helpers/world.js";

const UNUSED = "The published body has it, and a question is no act that it could explain.";

const DIGESTED = "It may hold secrets; the event has its digest.";
const IGNORED = "Unknown ones are ignored, as AuthZEN has it.";

/** Properties that are used and then forgotten, with the reason. */
const FORGOTTEN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "users.create": { password: "Its hash is kept." },
  "aiAssets.import": { items: "Each has a result of its own, and the probe is refused there." },
  "aiAssets.reassign": { from: "The events of the assets have it; the probe owns none." },
  "agentTools.runtimeTest": { arguments: "They may hold secrets; a use has their hash." },
  "aiPolicies.evaluate": {
    name: UNUSED,
    reason: UNUSED,
    metadata: UNUSED,
    configuration: UNUSED,
    context: DIGESTED,
    options: IGNORED,
  },
  "authzen.evaluate": { context: DIGESTED },
  "authzenRequests.submit": { context: "Rules are asked about it, and its justification alone is kept." },
  "coaz.ask": {
    server: "The id of its asset stands for it.",
    token: "Its subject stands for it.",
    context: DIGESTED,
  },
  "policyAgents.opaAllow": { input: "It is judged and forgotten; the probe is no question." },
  "policyAgents.opaDecision": { input: "It is judged and forgotten; the probe is no question." },
  "policyAgents.toolhive": {
    principal: DIGESTED,
    operation: "The name of the action stands for it.",
    resource: "Its name stands for it.",
    context: DIGESTED,
  },
  "authzen.evaluateAll": {
    context: DIGESTED,
    evaluations: "Each is judged by itself, and the probe is no question.",
    options: IGNORED,
  },
};

/** Operations that change records of a tenant or the platform. Others are about credentials, which are kept nowhere. */
const taking = table.filter(
  (operation) =>
    operation.body && typeof operation.access === "object" && mutates(operation) && !sampleOf(operation).elsewhere,
);
const objectOf = (body: z.ZodType) => (body instanceof z.ZodOptional ? body.unwrap() : body) as z.ZodObject;

let world: World;
beforeAll(async () => {
  world = await createWorld();
});

/** A value with `text` in it that a property takes for its type; `undefined` where it can hold no text. */
function holding(schema: unknown, text: string): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return holding(schema.unwrap(), text);
  if (schema instanceof z.ZodString) return text;
  if (schema instanceof z.ZodRecord) return { [text]: text };
  if (schema instanceof z.ZodArray) {
    const item = holding(schema.element, text);
    return item === undefined ? undefined : [item];
  }
  if (!(schema instanceof z.ZodObject)) return undefined;
  if (schema.def.catchall instanceof z.ZodUnknown) return { [text]: text };
  const [name, inner] = Object.entries(schema.shape).find(([, one]) => holding(one, text) !== undefined) ?? [];
  return name === undefined ? undefined : { [name]: holding(inner, text) };
}

/** All that is stored for the tenant and its provider. */
async function stored(scene: Scene): Promise<string> {
  const parts = [scene, scene.provider].map(async (one) => [await recordsOf(one), await eventsOf(one)]);
  return JSON.stringify(await Promise.all(parts));
}

/** The properties that an operation accepts with a value of their own. */
function probesOf({ body }: (typeof table)[number]) {
  return Object.entries(objectOf(body).shape).flatMap(([name, schema]) => {
    const text = `probe-of-${name.toLowerCase()}`;
    const value = name === "status" ? undefined : holding(schema, text);
    return value === undefined ? [] : [{ name, text, value }];
  });
}

/** Some metadata are merged with what is there. */
const taken = { under: "x".repeat(31 * 1_024), over: "x".repeat(32 * 1_024) };

describe.each(taking.map((operation) => [operation.id, operation] as const))("the body of %s", (id, operation) => {
  it("holds no property that is accepted and then lost", async () => {
    const { a } = world;
    const caller = a.callerOf(operation);
    const lost: string[] = [];
    for (const { name, text, value } of probesOf(operation)) {
      const params = (await sampleOf(operation).arrange?.(a)) ?? {};
      const sample = sampleOf(operation).body?.(a, caller);
      const mark = `${text}-${a.unique()}`.toLowerCase();
      const answer = await a.send(operation.method, pathOf(operation, params, a), {
        token: tokenFor(operation, a, caller),
        body: { ...sample, ...JSON.parse(JSON.stringify({ [name]: value }).replaceAll(text, mark)) },
        remoteAddress: a.unique(),
      });
      if (answer.status < 400 && !answer.text.includes(mark) && !(await stored(a)).includes(mark)) lost.push(name);
    }
    expect(lost).toEqual(Object.keys(FORGOTTEN[id] ?? {}));
  });

  it.runIf("metadata" in objectOf(operation.body).shape)("takes metadata up to 32 KiB", async () => {
    const { a } = world;
    const caller = a.callerOf(operation);
    const sample = sampleOf(operation);
    const sent = async (probe: string) => {
      const params = (await sample.arrange?.(a)) ?? {};
      const body = { ...sample.body?.(a, caller), metadata: { probe } };
      return a.send(operation.method, pathOf(operation, params, a), { token: caller.token, body });
    };
    const tooMuch = await sent(taken.over);
    expect([tooMuch.status, tooMuch.json.errors[0].pointer]).toEqual([400, "/metadata"]);
    expect((await sent(taken.under)).status).toBe(operation.success.status);
  });
});
