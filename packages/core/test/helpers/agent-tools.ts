import type { Answer, World } from "@reeve/testkit";
import { expect } from "vitest";
import type { DecidedAccess } from "#families/access-grants/assignments/provision-assignment.js";
import { accessBench, type Bench } from "./access.js";

const TOOLS = "/api/v1/agent-tools/codehost/tools";
const EXECUTE = "/api/v1/agent-tools/codehost/execute";
export const READ = { tool: "read_note", arguments: { repository: "acme/agents", path: "docs/a.md" } };
export const WRITE = {
  tool: "write_note",
  arguments: { repository: "acme/agents", branch: "agent/fix", path: "docs/a.md", note: "new" },
};

/** An asset with access in force that opens two tools. */
export interface ToolBench extends Bench {
  readonly assignmentId: string;
  readonly writeProfileId: string;
  /** Issues a token, and expects that to work. */
  readonly issue: (body?: object) => Promise<{ id: string; token: string; expiresAt: string; tools: string[] }>;
  readonly ask: (body?: object, token?: string) => Promise<Answer>;
  readonly run: (token: string, call?: object, remoteAddress?: string) => Promise<Answer>;
  /** Lists what a token opens. */
  readonly list: (token: string) => Promise<Answer>;
  /** Grants more access of the profile that opens both tools. */
  readonly grant: (more?: Partial<DecidedAccess>) => Promise<string>;
}

export async function toolBench(
  world: World,
  more: Partial<DecidedAccess> = {},
  asset: Readonly<Record<string, unknown>> = {},
): Promise<ToolBench> {
  const bench = await accessBench(world, {}, asset);
  const { a } = world;
  const listed = await world.send("GET", `/api/v1/access-targets/${bench.connectorInstanceId}/access-profiles`, {
    token: a.owner.token,
  });
  const write = listed.json.items.find((one: { externalId: string }) => one.externalId === "write");
  const grant = async (given: Partial<DecidedAccess> = {}) => {
    const id = await bench.decide({ duration: "PT2H", accessProfileId: write.id, ...given });
    await world.controlPlane.tick();
    return id;
  };
  const assignmentId = await grant(more);
  const path = `/api/v1/ai-assets/${bench.assetId}/agent-tool-token`;
  const ask = (body: object = {}, token = a.owner.token) => world.send("POST", path, { token, body });
  return {
    ...bench,
    assignmentId,
    writeProfileId: write.id,
    grant,
    ask,
    async issue(body = {}) {
      const answer = await ask(body);
      expect(answer.status, answer.text).toBe(200);
      return answer.json;
    },
    list: (token) => world.send("POST", TOOLS, { body: { token }, remoteAddress: a.unique() }),
    run: (token, call = READ, remoteAddress = a.unique()) =>
      world.send("POST", EXECUTE, { body: { token, ...call }, remoteAddress }),
  };
}
