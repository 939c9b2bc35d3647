import { Mask } from "#connectors/call/mask.js";
import { CAPABILITIES, type Capability } from "#connectors/capabilities.js";
import type { Connector } from "#connectors/connector.js";
import { ConnectorError, MISCONFIGURED } from "#connectors/error.js";
import { z } from "#schema/z.js";
import { FAILURE } from "../instances/fields.js";
import { type Verdict, verdictOf } from "../instances/health/streak.js";

const MOST_CHECKS = 50;
/** A text of a connector, bounded in length. */
const Said = (length: number) => z.string().transform((text) => text.slice(0, length));

/** One statement of a test, as it is shown. */
export const ConnectionCheck = z
  .object({
    id: z.string().meta({ description: "Stays the same from test to test." }),
    category: z
      .enum(["config", "network", "auth", "permission", "rate_limit", "schema", "capability"])
      .meta({ description: "What it is about." }),
    status: z.enum(["pass", "warn", "fail", "skip"]).meta({ description: "What came of it." }),
    message: z.string().meta({ description: "The outcome in words for people." }),
    remediation: z.string().optional().meta({ description: "What mends the failure." }),
    latencyMs: z.number().min(0).optional().meta({ description: "Milliseconds that it took." }),
    capability: z
      .enum(Object.keys(CAPABILITIES) as [Capability, ...Capability[]])
      .optional()
      .meta({ description: "The capability that works only if this passes." }),
  })
  .meta({ id: "ConnectionCheck" });

const Believed = ConnectionCheck.extend({ id: Said(100), message: Said(500), remediation: Said(500).optional() });

/** What a connector answers to a test, as far as it is believed. */
const Answered = z.object({
  checks: z.array(Believed).max(MOST_CHECKS),
  target: z.object({ id: Said(500).pipe(z.string().min(1)), name: Said(500) }).nullable(),
});

const WORKS = ["works", "denied", "unknown"] as const;

/** What a test of a connection has found. */
export const TestReport = z
  .object({
    ok: z.boolean().meta({ description: "Whether the connection works, if not for everything." }),
    checks: z.array(ConnectionCheck).meta({ description: "What was looked at." }),
    capabilities: z
      .record(z.string(), z.enum(WORKS))
      .meta({ description: "Per capability of the connector, whether it will work." }),
    target: z
      .object({
        id: z.string().meta({ description: "As the connector names it for good." }),
        name: z.string().meta({ description: "The name that people are shown." }),
      })
      .nullable()
      .meta({ description: "Which system answered." }),
    failure: z.object(FAILURE).nullable().meta({ description: "Why there was no answer." }),
  })
  .meta({ id: "ConnectionTest", description: "What a test of a connection has found." });
export type TestReport = z.output<typeof TestReport>;

/** The report of an answer, without secrets. Throws `ConnectorError` for an answer that is none. */
export function reportOf(connector: Connector, given: unknown, secrets: Iterable<string>): TestReport {
  const mask = new Mask();
  mask.hide(secrets);
  const { success, data } = Answered.safeParse(mask.value(given));
  if (!success) throw new ConnectorError("fatal", "The connector gave no valid answer.", { code: "invalid_answer" });
  const ok = !data.checks.some(({ status, capability }) => status === "fail" && capability === undefined);
  const capabilities = capabilitiesOf(connector, (name) => {
    if (name === "test") return ok ? "works" : "denied";
    const reported = data.checks.filter(({ capability }) => capability === name).map(({ status }) => status);
    if (reported.includes("fail")) return "denied";
    return ok && reported.length > 0 && reported.every((status) => status === "pass") ? "works" : "unknown";
  });
  return { ok, ...data, capabilities, failure: null };
}

/** The report of a test that got no answer. */
export function failedReport(connector: Connector, { errorClass, code, message }: ConnectorError): TestReport {
  const denied = errorClass === "auth" || errorClass === "permission";
  return {
    ok: false,
    checks: [],
    capabilities: capabilitiesOf(connector, () => (denied ? "denied" : "unknown")),
    target: null,
    failure: { errorClass, code: code ?? null, message },
  };
}

function capabilitiesOf({ manifest }: Connector, of: (name: Capability) => (typeof WORKS)[number]) {
  return Object.fromEntries(manifest.capabilities.map((name) => [name, of(name)]));
}

/** What a report says about the health of an instance; `undefined` for a failure that is not the target's. */
export function verdictOfReport({ ok, checks, failure }: TestReport, thrown?: unknown): Verdict | undefined {
  if (failure) return verdictOf(thrown, "test");
  if (ok) return checks.some(({ status }) => status === "fail") ? "partial" : "works";
  const isMisfit = checks.some(
    ({ status, category, capability }) =>
      status === "fail" && capability === undefined && MISCONFIGURED.has(category as "config"),
  );
  return isMisfit ? "misfits" : "fails";
}

/**
 * Whether a report is of the system that the ids of an instance are of. `unknown`: the test failed, or the system does
 * not say which it is, which must not pass for the same one.
 */
export function answerOf(held: { readonly id: string } | null, report: TestReport): "same" | "other" | "unknown" {
  if (!held) return "same";
  if (!report.target) return "unknown";
  return report.target.id === held.id ? "same" : "other";
}
