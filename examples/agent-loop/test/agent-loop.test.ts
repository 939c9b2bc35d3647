import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runAgent } from "../src/agent.js";
import { cutOffInMidCall, startSession } from "../src/demonstration.js";
import { addAndWatch } from "../src/planner.js";
import { type Service, startService } from "../src/service.js";
import { connectTools, type Tools } from "../src/tools.js";

let service: Service;
let tools: Tools;
beforeAll(async () => {
  service = await startService();
  tools = await connectTools();
});
afterAll(async () => {
  await tools.close();
  await service.close();
});

describe("an agent on a real MCP server", () => {
  it("is cut off in the middle of a call by a termination over HTTP, and that is confirmed", async () => {
    const lines: string[] = [];
    const { outcome, decided, session } = await cutOffInMidCall(service, tools, (line) => lines.push(line));
    // The call would have taken five minutes.
    expect(outcome).toMatchObject({ ended: "blocked", by: { epoch: 1, status: expect.stringMatching(/^terminat/) } });
    expect(outcome.steps.map(({ call, result }) => [call.name, result])).toEqual([
      ["get-sum", "The sum of 3 and 4 is 7."],
      ["get-sum", "The sum of 7 and 5 is 12."],
      ["echo", "Echo: The sum is 12"],
    ]);
    expect(decided).toMatchObject({ status: "terminating", enforcement: { state: "pending" } });
    expect(session).toMatchObject({
      status: "terminated",
      usage: { iterations: 4, toolCalls: 4 },
      enforcement: { state: "confirmed", peps: [{ id: "agent-host", outcome: "enforced" }] },
    });
    expect(lines.at(-1)).toBe("the session is terminated, enforcement confirmed");
  });

  it("does its work and ends its session when nobody stops it, on the same connection", async () => {
    const { controlPlane, operator } = service;
    const id = await startSession(operator);
    const guard = await controlPlane.sessionGuard({ tenantId: operator.tenantId, sessionId: id });
    const { ended, steps } = await runAgent({ guard, tools, planner: addAndWatch([1, 2], 1) });
    await guard.close();
    expect([ended, steps.at(-1)?.result]).toEqual(["done", expect.stringContaining("completed")]);
    const { json } = await operator.send("PUT", `/api/v1/ai/sessions/${id}`, { status: "completed" });
    expect(json).toMatchObject({ status: "completed", usage: { iterations: 4, toolCalls: 3 }, enforcementPoints: [] });
  });
});
