import { createDatabase, runSql } from "@reeve/testkit/postgres";
import { inject, vi } from "vitest";
import { afterPage } from "../acme.js";

const database = await createDatabase(inject("postgresUrl"));
const url = new URL(database.url);
url.password ||= "not asked for by the server of tests";
vi.stubEnv("DATABASE_URL", url.href);
/** Roles are of the whole server, so that it has a name of its own. */
const role = `svc_invoices_${process.pid}`;
afterPage(() => runSql(inject("postgresUrl"), `DROP ROLE IF EXISTS ${role}`));
afterPage(() => database.drop());

export const placeholders = [["svc_invoices", role]] as const;
