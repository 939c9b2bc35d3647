import { randomUUID } from "node:crypto";
import type { Reader, Store, Writer } from "@reeve/core/store";
import { expect } from "vitest";
import { type Thing, things } from "./collections.js";

/** A migrated store for one case, and how to dispose of it. */
export interface StoreUnderTest {
  readonly store: Store;
  /** Opens the same data again after `store.close()`. Absent when nothing outlives the process. */
  readonly reopen?: () => Promise<Store>;
  dispose(): Promise<void>;
}

/** A case that a store skips, with the reason to print. `case` is "group > case". */
export interface Skip {
  readonly case: string;
  readonly reason: string;
}

/** What a case of the contract gets. */
export interface Contract {
  readonly store: Store;
  /** The number of competing callers. */
  readonly parallel: number;
  /** A tenant that no other case uses. */
  readonly owner: Writer;
  /** A tenant without data. */
  readonly stranger: Writer;
  /** Another tenant that no other case uses. */
  tenant(): Writer;
  reopen(): Promise<Store>;
}

export type Case = (contract: Contract) => Promise<void>;

/** The cases of one part of the contract by name. */
export type CaseGroup = Readonly<Record<string, Case>>;

export function contractOn(under: StoreUnderTest, parallel: number): Contract {
  const { store } = under;
  const tenant = () => store.forTenant(`ten_${randomUUID()}`);
  return {
    store,
    parallel,
    owner: tenant(),
    stranger: tenant(),
    tenant,
    reopen: () => {
      if (!under.reopen) throw new Error("create() gave no reopen: skip this case with a reason");
      return under.reopen();
    },
  };
}

/** A query of stored things, with the answer that each tenant must get. */
export interface Question<T> {
  readonly given: readonly Thing[];
  /** What the owner does before the query. */
  readonly change?: (owner: Writer) => Promise<unknown>;
  readonly ask: (as: Reader) => Promise<T>;
  readonly owner: T;
  /** The answer to a tenant without data. */
  readonly stranger: T;
  /** The answer to a tenant with records of the same ids and without the change; the owner's when absent. */
  readonly twin?: T;
}

/** Marks the twin's records, to tell them from the owner's. */
export const TWIN = "kept by the twin";

/**
 * Runs one query as the owner, as a tenant without data, and as a tenant with other records under the same ids. No
 * answer may depend on another tenant's data.
 */
export async function asOwnerAndStranger<T>(contract: Contract, question: Question<T>): Promise<void> {
  const twin = contract.tenant();
  await contract.owner.insertMany(things, question.given);
  await twin.insertMany(
    things,
    question.given.map((thing) => ({ ...thing, extra: TWIN })),
  );
  await question.change?.(contract.owner);
  expect(await question.ask(contract.owner), "asked as the owner").toEqual(question.owner);
  expect(await question.ask(contract.stranger), "asked as a stranger").toEqual(question.stranger);
  const answer = "twin" in question ? question.twin : question.owner;
  expect(await question.ask(twin), "asked as a stranger holding the same ids").toEqual(answer);
  await expectOwnTexts(twin);
}

async function expectOwnTexts(twin: Writer): Promise<void> {
  const rows = await twin.scan(things, { size: 1_000 });
  for (const row of rows) {
    expect(row.tenantId).toBe(twin.tenantId);
    expect(row.value.extra, "a record of the twin").toBe(TWIN);
  }
}
