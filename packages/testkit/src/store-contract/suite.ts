import { describe, it } from "vitest";
import { afterCommitCases } from "./cases/after-commit.js";
import { batchCases } from "./cases/batch.js";
import { counterCases } from "./cases/counters.js";
import { duesCases } from "./cases/dues.js";
import { eventRetentionCases } from "./cases/event-retention.js";
import { eventCases } from "./cases/events.js";
import { findCases } from "./cases/find.js";
import { firstTimeCases } from "./cases/first-times.js";
import { guardCases } from "./cases/guards.js";
import { lifecycleCases } from "./cases/lifecycle.js";
import { listCases } from "./cases/list.js";
import { mistakeCases } from "./cases/mistakes.js";
import { pagingCases } from "./cases/paging.js";
import { platformCases } from "./cases/platform.js";
import { propertyCases } from "./cases/properties.js";
import { publishedListCases } from "./cases/published-lists.js";
import { purgeCases } from "./cases/purge.js";
import { quotaCases } from "./cases/quotas.js";
import { racingCases } from "./cases/racing.js";
import { recordCases } from "./cases/records.js";
import { searchCases } from "./cases/search.js";
import { shapeCases } from "./cases/shapes.js";
import { textCases } from "./cases/text.js";
import { textsFilterCases } from "./cases/texts-filter.js";
import { transactionCases } from "./cases/transactions.js";
import { uniqueCases } from "./cases/unique.js";
import { valueCases } from "./cases/values.js";
import { watchingCases } from "./cases/watching.js";
import { type CaseGroup, contractOn, type Skip, type StoreUnderTest } from "./contract.js";

/** The whole contract, as groups of cases by name. */
const groups: Readonly<Record<string, CaseGroup>> = {
  records: recordCases,
  text: textCases,
  values: valueCases,
  find: findCases,
  "first times": firstTimeCases,
  paging: pagingCases,
  list: listCases,
  "published lists": publishedListCases,
  "filters by one of several texts": textsFilterCases,
  counters: counterCases,
  search: searchCases,
  batch: batchCases,
  unique: uniqueCases,
  guards: guardCases,
  transactions: transactionCases,
  afterCommit: afterCommitCases,
  racing: racingCases,
  events: eventCases,
  retention: eventRetentionCases,
  purge: purgeCases,
  platform: platformCases,
  watching: watchingCases,
  quotas: quotaCases,
  dues: duesCases,
  "shapes of records": shapeCases,
  mistakes: mistakeCases,
  properties: propertyCases,
  lifecycle: lifecycleCases,
};

/** How to run the store contract on a kind of store. */
export interface StoreContractOptions {
  readonly name: string;
  /** Creates a migrated store with `contractCollections` and no rows. Called once per case. */
  create(): Promise<StoreUnderTest>;
  /** The number of competing callers; 50 when absent. */
  readonly concurrency?: number;
  readonly skips?: readonly Skip[];
}

/** Declares the store contract as vitest cases: every rule of the `Store` interface. */
export function describeStoreContract(options: StoreContractOptions): void {
  const skips = new Map(options.skips?.map((skip) => [skip.case, skip.reason]));
  describe(`store contract: ${options.name}`, () => {
    for (const [group, cases] of Object.entries(groups)) describeGroup(options, group, cases, skips);
  });
  const unknown = [...skips.keys()].filter((name) => !caseNames().includes(name));
  if (unknown.length > 0) throw new Error(`skips name no case: ${unknown.join(", ")}`);
}

/** The full names of all cases, as `Skip.case` writes them. */
function caseNames(): string[] {
  return Object.entries(groups).flatMap(([group, cases]) => Object.keys(cases).map((name) => `${group} > ${name}`));
}

function describeGroup(
  options: StoreContractOptions,
  group: string,
  cases: CaseGroup,
  skips: ReadonlyMap<string, string>,
): void {
  describe(group, () => {
    for (const [name, run] of Object.entries(cases)) {
      it(name, async (context) => {
        const reason = skips.get(`${group} > ${name}`);
        if (reason !== undefined) context.skip(reason);
        const under = await options.create();
        try {
          await run(contractOn(under, options.concurrency ?? 50));
        } finally {
          await under.dispose();
        }
      });
    }
  });
}
