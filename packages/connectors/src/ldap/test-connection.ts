import { type CheckResult, type ConnectionTest, ConnectorError } from "@reeve/core/connectors";
import { idOf, valuesOf, WHO } from "./entries.js";
import { allGroups } from "./groups.js";
import type { Directory } from "./manifest.js";
import { signedIn } from "./session.js";

const PAGED_RESULTS = "1.2.840.113556.1.4.319";
const ROOT = "";

/** Signs in, and says what may be read. Whether groups may be changed is not told beforehand. */
export async function testConnection(ctx: Directory): Promise<ConnectionTest> {
  const started = performance.now();
  return signedIn(ctx, async (session) => {
    const latencyMs = Math.round(performance.now() - started);
    const [root, base] = await Promise.all([
      session.entry(ROOT, ["supportedControl"]),
      session.entry(ctx.config.baseDn, WHO),
    ]);
    if (!base) throw new ConnectorError("config", "The base is not there, or may not be seen.", { code: "base" });
    const id = idOf(base);
    const { groups, whole } = await allGroups(session, ctx);
    const pages = root !== undefined && valuesOf(root, "supportedControl").includes(PAGED_RESULTS);
    return {
      checks: [
        { id: "sign_in", category: "auth", status: "pass", message: "The directory lets the user in.", latencyMs },
        ...(ctx.config.tls === "off" ? [PLAIN] : []),
        {
          id: "pages",
          category: "capability",
          status: pages ? "pass" : "warn",
          message: pages ? "The directory lists in pages." : "The directory lists only up to its limit.",
        },
        id
          ? { id: "ids", category: "schema", status: "pass", message: "Entries have an entryUUID." }
          : { id: "ids", category: "schema", status: "fail", message: "Entries have no entryUUID that may be read." },
        ...(["resources", "observe", "verify"] as const).map((capability) => reading(capability, groups.length, whole)),
        ...(["grant", "revoke"] as const).map(writing),
      ],
      target: id ? { id, name: base.dn } : null,
    };
  });
}

const PLAIN: CheckResult = {
  id: "tls",
  category: "network",
  status: "warn",
  message: "The password and all answers are sent in plain text.",
  remediation: "Set tls to ldaps or starttls.",
};

function reading(capability: "resources" | "observe" | "verify", groups: number, whole: boolean): CheckResult {
  const missing = groups === 0 ? "No groups may be seen." : whole ? undefined : "Some groups are on other servers.";
  return {
    id: capability,
    category: "permission",
    capability,
    status: missing ? "warn" : "pass",
    message: missing ?? `${groups} groups may be seen.`,
  };
}

const writing = (capability: "grant" | "revoke"): CheckResult => ({
  id: capability,
  category: "permission",
  capability,
  status: "skip",
  message: "The directory does not tell beforehand who may change a group.",
});
