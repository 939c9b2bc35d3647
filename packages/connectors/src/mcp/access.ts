import {
  type ApplyResult,
  ConnectorError,
  type GrantSpec,
  type ObservedProfile,
  type Page,
  type PageRequest,
  type ProfileQuery,
  pageOf,
  type VerifyResult,
} from "@reeve/core/connectors";
import type { Server } from "./manifest.js";
import { type OpenedTool, profileOf } from "./opened.js";

const LEVELS = { read: 1, write: 2, destructive: 3 } as const;

/** One profile for each tool that is opened: calling it. */
export async function listProfiles(
  tools: readonly OpenedTool[],
  { resourceType, resource }: ProfileQuery,
  page: PageRequest,
): Promise<Page<ObservedProfile>> {
  const asked = resourceType === "tool" ? tools : [];
  const named = resource ? asked.filter(({ name }) => name === resource.externalId) : asked;
  return pageOf(named.map(profile), page);
}

const profile = (tool: OpenedTool): ObservedProfile => ({
  externalId: profileOf(tool),
  resourceType: "tool",
  resource: { type: "tool", externalId: tool.name },
  name: `Call ${tool.name}`,
  description: tool.description,
  permissions: [`tools/call ${tool.name}`],
  privilegeLevel: LEVELS[tool.effect],
  grantableTo: ["agent"],
});

const keyOf = ({ resource, principal }: Pick<GrantSpec, "resource" | "principal">) =>
  `access ${JSON.stringify([principal.type, principal.externalId, resource.externalId])}`;

/** Whether somebody may call a tool, as this connection keeps it. The server itself has no list of that. */
export const mayCall = async (ctx: Server, one: Pick<GrantSpec, "resource" | "principal">): Promise<boolean> =>
  (await ctx.state.get(keyOf(one))) === true;

export async function grant(tools: readonly OpenedTool[], ctx: Server, spec: GrantSpec): Promise<ApplyResult> {
  const { resource, profileExternalId } = spec;
  const tool = tools.find(({ name }) => resource.type === "tool" && name === resource.externalId);
  if (!tool)
    throw new ConnectorError("not_found", "There is no such tool that is opened.", { code: "resource_missing" });
  if (profileOf(tool) !== profileExternalId)
    throw new ConnectorError("invalid", "The profile is of another tool.", { code: "profile" });
  if (await mayCall(ctx, spec)) return { outcome: "already_applied" };
  await ctx.state.put(keyOf(spec), true);
  return { outcome: "applied" };
}

export async function revoke(ctx: Server, spec: GrantSpec): Promise<ApplyResult> {
  if (!(await mayCall(ctx, spec))) return { outcome: "already_applied" };
  // What is forgotten counts no more, so that access that has ended leaves room for other access.
  await ctx.state.delete(keyOf(spec));
  return { outcome: "applied" };
}

export async function verify(ctx: Server, spec: GrantSpec): Promise<VerifyResult> {
  return { presence: (await mayCall(ctx, spec)) ? "present" : "absent", authoritative: true };
}
