import type { World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { StoreError } from "#store/index.js";
import { failing } from "../../helpers/failing-store.js";
import { createWorld } from "../../helpers/world.js";

let world: World;
let asset: string;
let isUnknown = false;
beforeAll(async () => {
  const through = (store: World["store"]) =>
    failing(store, () => (isUnknown ? new StoreError("outcome_unknown", "the connection ended") : undefined));
  world = await createWorld({}, through);
  asset = await world.a.newAsset();
});

async function asked(method: string, target: string, headers: Record<string, string> = {}) {
  isUnknown = true;
  const body = method === "DELETE" ? undefined : { name: world.a.unique(), assetType: "application" };
  const answer = await world.send(method, target, { token: world.a.owner.token, body, headers });
  isUnknown = false;
  const { code, retryable, remedy } = answer.json;
  return { status: answer.status, code, retryable, remedy, retryAfter: answer.headers["retry-after"] };
}

const unknown = { status: 503, code: "outcome_unknown", remedy: expect.stringContaining("look first") };

describe("an unknown outcome", () => {
  it("K1 is not to be repeated blindly by a request without an Idempotency-Key", async () => {
    const answer = await asked("POST", "/api/v1/ai-assets");
    expect(answer).toEqual({ ...unknown, retryable: false, retryAfter: undefined });
  });

  it("K1 may be repeated with the same key, and where doing it twice is doing it once", async () => {
    for (const [method, target, headers] of [
      ["POST", "/api/v1/ai-assets", { "idempotency-key": "k1" }],
      ["PUT", `/api/v1/ai-assets/${asset}`, {}],
      ["DELETE", `/api/v1/ai-assets/${asset}`, {}],
    ] as const) {
      const answer = await asked(method, target, headers);
      expect(answer, method).toEqual({ ...unknown, retryable: true, retryAfter: "1" });
    }
  });
});
