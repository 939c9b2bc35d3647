import type { Connector } from "@reeve/core/connectors";
import type { ConformanceCase } from "../case.js";
import { accessCases } from "./access.js";
import { connectionCases } from "./connection.js";
import { cutCases } from "./cuts.js";
import { failureCases } from "./failures.js";
import { hiddenCases } from "./hidden.js";
import { listingCases } from "./listings.js";
import { otherCases } from "./others.js";
import { principalCases } from "./principals.js";
import { wholeCases } from "./whole.js";

const ALL: readonly ConformanceCase[] = [
  ...connectionCases,
  ...listingCases,
  ...wholeCases,
  ...accessCases,
  ...hiddenCases,
  ...principalCases,
  ...otherCases,
  ...failureCases,
  ...cutCases,
];

/** The cases that apply to a connector, by what it claims. */
export function casesFor(connector: Connector): readonly ConformanceCase[] {
  const claimed = new Set(connector.manifest.capabilities);
  return ALL.filter(
    ({ needs = [], applies }) => needs.every((name) => claimed.has(name)) && (applies?.({ connector }) ?? true),
  );
}
