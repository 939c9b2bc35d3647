import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Principal } from "@reeve/core";
import { GENESIS_HASH, linkHash } from "@reeve/core/store";
import { draftEvent, eventText } from "@reeve/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../lib/workspace.mjs";
import { namedSnippet } from "./snippets.js";

type Event = Record<string, unknown>;

const guide = readFileSync(join(root, "docs/guides/event-chain.md"), "utf8");
const vectors = () => JSON.parse(namedSnippet(guide, "vectors")) as Event[];

const principal: Principal = {
  kind: "user",
  tenantId: "tnt_01JD3Z6T5W8Y9X7V4R2Q1P0N6M",
  userId: "usr_01JD3Z6T5W8Y9X7V4R2Q1P0N6M",
  username: "ada@acme.example",
  roles: ["owner"],
  permissions: new Set(),
};
const subject = { id: "ast_01JD3Z6T5W8Y9X7V4R2Q1P0N6M", type: "ai_asset" };
const at = { principal, requestId: "req_01JD3Z6T5W8Y9X7V4R2Q1P0N6M", typePrefix: "reeve" };

/** The events of the guide, made by the production code. */
function computed(): Event[] {
  const place = { ...subject, path: `/api/v1/ai-assets/${subject.id}` };
  const entity = { type: "ai_asset", id: subject.id, name: "Zoë’s agent" };
  const drafts = [
    draftEvent(
      { type: "asset.created", subject: place, data: { entity, after: { riskScore: 12.5, name: "Zoë’s agent" } } },
      { ...at, id: "evt_01JD3Z6T5W8Y9X7V4R2Q1P0N6M", time: "2026-11-21T10:00:00.000Z" },
    ),
    draftEvent(
      {
        type: "asset.lifecycle.changed",
        subject: place,
        data: { entity, from: "registered", to: "validation", event: "validate", reason: null },
        transition: { machine: "assetLifecycle", from: "registered", to: "validation" },
      },
      { ...at, id: "evt_01JD3Z6T5W8Y9X7V4R2Q1P0N6N", time: "2026-11-21T10:00:01.000Z" },
    ),
  ];
  let prevHash = GENESIS_HASH;
  return drafts.map((draft, index) => {
    const sequence = index + 1;
    const eventHash = linkHash(prevHash, sequence, draft.recordHash);
    const text = eventText({ ...draft, sequence, prevHash, eventHash });
    prevHash = eventHash;
    return JSON.parse(text) as Event;
  });
}

describe("the guide to the event chain", () => {
  let folder: string;
  let firstFault: (events: readonly Event[]) => string | undefined;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "reeve-chain-"));
    // The package has no CommonJS entry, so its file is imported directly.
    const library = pathToFileURL(join(root, "packages/core/node_modules/canonicalize/lib/canonicalize.js")).href;
    const file = join(folder, "verify.mjs");
    const text = namedSnippet(guide, "verify");
    writeFileSync(file, text.replace('"canonicalize"', JSON.stringify(library)));
    ({ firstFault } = (await import(/* @vite-ignore */ file)) as { firstFault: typeof firstFault });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it("shows what the code makes", () => {
    expect(vectors()).toEqual(computed());
  });

  it("verifies its own vectors, and erased data too", () => {
    expect(firstFault(vectors())).toBeUndefined();
    expect(firstFault(vectors().map((event) => ({ ...event, data: null })))).toBeUndefined();
  });

  it.each<[string, (events: Event[]) => Event[], string]>([
    ["changed data", ([a, b]) => [{ ...a, data: {} }, b as Event], "000000000001"],
    ["a changed attribute", ([a, b]) => [a as Event, { ...b, authid: "usr_x" }], "000000000002"],
    ["another link", ([a, b]) => [a as Event, { ...b, prevhash: GENESIS_HASH }], "000000000002"],
    ["a missing event", ([, b]) => [b as Event], "000000000002"],
    ["another order", ([a, b]) => [b as Event, a as Event], "000000000002"],
  ])("finds %s", (_name, damage, sequence) => {
    expect(firstFault(damage(vectors()))).toBe(sequence);
  });
});
