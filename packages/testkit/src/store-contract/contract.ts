import { randomUUID } from "node:crypto";
import type { Reader, Store, Writer } from "@reeve/core/store";
import { expect } from "vitest";
import { type Thing, things } from "./collections.js";

/** A migrated store for one case, and how to be rid of it. */
export interface StoreUnderTest {
  readonly store: Store;
  /** Opens what was stored again after `store.close()`; absent when nothing outlives the process. */
  readonly reopen?: () => Promise<Store>;
  dispose(): Promise<void>;
}

/** A case a store does not run, with the reason that is printed instead. `case` is "group > case". */
export interface Skip {
  readonly case: string;
  readonly reason: string;
}

/** What a case of the contract works with. */
export interface Contract {
  readonly store: Store;
  /** How many callers compete where a case is about competition. */
  readonly parallel: number;
  /** A tenant nobody else uses. */
  readonly owner: Writer;
  /** A tenant with nothing of its own. */
  readonly stranger: Writer;
  /** One more tenant that nobody else uses. */
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

/** One question about stored things and who must get which answer. */
export interface Question<T> {
  readonly given: readonly Thing[];
  /** What the owner does before the question is asked. */
  readonly change?: (owner: Writer) => Promise<unknown>;
  readonly ask: (as: Reader) => Promise<T>;
  readonly owner: T;
  /** The answer to a tenant that has nothing. */
  readonly stranger: T;
  /** The answer to a tenant that holds records of the same ids and changed nothing; the owner's when absent. */
  readonly twin?: T;
}

/** What marks the records of the twin, so that the owner's can be told from them. */
export const TWIN = "kept by the twin";

/**
 * Asks one question as the owner, as a stranger with nothing, and as a stranger who holds other records under the very
 * same ids. No answer may depend on what another tenant has.
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
