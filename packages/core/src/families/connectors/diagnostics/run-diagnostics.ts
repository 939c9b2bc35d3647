import { type Connector, ConnectorError } from "#connectors/index.js";
import { defineService, type Environment } from "#kernel/config/environment.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { timestamp } from "#ports/clock.js";
import { instanceParts } from "../calls/parts/parts.js";
import { connectorFailureOf } from "../calls/run/failure.js";
import { refusalOf } from "../calls/run/refusal.js";
import { type ConnectorInstance, instances } from "../instances/schema.js";
import { noteTest } from "../registry/change/tested.js";
import { runTest, type Tested } from "../testing/run-test.js";
import { answerOf, failedReport, type TestReport, verdictOfReport } from "../testing/test-report.js";
import { type DiagnosticsRun, diagnosticsRuns } from "./schema.js";

/** A finished test of a connection as it was when the test began. */
export interface FinishedTest {
  readonly instance: ConnectorInstance;
  readonly tested: Tested;
  readonly connectorVersion: string;
  readonly startedAt: string;
  readonly endedAt: string;
}

/** Tests under way in this process, by tenant and connection. */
const underWay = defineService("connectors.tests", () => new Map<string, Promise<FinishedTest>>());

/** Tests a stored connection, outside of transactions. Tests of one connection that are asked for at once are one. */
export function testInstance(ctx: ReadContext, instance: ConnectorInstance): Promise<FinishedTest> {
  const running = ctx.env.use(underWay);
  const key = `${ctx.db.tenantId} ${instance.id}`;
  const run = running.get(key) ?? test(ctx, instance).finally(() => running.delete(key));
  running.set(key, run);
  return run;
}

async function test(ctx: ReadContext, instance: ConnectorInstance): Promise<FinishedTest> {
  const { env, now: startedAt } = ctx;
  const connector = env.connectors.get(instance.providerKey);
  if (!connector) throw new ReeveError("not_configured", "The connector is not there any more.");
  try {
    const tested = await testOf(ctx, instance, connector);
    const endedAt = endOf(env, startedAt);
    return { instance, tested, connectorVersion: connector.manifest.version, startedAt, endedAt };
  } catch (error) {
    throw refusalOf(error);
  }
}

/** A configuration that does not fit a newer connector is what the test finds. */
function testOf({ env, db, request }: ReadContext, instance: ConnectorInstance, connector: Connector): Promise<Tested> {
  const parts = (() => {
    try {
      return instanceParts(env, db.tenantId, instance, connector);
    } catch (error) {
      return connectorFailureOf(error, "test");
    }
  })();
  if (!ConnectorError.is(parts)) return runTest(env, connector, parts, request.requestId);
  const report = failedReport(connector, parts);
  return Promise.resolve({ report, verdict: verdictOfReport(report, parts), failure: parts });
}

function endOf({ clock }: Environment, startedAt: string): string {
  const now = timestamp(clock.now());
  return now < startedAt ? startedAt : now;
}

/** Stores a finished test, and counts it towards the health of the connection. */
export async function recordTest(
  ctx: Context,
  { instance, tested, connectorVersion, startedAt, endedAt }: FinishedTest,
  trigger: DiagnosticsRun["trigger"],
  said: { readonly reason?: string | undefined; readonly metadata?: Record<string, unknown> | undefined } = {},
): Promise<DiagnosticsRun> {
  const { report } = tested;
  const held = await ctx.getOrThrow(instances, instance.id);
  const noted = await noteTest(ctx, held, tested);
  const after = await ctx.update(instances, noted, { lastCheckAt: endedAt }, { event: false, copy: true, touch: true });
  const checks = [...report.checks, ...targetCheck(instance, report)];
  return ctx.insert(diagnosticsRuns, {
    connectorInstanceId: instance.id,
    trigger,
    reason: said.reason ?? null,
    metadata: said.metadata ?? {},
    status: outcomeOf({ ...report, checks }),
    checks,
    capabilities: report.capabilities,
    failure: report.failure,
    configurationVersion: instance.configurationVersion,
    connectorVersion,
    healthBefore: held.health,
    healthAfter: after.health,
    startedAt,
    endedAt,
  });
}

/** A check of whether the same system answers as in the last test that passed. */
function targetCheck({ target }: ConnectorInstance, report: TestReport): TestReport["checks"] {
  const answer = answerOf(target, report);
  if (answer === "same" || report.failure) return [];
  const check = { id: "target", category: "config" } as const;
  return answer === "other"
    ? [
        {
          ...check,
          status: "fail",
          message: "Another system answers than before, so ids of what it lists mean something else.",
        },
      ]
    : [{ ...check, status: "warn", message: "The system does not say any more which one it is." }];
}

function outcomeOf({ failure, checks }: Pick<TestReport, "failure" | "checks">): DiagnosticsRun["status"] {
  const reported = new Set(checks.map(({ status }) => status));
  return failure || reported.has("fail") ? "failed" : reported.has("warn") ? "warning" : "passed";
}
