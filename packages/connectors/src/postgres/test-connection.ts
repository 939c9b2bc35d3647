import type { CheckResult, ConnectionTest } from "@reeve/core/connectors";
import { z } from "zod";
import type { Server } from "./manifest.js";
import { OBJECTS } from "./resources.js";
import { reading } from "./session.js";

const OLDEST = 140_000;

const Facts = z.object({
  version: z.int(),
  system: z.string(),
  database: z.string(),
  oid: z.string(),
  standby: z.boolean(),
  superuser: z.boolean(),
  signals: z.boolean(),
  objects: z.int(),
  owned: z.int(),
  administered: z.int(),
});
type Facts = z.output<typeof Facts>;

const FACTS = `SELECT current_setting('server_version_num')::int AS version,
    (SELECT system_identifier::text FROM pg_control_system()) AS system, current_database() AS database,
    (SELECT oid::text FROM pg_database WHERE datname = current_database()) AS oid,
    pg_is_in_recovery() AS standby,
    (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AS superuser,
    pg_has_role('pg_signal_backend', 'USAGE') AS signals, count(*)::int AS objects,
    count(*) FILTER (WHERE pg_has_role(owner, 'USAGE'))::int AS owned,
    (SELECT count(*)::int FROM pg_auth_members m WHERE admin_option AND pg_has_role(m.member, 'USAGE')) AS administered
  FROM (SELECT owner FROM (${OBJECTS.schema}) AS s UNION ALL SELECT owner FROM (${OBJECTS.table}) AS t) AS object`;

/** Signs in, and says what the role may be used for. */
export async function testConnection(ctx: Server): Promise<ConnectionTest> {
  const started = performance.now();
  const [facts] = await reading(ctx, (session) => session.rows(Facts, FACTS));
  if (!facts) return { checks: [], target: null };
  const { system, database, oid, version } = facts;
  return {
    checks: [
      {
        id: "sign_in",
        category: "auth",
        status: "pass",
        message: `The role signs in to PostgreSQL ${Math.floor(version / 10_000)}.`,
        latencyMs: Math.round(performance.now() - started),
      },
      version < OLDEST
        ? { id: "version", category: "config", status: "fail", message: "The server is older than version 14." }
        : { id: "version", category: "config", status: "pass", message: "The version is supported." },
      ...(ctx.config.tls === "off" ? [PLAIN] : []),
      ...(["grant", "revoke", "modify"] as const).map((capability) => ({
        id: capability,
        capability,
        ...changes(facts),
      })),
      { id: "sessions", capability: "sessions", ...ending(facts) },
    ],
    target: { id: `${system}/${oid}`, name: database },
  };
}

const PLAIN: CheckResult = {
  id: "tls",
  category: "network",
  status: "warn",
  message: "Passwords and answers are sent in plain text.",
  remediation: "Set tls to verify.",
};

type Verdict = Pick<CheckResult, "category" | "status" | "message" | "remediation">;

function changes({ standby, superuser, objects, owned, administered }: Facts): Verdict {
  const category = "permission";
  if (standby) return { category, status: "fail", message: "The server is a standby, which only reads." };
  if (superuser) return { category, status: "pass", message: "The role is a superuser." };
  const message = `The role acts for the owner of ${owned} of ${objects} schemas and tables, and administers ${administered} memberships.`;
  if (owned === objects && owned > 0) return { category, status: "pass", message };
  const remediation = "Make the role a member of the roles that own what it is to govern.";
  return { category, status: owned + administered > 0 ? "warn" : "fail", message, remediation };
}

const ending = ({ superuser, signals }: Facts): Verdict =>
  superuser || signals
    ? { category: "permission", status: "pass", message: "The role may end sessions of others." }
    : {
        category: "permission",
        status: "warn",
        message: "The role ends sessions of its own roles only.",
        remediation: "Grant it pg_signal_backend.",
      };
