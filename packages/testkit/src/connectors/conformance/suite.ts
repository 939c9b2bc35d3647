import type { Connector } from "@reeve/core/connectors";
import { afterAll, beforeAll, describe, it } from "vitest";
import { Bench } from "./bench.js";
import type { ConformanceSkip } from "./case.js";
import { casesFor } from "./cases/index.js";
import type { ConformanceTarget } from "./target.js";

export interface ConformanceOptions {
  readonly skips?: readonly ConformanceSkip[];
}

/**
 * Declares, as vitest cases, what a connector must do by the capabilities it claims. `open` starts or reaches a real
 * target, once for the suite.
 */
export function connectorConformance(
  connector: Connector,
  open: () => Promise<ConformanceTarget>,
  { skips = [] }: ConformanceOptions = {},
): void {
  const cases = casesFor(connector);
  refuseUnknown(cases, skips);
  describe(`connector conformance: ${connector.manifest.providerKey}`, () => {
    let bench: Bench;
    beforeAll(async () => {
      bench = await Bench.open(connector, open);
    });
    afterAll(() => bench?.close());
    for (const one of cases)
      it(one.name, async (context) => {
        const skip = skips.find((given) => given.case === one.name);
        if (skip) context.skip(skip.reason);
        await bench.reset();
        const untried = await one.run(bench);
        if (untried) context.skip(untried);
      });
  });
}

/** The names of the cases that apply to a connector, which `skips` may name. */
export const conformanceCases = (connector: Connector): readonly string[] =>
  casesFor(connector).map(({ name }) => name);

/** What is wrong with a connector, by case, without declaring tests. */
export async function conformanceFaults(
  connector: Connector,
  open: () => Promise<ConformanceTarget>,
  { skips = [] }: ConformanceOptions = {},
): Promise<ReadonlyMap<string, Error>> {
  const cases = casesFor(connector);
  refuseUnknown(cases, skips);
  const faults = new Map<string, Error>();
  const bench = await Bench.open(connector, open);
  try {
    for (const one of cases.filter(({ name }) => !skips.some((skip) => skip.case === name))) {
      await bench.reset();
      await one.run(bench).catch((error: Error) => void faults.set(one.name, error));
    }
  } finally {
    await bench.close();
  }
  return faults;
}

function refuseUnknown(cases: readonly { readonly name: string }[], skips: readonly ConformanceSkip[]): void {
  const unknown = skips.map((skip) => skip.case).filter((name) => !cases.some((one) => one.name === name));
  if (unknown.length > 0) throw new Error(`skips name no case of this connector: ${unknown.join(", ")}`);
}
