import type { InstanceParts } from "#connectors/call/parts.js";
import type { Connector } from "#connectors/connector.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { partsOf } from "../../calls/parts/parts.js";
import { refusalOf } from "../../calls/run/refusal.js";
import { noteHealth } from "../../instances/health/note.js";
import type { ConnectorInstance } from "../../instances/schema.js";
import { runTest, type Tested } from "../../testing/run-test.js";

/** Tests a connection for a request. 503 while nothing may be called. */
export async function testWith(
  ctx: ReadContext,
  connector: Connector,
  own: Pick<InstanceParts, "instanceId" | "config" | "secrets" | "state">,
): Promise<Tested> {
  const parts = partsOf(ctx.env, ctx.principal.tenantId, own);
  try {
    return await runTest(ctx.env, connector, parts, ctx.request.requestId);
  } catch (error) {
    throw refusalOf(error);
  }
}

/** 409 with the report unless the test has passed. */
export function requireOk({ report }: Tested): void {
  if (!report.ok)
    throw new ReeveError("connection_test_failed", report.failure?.message, { members: { test: report } });
}

/** The test that a configuration rests on from now on. `null` where there was none. */
export function lastTestOf(
  { now }: ReadContext,
  tested: Tested | undefined,
  skipped: boolean,
  configurationVersion: number,
): ConnectorInstance["lastTest"] {
  if (!tested && !skipped) return null;
  return { outcome: tested ? "passed" : "skipped", configurationVersion, at: now };
}

/** Counts a test towards the health of an instance. */
export async function noteTest(
  ctx: Context,
  instance: ConnectorInstance,
  tested: Tested | undefined,
): Promise<ConnectorInstance> {
  if (!tested?.verdict) return instance;
  const { verdict, failure } = tested;
  return (await noteHealth(ctx, instance.id, { verdict, failure, isTest: true })) ?? instance;
}
