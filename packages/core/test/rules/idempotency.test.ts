import { createPlane, headersOf, pathOf, sampleOf, table, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { takesIdempotencyKey } from "#kernel/pipeline/idempotency.js";
import { eventsOf, isProviders, mutates, recordsOf } from "../helpers/facts.js";
import { ofThisStore } from "../helpers/quick.js";
import { createWorld } from "../helpers/world.js";

const taking = table.filter(
  (operation) => mutates(operation) && takesIdempotencyKey(operation) && !sampleOf(operation).elsewhere,
);
// A changed password revokes the token that changed it, so a repeated request is refused by authentication. The form of a
// page to log out is sent by browsers, which send no key.
const repeatable = taking.filter(({ id, secret }) => id !== "auth.resetPassword" && id !== "saml.logout" && !secret);
const secretive = taking.filter(({ secret }) => secret);
const HOUR = 3_600_000;

let world: World;
beforeAll(async () => {
  world = await createWorld();
});

async function prepared(operation: (typeof table)[number]) {
  const { a } = world;
  const params = (await sampleOf(operation).arrange?.(a)) ?? {};
  const body = sampleOf(operation).body?.(a, a.owner);
  const caller = a.callerOf(operation);
  const key = a.unique();
  const send = (more: { body?: unknown; key?: string | string[]; token?: string; query?: string } = {}) =>
    a.send(operation.method, pathOf(operation, params, a) + (more.query ?? ""), {
      token: more.token ?? caller.token,
      body: more.body ?? body,
      headers: { ...headersOf(operation), "idempotency-key": more.key ?? key },
    });
  return { send, body, key, home: isProviders(operation) ? a.provider : a };
}

/** A property that changes a valid body of the operation. */
function another({ body }: (typeof table)[number]): object {
  const schema = (body instanceof z.ZodOptional ? body.unwrap() : body) as z.ZodType;
  const known = schema instanceof z.ZodObject ? schema.shape : {};
  if ("presenceSec" in known && !("metadata" in known)) return { presenceSec: 77 };
  if ("relayState" in known) return { relayState: "elsewhere" };
  if ("evidence" in known && "seenAt" in known) return { evidence: "Something else shows it." };
  if ("text" in known) return { text: "Something else." };
  if ("client" in known && "items" in known) return { context: { other: 1 } };
  if ("client" in known && !("metadata" in known)) return { client: "codex" };
  if ("filters" in known && !("metadata" in known)) return { filters: { type: "another" } };
  if ("atomic" in known) return { atomic: true };
  return "metadata" in known || !("reason" in known)
    ? { metadata: { other: 1 } }
    : { reason: "Another reason altogether." };
}

/** A query that the operation takes; `undefined` where none is known. */
function queryOf({ query }: (typeof table)[number]): string | undefined {
  for (const [name, schema] of Object.entries(query instanceof z.ZodObject ? query.shape : {})) {
    const inner = schema instanceof z.ZodDefault || schema instanceof z.ZodOptional ? schema.unwrap() : schema;
    if (inner instanceof z.ZodEnum) return `?${name}=${inner.options.at(-1)}`;
    if (name === "resourceType") return `?${name}=repository`;
  }
  return undefined;
}

describe.each(ofThisStore(repeatable).map((operation) => [operation.id, operation] as const))(
  "Idempotency-Key: %s",
  (_id, operation) => {
    it("gives the first answer again, byte for byte, and has one effect", async () => {
      const { send, home } = await prepared(operation);
      const first = await send();
      const events = (await eventsOf(home)).length;
      const again = await send();
      expect(first.status).toBe(operation.success.status);
      expect(first.headers).not.toHaveProperty("idempotent-replayed");
      expect(again.text).toBe(first.text);
      expect(again.status).toBe(first.status);
      expect([again.headers["idempotent-replayed"], again.headers.etag]).toEqual(["true", first.headers.etag]);
      expect((await eventsOf(home)).length).toBe(events);
    });

    it.runIf(operation.body)("refuses another body with the same key", async () => {
      const { send, body } = await prepared(operation);
      await send();
      const answer = await send({ body: { ...body, ...another(operation) } });
      // A profile may have a problem of its own for it.
      const code = operation.problems?.idempotency_key_reused?.code ?? "idempotency_key_reused";
      expect([answer.status, answer.json.code]).toEqual([code === "idempotency_key_reused" ? 422 : 409, code]);
    });

    it.runIf(operation.body)("takes the same properties in another order for the same body", async () => {
      const { send, body } = await prepared(operation);
      await send();
      const answer = await send({ body: Object.fromEntries(Object.entries(body as object).reverse()) });
      expect(answer.headers["idempotent-replayed"]).toBe("true");
    });

    it.runIf(queryOf(operation))("refuses another query with the same key", async () => {
      const { send } = await prepared(operation);
      const query = queryOf(operation) as string;
      expect((await send({ query })).status).toBe(operation.success.status);
      expect((await send()).json.code).toBe("idempotency_key_reused");
      const hinted = await send({ query: `${query}&tenantId=elsewhere` });
      expect(hinted.headers["idempotent-replayed"], "hints at a tenant are ignored").toBe("true");
    });

    it("lets one of twenty at once through", async () => {
      const { send, home } = await prepared(operation);
      const before = (await eventsOf(home)).length;
      const answers = await Promise.all(Array.from({ length: 20 }, () => send()));
      const done = answers.filter(({ status }) => status === operation.success.status);
      expect(new Set(done.map(({ text }) => text)).size).toBe(1);
      const waiting = answers.filter(({ status }) => status === 409);
      for (const { json, headers } of waiting) {
        expect(json).toMatchObject({ code: "idempotency_in_progress", retryable: true });
        expect(headers["retry-after"]).toBe("1");
      }
      expect(done.length + waiting.length).toBe(20);
      expect(done.filter(({ headers }) => !headers["idempotent-replayed"])).toHaveLength(1);
      const added = (await eventsOf(home)).slice(before).map(({ attributes }) => JSON.parse(attributes));
      const effective = added.filter(({ outcome }) => outcome === "success").map(({ correlationid }) => correlationid);
      expect(new Set(effective).size).toBe(operation.quiet ? 0 : 1);
      expect((await send()).headers["idempotent-replayed"]).toBe("true");
    });

    it("keeps the keys of two users apart", async () => {
      const { send } = await prepared(operation);
      await send();
      const other = await send({ token: world.a.actors.admin.token });
      expect(other.headers).not.toHaveProperty("idempotent-replayed");
    });
  },
);

describe.each(secretive.map((operation) => [operation.id, operation] as const))(
  "Idempotency-Key: %s",
  (_id, operation) => {
    it("has one effect, and shows its secret once", async () => {
      const { send } = await prepared(operation);
      const first = await send();
      expect(first.status).toBe(operation.success.status);
      const records = await recordsOf(world.a);
      const again = await send();
      expect([again.status, again.json.code]).toEqual([409, "idempotency_secret_not_replayable"]);
      expect(await recordsOf(world.a)).toEqual(records);
      const { clientSecret, token, nonce } = first.json;
      const secret =
        clientSecret ??
        token ??
        nonce ??
        first.json.code ??
        first.json.secret ??
        first.json.key ??
        first.json.options.challenge;
      expect(secret).toMatch(/^(?:(?:(?:reeve_cs|att|rec|rrk)_)?[\w-]{43}|whsec_[\w+/]{43}=|[A-Z2-7]{32})$/);
      expect(JSON.stringify(records)).not.toContain(secret);
    });
  },
);

describe("Idempotency-Key", () => {
  const create = (key: string | string[], body: unknown = { name: "one" }) =>
    world.send("POST", "/api/v1/ai-assets", { token: world.a.owner.token, body, headers: { "idempotency-key": key } });

  it.each([[""], [" "], ["with space"], ["ünicode"], ["x".repeat(256)], ["tab\t"], [["one", "two"]]])(
    "%j is not a key",
    async (key) => {
      const answer = await create(key);
      expect(answer.status).toBe(400);
      expect(answer.json.code).toBe("invalid_request");
    },
  );

  it("may have 255 characters", async () => {
    expect((await create("x".repeat(255))).status).toBe(201);
  });

  it("is not spent by a refusal", async () => {
    const refused = await create("refused", { environment: "nowhere" });
    expect(refused.status).toBe(400);
    expect((await create("refused", { environment: "test" })).status).toBe(201);
  });

  it("is forgotten after a day", async () => {
    const other = await createWorld({ tokenLifetime: 86_400 });
    const send = (name: string) =>
      other.send("POST", "/api/v1/ai-assets", {
        token: other.a.owner.token,
        body: { name },
        headers: { "idempotency-key": "daily" },
      });
    const first = await send("one");
    other.clock.advance(24 * HOUR - 1);
    expect((await send("one")).text).toBe(first.text);
    other.clock.advance(1);
    await other.controlPlane.tick();
    expect((await send("two")).status).toBe(201);
  });

  it.each(["a", "b"] as const)(
    "of tenant %s may be sent again to another operation, which has its own effect",
    async (name) => {
      const { send, owner } = world[name];
      const id = await world[name].newAsset();
      const headers = { "idempotency-key": "of-two-operations" };
      const created = await send("POST", "/api/v1/ai-assets", { token: owner.token, body: { metadata: {} }, headers });
      const changed = await send("PATCH", `/api/v1/ai-assets/${id}/metadata`, {
        token: owner.token,
        body: { metadata: { team: "blue" } },
        headers,
      });
      expect([created.status, changed.status, changed.json.id]).toEqual([201, 200, id]);
      expect(changed.json.metadata).toMatchObject({ team: "blue" });
    },
  );

  it.each(["a", "b"] as const)("of tenant %s that was spent on one record is refused for another", async (name) => {
    const { send, owner } = world[name];
    const [one, other] = [await world[name].newAsset(), await world[name].newAsset()];
    const patch = (id: string) =>
      send("PATCH", `/api/v1/ai-assets/${id}/metadata`, {
        token: owner.token,
        body: { metadata: { team: "blue" } },
        headers: { "idempotency-key": "of-two-records" },
      });
    expect((await patch(one)).status).toBe(200);
    expect(await patch(other)).toMatchObject({ status: 422, json: { code: "idempotency_key_reused" } });
    const { json } = await send("GET", `/api/v1/ai-assets/${other}`, { token: owner.token });
    expect([json.version, "team" in json.metadata]).toEqual([1, false]);
  });

  it("is no longer looked at by GET, PUT and DELETE", async () => {
    const id = await world.a.newAsset();
    const send = (method: string) =>
      world.send(method, `/api/v1/ai-assets/${id}`, {
        token: world.a.owner.token,
        headers: { "idempotency-key": "with space" },
      });
    expect((await send("GET")).status).toBe(200);
    expect((await send("PUT")).status).toBe(200);
    expect((await send("DELETE")).status).toBe(204);
    expect((await send("DELETE")).status).toBe(404);
  });

  it("can be required of every POST and PATCH with a bearer", async () => {
    const { a, store, clock } = world;
    const strict = createPlane({ store, clock, requireIdempotencyKey: true });
    for (const operation of taking) {
      const params = (await sampleOf(operation).arrange?.(a)) ?? {};
      const body = sampleOf(operation).body?.(a, a.owner);
      const answer = await strict.send(operation.method, pathOf(operation, params, a), {
        token: a.callerOf(operation).token,
        body,
      });
      expect(answer.status).toBe(400);
      expect(answer.json.code).toBe("idempotency_key_required");
    }
  });
});
