import type { Capability, CheckResult, ConnectionTest } from "@reeve/core/connectors";
import { targetAt } from "../fields.js";
import { publicRole } from "./access.js";
import type { Fossil } from "./configuration.js";
import { projectAt } from "./repositories.js";

/** Whether the user may manage users of each repository, and which are public. Reads only. */
export async function testConnection(ctx: Fossil): Promise<ConnectionTest> {
  const [open, fixed]: [string[], string[]] = [[], []];
  for (const repository of ctx.config.repositories) {
    const project = await projectAt(ctx, repository);
    if (await publicRole(project)) open.push(repository);
    if (!project.session.capabilities.includes("s")) fixed.push(repository);
  }
  const { baseUrl, repositories } = ctx.config;
  const message = `Users of ${repositories.length} repositories may be listed.`;
  return {
    checks: [
      { id: "users", category: "permission", capability: "observe", status: "pass", message },
      ...(["grant", "revoke", "modify"] as const).map((capability) => changing(capability, fixed)),
      publicity(open),
    ],
    target: targetAt(baseUrl),
  };
}

function changing(capability: Capability, fixed: readonly string[]): CheckResult {
  const check = { id: capability, category: "permission", capability } as const;
  if (fixed.length === 0) return { ...check, status: "pass", message: "The user may change what others may do." };
  const remediation = "Give the user capability `s` in each.";
  return { ...check, status: "fail", message: `The user changes nobody in: ${fixed.join(", ")}.`, remediation };
}

function publicity(open: readonly string[]): CheckResult {
  const [id, category] = ["public", "permission"] as const;
  if (open.length === 0) return { id, category, status: "pass", message: "No repository is public." };
  const remediation = "Take the capabilities from the user `nobody` of each.";
  return { id, category, status: "warn", message: `Everybody may read: ${open.join(", ")}.`, remediation };
}
