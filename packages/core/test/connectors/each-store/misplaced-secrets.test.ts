import { everyCell, instanceBody, newActiveInstance, newInstance, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { eventsOf, recordsOf } from "../../helpers/facts.js";
import { createWorld } from "../../helpers/world.js";

const CANARY = "canary-2718-of-the-key";
let world: World;
beforeAll(async () => {
  world = await createWorld();
});

/** Every way to say how a connection is configured. `id` is that of a draft or of an active one. */
const DOORS = [
  ["POST", () => "/api/v1/connector-instances"],
  ["PATCH", (id: string) => `/api/v1/connector-instances/${id}`],
  ["PATCH", (id: string) => `/api/v1/integrations/${id}`],
  ["PUT", (id: string) => `/api/v1/integrations/${id}/configuration`],
  ["POST", (id: string) => `/api/v1/integrations/${id}/configuration/validate`],
  ["POST", () => "/api/v1/connectors/scripted/test"],
  ["POST", () => "/api/v1/catalog/instances"],
  ["PUT", (id: string) => `/api/v1/catalog/instances/${id}`],
  ["POST", () => "/api/v1/catalog/instances/test"],
] as const;

/** Bodies with a secret where none belongs, and where a caller is told that it is. */
const MISPLACED: readonly (readonly [what: string, body: object, pointer: string])[] = [
  [
    "below the configuration",
    { configuration: { account: "x", more: { token: CANARY } } },
    "/configuration/more/token",
  ],
  [
    "in the configuration under another name",
    { configuration: { account: "x", api_key: CANARY } },
    "/configuration/api_key",
  ],
  [
    "in an address",
    { configuration: { account: "x", endpoint: `https://u:${CANARY}@x.test/` } },
    "/configuration/endpoint",
  ],
  ["in the configuration as no text", { configuration: { account: "x", apiKey: [CANARY] } }, "/configuration/apiKey"],
  [
    "under a name that the connector does not have",
    { secrets: { apiKey: "a key that is valid", other: CANARY } },
    "/secrets/other",
  ],
  ["in the free data", { metadata: { deep: [{ password: CANARY }] } }, "/metadata/deep/0/password"],
];

/** The pointers that an answer names as wrong, whether it refuses or only judges. */
const pointersOf = ({ json }: { json: { errors?: { pointer: string }[] } }) =>
  (json.errors ?? []).map(({ pointer }) => pointer);

describe("a secret", () => {
  it.each(MISPLACED)("%s is refused by every door, and is neither kept nor quoted", async (_what, wrong, pointer) => {
    const ids = [await newInstance(world.a), await newActiveInstance(world.a)];
    const cells = DOORS.flatMap(([method, pathOf]) =>
      [...new Set(ids.map(pathOf))].map((path) => [`${method} ${path}`, [method, path] as const] as const),
    );
    await everyCell(cells, async ([method, path]) => {
      const { token } = world.a.owner;
      const { providerKey, ...settings } = instanceBody(world.a);
      const own = path.includes(`/${providerKey}/`) ? settings : { ...settings, providerKey };
      const answer = await world.send(method, path, { token, body: { ...own, ...wrong } });
      expect([answer.status, pointersOf(answer)]).toEqual([path.endsWith("/validate") ? 200 : 400, [pointer]]);
      expect(answer.text).not.toContain(CANARY);
    });
    const kept = [await recordsOf(world.a), await eventsOf(world.a)].map((all) => JSON.stringify(all));
    expect(kept.filter((text) => text.includes(CANARY))).toEqual([]);
  });
});
