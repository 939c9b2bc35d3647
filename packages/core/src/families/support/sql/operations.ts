import { settings } from "#families/platform/index.js";
import { ReeveError } from "#kernel/http/errors.js";
import { publishedError } from "#kernel/http/store-errors.js";
import { requireReason } from "#kernel/operation/context.js";
import { defineOperation } from "#kernel/operation/operation.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { sha256 } from "#store/chain.js";
import type { SqlConsole } from "#store/sql-console.js";
import { StoreError } from "#store/store-error.js";
import { may } from "../actions/rules.js";
import { LIMITS, SqlResult, SqlRun } from "./schema.js";

/** The audit data of a statement. It leaves out the text, which may contain anything. */
interface Trace {
  readonly reason: string;
  readonly statementSha256: string;
  readonly rowCount: number;
  readonly durationMs: number;
  readonly truncated: boolean;
  /** Why the statement failed. */
  readonly code: string | null;
}

export const runSql = defineOperation({
  id: "support.runSql",
  method: "POST",
  path: "/api/v1/support/sql",
  tag: "Provider Support",
  summary: "Ask one question in SQL across tenants",
  description:
    "Off unless the setting `support.sqlConsole` is on, whose default is the option `sqlConsole`. One reading statement over redacted views, at most five seconds, 1,000 rows and " +
    "1 MiB. The SHA-256 of the statement is audited, with the reason, the number of rows and the time it took.",
  access: may("sql"),
  body: SqlRun,
  success: { status: 200, schema: SqlResult },
  errors: ["missing_reason", "not_configured", "query_timeout"],
  effect: "own",
  killSwitches: ["support.sql"],
  expensive: true,
  async handler(ctx, { body }) {
    const reason = requireReason(body.reason);
    const sqlConsole = consoleOf(ctx);
    const { configuration } = body;
    const begun = ctx.env.clock.now();
    const run = await sqlConsole.run({ ...configuration, ...LIMITS }).catch(refusalOf);
    const refused = ReeveError.is(run);
    const outcome = {
      rowCount: refused ? 0 : run.rows.length,
      truncated: !refused && run.truncated,
      durationMs: Math.round(refused ? ctx.env.clock.now() - begun : run.durationMs),
    };
    // The audit is stored before anything is returned.
    const code = refused ? run.code : null;
    await audit(ctx, { reason, statementSha256: sha256(configuration.statement), ...outcome, code });
    if (refused) throw run;
    return { columns: [...run.columns], rows: run.rows.map((row) => [...row]), ...outcome };
  },
});

function consoleOf(ctx: ReadContext): SqlConsole {
  if (!ctx.env.use(settings).get("support.sqlConsole"))
    throw new ReeveError("not_configured", "The SQL console is switched off.");
  const { console: sqlConsole } = ctx.env.store;
  if (!sqlConsole) throw new ReeveError("not_configured", "The store has no SQL console.");
  return sqlConsole;
}

/** The database's message about the caller's own statement is shown, because it is needed to correct the statement. */
function refusalOf(thrown: unknown): ReeveError {
  if (!(StoreError.is(thrown) && thrown.code === "refused")) return publishedError(thrown);
  const pointer = "/configuration/statement";
  return new ReeveError("invalid_request", "The statement was refused.", {
    errors: [{ pointer, code: "invalid_request", message: thrown.message }],
    cause: thrown,
  });
}

async function audit(ctx: OutsideContext, trace: Trace): Promise<void> {
  const { userId, kind } = ctx.principal;
  await ctx.write((inner) =>
    inner.emit({
      type: "support.sql_run",
      subject: { id: userId, type: kind, path: `/api/v1/users/${userId}` },
      data: { ...trace },
      outcome: trace.code === null ? "success" : "failure",
    }),
  );
}
