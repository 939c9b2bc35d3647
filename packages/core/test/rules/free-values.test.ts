import { headersOf, pathOf, sampleOf, table, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { mutates, recordsOf } from "../helpers/facts.js";
import { createWorld } from "../helpers/world.js";

let world: World;
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400, rateLimits: "off" });
});

type Path = readonly (string | number)[];
type Kind = "text" | "free";

/** Secrets where any property may stand, by the pointer below. */
const CANARY = "canary4711canary4711";
const FREE: readonly (readonly [value: object, pointer: string])[] = [
  [{ env: { OPENAI_API_KEY: CANARY } }, "/env/OPENAI_API_KEY"],
  [{ env: [{ name: "DB_PASSWORD", value: CANARY }] }, "/env/0/value"],
  [{ env: [`GITHUB_TOKEN=${CANARY}`] }, "/env/0"],
  [{ headers: { "X-Api-Key": CANARY } }, "/headers/X-Api-Key"],
  [{ headers: { authorization: [`Basic ${CANARY}`] } }, "/headers/authorization/0"],
  [{ args: ["--api-key", CANARY] }, "/args/1"],
  [{ args: [`--token=${CANARY}`] }, "/args/0"],
  [{ dsn: `postgres://u:${CANARY}@db.example/x` }, "/dsn"],
  [{ at: `wss://host.example/?access_token=${CANARY}` }, "/at"],
  [{ at: `https://host.example/cb#token=${CANARY}` }, "/at"],
  [{ note: `use ghp_${CANARY}` }, "/note"],
  [{ note: `send Bearer ${CANARY}` }, "/note"],
  [{ baseUrl: `java\nscript:alert('${CANARY}')` }, "/baseUrl"],
  [{ links: [` data:text/html,${CANARY}`] }, "/links/0"],
];
/** Secrets in texts that are no addresses by their name. */
const TEXTS = [`see https://u:${CANARY}@host.example/`, `see https://host.example/?api_key=${CANARY}`, `ghp_${CANARY}`];
/** What no address of a body may be. */
const ADDRESSES = [...TEXTS, `javascript:alert('${CANARY}')`, `data:text/html,${CANARY}`, `vbscript:${CANARY}`];
const ADDRESS = /(?:url|uri|href|link|ref|endpoint)s?$/i;

/** Properties by which a body hands a secret over, and those that are passed on or judged, and not kept. */
const HANDED_OVER = /secret|password|^token$|credential|^newPassword$/i;
const UNKEPT: Readonly<Record<string, readonly string[]>> = {
  "aiPolicies.evaluate": ["subject", "action", "resource", "context", "options", "evaluations"],
  "authzen.evaluate": ["subject", "action", "resource", "context"],
  "authzen.evaluateAll": ["subject", "action", "resource", "context", "evaluations", "options"],
  "coaz.ask": ["server", "message", "token", "context"],
  "policyAgents.opaAllow": ["input"],
  "policyAgents.opaDecision": ["input"],
  "policyAgents.toolhive": ["principal", "operation", "resource", "context"],
  "agentTools.runtimeTest": ["arguments"],
  // Compared with what was denied: `doors/each-store/authzen-requests` looks for it in the store.
  "authzenRequests.submit": ["subject", "action", "resource", "context", "items", "client"],
};

const kept = table.filter(
  (operation) =>
    operation.body && mutates(operation) && operation.access !== "public" && !sampleOf(operation).elsewhere,
);

function unwrapped(schema: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return unwrapped(schema.unwrap());
  return schema instanceof z.ZodPipe ? unwrapped(schema.in) : schema;
}

/** Where texts and free values stand in a body. */
function* placesIn(given: unknown, path: Path = []): Generator<readonly [Kind, Path]> {
  const schema = unwrapped(given);
  if (schema instanceof z.ZodString) yield ["text", path];
  else if (schema instanceof z.ZodArray) yield* placesIn(schema.element, [...path, 0]);
  else if (schema instanceof z.ZodRecord) yield ["free", path];
  else if (schema instanceof z.ZodObject) {
    for (const [name, inner] of Object.entries(schema.shape))
      if (!HANDED_OVER.test(name)) yield* placesIn(inner, [...path, name]);
    if (schema.def.catchall instanceof z.ZodUnknown) yield ["free", path];
  }
}

/** A copy of a value with another one at a path. */
function withAt(value: unknown, [step, ...rest]: Path, put: unknown): unknown {
  if (step === undefined) return isObject(value) && isObject(put) ? { ...value, ...put } : put;
  if (typeof step === "number") return [withAt(Array.isArray(value) ? value[step] : undefined, rest, put)];
  const held = isObject(value) ? value : {};
  return { ...held, [step]: withAt(held[step], rest, put) };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const pointerOf = (path: Path) => path.map((step) => `/${step}`).join("");

describe.each(kept.map((operation) => [operation.id, operation] as const))("what %s keeps", (id, operation) => {
  it("holds no secret and no address that runs, in no text and no free value, and quotes none", async () => {
    const { a } = world;
    const actor = a.callerOf(operation);
    const params = (await sampleOf(operation).arrange?.(a, actor)) ?? {};
    const sample = sampleOf(operation).body?.(a, actor) ?? {};
    const wrong = [...placesIn(operation.body)].flatMap(([kind, path]): [Path, unknown, string][] => {
      if (UNKEPT[id]?.includes(String(path[0]))) return [];
      // What holds a secret is left out of the reason of a stop, which it does not hold back: `rules/stops`.
      if (operation.stops && path[0] === "reason") return [];
      // Connections have properties of their own there, which each connector names.
      if (path[0] === "configuration" && "providerKey" in ((operation.body as z.ZodObject).shape ?? {})) return [];
      const named = String(path.filter((step) => typeof step === "string").at(-1));
      if (kind === "text")
        return (ADDRESS.test(named) ? ADDRESSES : TEXTS).map((text) => [path, text, pointerOf(path)]);
      return FREE.map(([value, below]) => [path, value, `${pointerOf(path)}${below}`]);
    });
    for (const [path, value, pointer] of wrong) {
      const answer = await world.send(operation.method, pathOf(operation, params, a), {
        token: actor.token,
        body: withAt(sample, path, value) as Record<string, unknown>,
        headers: headersOf(operation),
      });
      const what = `${pointer} ${JSON.stringify(value)}: ${answer.text}`;
      expect(answer.status, what).toBe(400);
      expect(answer.text, what).not.toContain(CANARY);
    }
    expect(JSON.stringify(await recordsOf(a))).not.toContain(CANARY);
  });
});

it("takes what only sounds like a secret", async () => {
  const metadata = {
    ...{
      maxTokens: "9",
      eos_token: "</s>",
      pad_token: "[PAD]",
      tokenizer: "of the model",
      passwordPolicy: "strict one",
    },
    ...{
      env: { API_KEY: "<key>", TOKEN: "<your token>" },
      headers: [{ name: "Authorization", value: "{{token}}" }],
    },
    ...{
      at: "https://host.example/?page=2",
      ssh: "ssh://git@host.example/x.git",
      note: "bearer securities are data: of sk-learn",
    },
  };
  const answer = await world.send("POST", "/api/v1/ai-assets", { token: world.a.owner.token, body: { metadata } });
  expect(answer.status, answer.text).toBe(201);
  expect(answer.json.metadata).toEqual(metadata);
});
