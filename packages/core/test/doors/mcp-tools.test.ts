import { table } from "@reeve/testkit";
import { describe, expect, it } from "vitest";
import { describeTool, partsOf, toolNameOf } from "#families/doors/mcp/tools/describe-tool.js";
import { type DescribedOperation, effectOf } from "#kernel/operation/operation.js";
import { toolMistakes, toolUse } from "#kernel/operation/tools.js";

const TOOLS = table.filter((operation) => toolUse(operation) !== undefined);

/** Every tool that is no plain read. A new one is added here by somebody who has looked at what comes of it. */
const MARKED = {
  explain: [
    ...["accessRequests.preview", "aiGovernance.backTestPolicy", "aiGovernance.readEnums", "aiGovernance.testPolicy"],
    ...["aiGovernance.validatePolicy", "me.read", "names.list"],
  ],
  propose: [
    ...["aiAgents.create", "aiAssessments.create", "aiAssets.create", "aiGovernancePolicies.create", "aiModels.create"],
    ...["aiTools.create", "mcpServers.create", "reviews.comment"],
  ],
  request: [
    ...["accessRequests.create", "aiAssessments.submit", "aiExemptions.create"],
    ...["aiGovernancePolicies.requestActivation"],
  ],
};
/** What decides, puts in force, takes away, lifts, erases, gives out, or sets. */
const DECIDES =
  /approve|reject|decide|decision|confirm|activate\b|enforce|lift|erase|erasure|revoke|issue|rotate|credential|password|secret|grant|certif|attest|accept|suppress|provision|enable|disable|suspend|resume|terminate|install|publish|release|restore|classif|delete|remove|settings|domain|import|execute|sign|\btoken/i;

describe("which operations are tools", () => {
  it("is said for each one that is no plain read", () => {
    for (const use of ["explain", "propose", "request"] as const)
      expect(
        TOOLS.filter((one) => toolUse(one) === use)
          .map(({ id }) => id)
          .sort(),
      ).toEqual(MARKED[use]);
    const reads = TOOLS.filter((one) => toolUse(one) === "read");
    expect(reads.length).toBeGreaterThan(150);
    for (const operation of reads) {
      expect([operation.method, effectOf(operation), operation.secret]).toEqual(["GET", "read", undefined]);
      expect(operation.path.startsWith("/api/v1/")).toBe(true);
    }
  });

  it("lets none in that decides, by its name, its path or its permission", () => {
    const writes = TOOLS.filter((operation) => effectOf(operation) !== "read");
    expect(writes).toHaveLength(MARKED.propose.length + MARKED.request.length);
    for (const { id, path, access, method, secret } of writes) {
      const permission = typeof access === "object" ? access.permission : "";
      expect(`${id} ${path} ${permission}`).not.toMatch(DECIDES);
      expect([id, secret ?? false]).toEqual([id, false]);
      expect(["POST", "PATCH"]).toContain(method);
    }
  });

  it("keeps out whatever a declaration does not say to be in, and whatever is marked wrongly", () => {
    const plain = { ...table.find(({ id }) => id === "aiExemptions.create") } as DescribedOperation;
    expect(toolUse(plain)).toBe("request");
    const { agents: _agents, ...unmarked } = plain;
    expect(toolUse(unmarked as DescribedOperation)).toBeUndefined();
    const wrong: Partial<DescribedOperation>[] = [
      { id: "aiExemptions.approve" },
      { id: "aiExemptions.createOrApprove" },
      { access: { permission: "ai-exemption:approve" } },
      { access: { permission: "ai-exemption:request", provider: true } },
      { access: "signed-in" },
      { access: "public" },
      { method: "DELETE" },
      { method: "PUT" },
      { secret: true },
      { stops: true },
      { effect: "own" },
      { effect: "read" },
      { mount: "doors" },
      { success: { status: 204 } },
      { success: { ...plain.success, media: "text/html" } },
    ];
    for (const change of wrong) {
      const changed = { ...plain, ...change } as DescribedOperation;
      expect([change, toolUse(changed)]).toEqual([change, undefined]);
      expect(toolMistakes(changed).length).toBeGreaterThan(0);
    }
  });

  it("gives each names that do not meet, and a schema that describes all that it takes", () => {
    for (const operation of TOOLS) {
      const { params, query, body } = partsOf(operation);
      const names = [...params, ...query, "body", "idempotencyKey"];
      expect(new Set(names).size).toBe(names.length);
      expect(body ?? []).not.toContain("status");
      const { name, inputSchema } = describeTool(operation, toolUse(operation) ?? "read");
      expect(name).toBe(toolNameOf(operation));
      const properties = inputSchema.properties as Record<string, { properties?: object }>;
      expect(Object.keys(properties)).toEqual(expect.arrayContaining([...params, ...query]));
      expect(Object.keys(properties.body?.properties ?? {}).sort()).toEqual([...(body ?? [])].sort());
    }
  });
});
