import { type CheckResult, type ConnectionTest, ConnectorError } from "@reeve/core/connectors";
import type { FilterOptions } from "../asked-attributes.js";
import { idOf, valuesOf, WHO } from "./entries.js";
import { parsedFilter, requireShownFilter, unknownAttributes } from "./filter.js";
import { allGroups } from "./groups.js";
import type { Directory } from "./manifest.js";
import { type Session, signedIn } from "./session.js";

const PAGED_RESULTS = "1.2.840.113556.1.4.319";
const ROOT = "";

/** Signs in, and says what may be read. Whether groups may be changed is not told beforehand. */
export async function testConnection(
  ctx: Directory,
  { filterAttributes = [] }: FilterOptions = {},
): Promise<ConnectionTest> {
  const started = performance.now();
  return signedIn(ctx, async (session) => {
    const latencyMs = Math.round(performance.now() - started);
    const [root, base] = await Promise.all([
      session.entry(ROOT, ["supportedControl"]),
      session.entry(ctx.config.baseDn, WHO),
    ]);
    if (!base) throw new ConnectorError("config", "The base is not there, or may not be seen.", { code: "base" });
    const id = idOf(base);
    const { groups, rejected, whole } = await allGroups(session, ctx);
    const pages = root !== undefined && valuesOf(root, "supportedControl").includes(PAGED_RESULTS);
    return {
      checks: [
        { id: "sign_in", category: "auth", status: "pass", message: "The directory lets the user in.", latencyMs },
        ...(ctx.config.tls === "off" ? [PLAIN] : []),
        { id: "pages", category: "capability", status: pages ? "pass" : "warn", message: pages ? PAGES : NO_PAGES },
        idsOf(id !== undefined || groups.length > 0, rejected.length),
        ...(await filterCheck(session, ctx, filterAttributes)),
        ...(["resources", "observe", "verify"] as const).map((capability) => reading(capability, groups.length, whole)),
        ...(["grant", "revoke"] as const).map(writing),
      ],
      target: id ? { id, name: base.dn } : null,
    };
  });
}

const PAGES = "The directory lists in pages. OpenLDAP counts all of them against the size limit of the user.";
const NO_PAGES = "The directory lists only up to its limit.";

/** The base may have no id although others do, as in 389 Directory Server, or hide it. */
function idsOf(found: boolean, without: number): CheckResult {
  const id = { id: "ids", category: "schema" } as const;
  if (!found)
    return { ...id, status: "fail", message: "No entry has an entryUUID or nsUniqueId that the user may read." };
  if (without === 0) return { ...id, status: "pass", message: "Entries have an id that stays when they are renamed." };
  return { ...id, status: "warn", message: `${without} groups have no id or no name that can be used.` };
}

async function filterCheck(
  session: Session,
  { config }: Directory,
  more: readonly string[],
): Promise<readonly CheckResult[]> {
  if (config.identityFilter === undefined) return [];
  const filter = parsedFilter(session, config.identityFilter);
  const unknown = await unknownAttributes(session, filter);
  const check = { id: "filter", category: "schema", capability: "discover" } as const;
  if (unknown === undefined || unknown.length === 0) requireShownFilter(filter, more);
  if (unknown === undefined)
    return [
      {
        ...check,
        status: "warn",
        message: "The schema cannot be read, so attributes of identityFilter are not checked.",
      },
    ];
  const [name] = unknown;
  if (name === undefined)
    return [{ ...check, status: "pass", message: "The schema has the attributes of identityFilter." }];
  const message = `The schema has no attribute ${name}, which identityFilter names.`;
  return [{ ...check, status: "fail", message, remediation: "Name attributes of the schema only." }];
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
