import { Mask } from "#connectors/call/mask.js";
import type { InstanceParts } from "#connectors/call/parts.js";
import { logUnexpected } from "#connectors/call/unexpected.js";
import type { Connector } from "#connectors/connector.js";
import { ConnectorError } from "#connectors/error.js";
import type { Environment } from "#kernel/config/environment.js";
import { connectorCalls } from "../calls/run/calls.js";
import { connectorFailureOf } from "../calls/run/failure.js";
import type { Verdict } from "../instances/health/streak.js";
import { failedReport, reportOf, type TestReport, verdictOfReport } from "./test-report.js";

/** The longest that somebody waits for a test, in milliseconds. */
export const PATIENCE = 20_000;

/** A report, with what it says about the health of the instance. */
export interface Tested {
  readonly report: TestReport;
  readonly verdict: Verdict | undefined;
  readonly failure: ConnectorError | undefined;
}

/**
 * Tests a connection, outside of transactions. A target that fails is a report. Rejects with `ConnectorError` only
 * where this side does not call: while calls are switched off, or too many wait.
 */
export async function runTest(
  env: Environment,
  connector: Connector,
  parts: InstanceParts,
  correlationId: string,
): Promise<Tested> {
  const facts = {
    capability: "test",
    correlationId,
    idempotencyKey: correlationId,
    signal: AbortSignal.timeout(PATIENCE),
  } as const;
  try {
    const answer = await env.use(connectorCalls).run(connector, parts, facts, (to, ctx) => to.testConnection(ctx));
    const { values } = await parts.secrets.read();
    const report = reportOf(connector, answer, Object.values(values));
    return { report, verdict: verdictOfReport(report), failure: undefined };
  } catch (error) {
    // What a call has failed by is logged already. This is an answer that cannot be read.
    if (!ConnectorError.is(error)) await logUnexpected(error, { connector, parts, facts, mask: new Mask() });
    const failure = connectorFailureOf(error, "test");
    const report = failedReport(connector, failure);
    const verdict = verdictOfReport(report, failure);
    if (verdict === undefined && failure.code !== "abandoned") throw failure;
    return { report, verdict, failure };
  }
}
