import { randomBytes } from "node:crypto";
import { type ControlPlane, createControlPlane, type Logger, scryptHasher } from "@reeve/core";
import { expect } from "vitest";
import type { Governance, RunningHost, StartHost } from "../../src/host.js";
import { shopOn } from "../../src/shop.js";
import { createTables } from "../../src/tables.js";
import type { ShopDatabase } from "./stores.js";

export interface Running extends RunningHost {
  /** Warnings and errors that Reeve has logged. */
  readonly logged: readonly string[];
  /** Closes the host gracefully, then Reeve, then the database. Idempotent. */
  end(): Promise<void>;
}

/** The shop on a database without Reeve. */
export async function startAlone(start: StartHost, shop: ShopDatabase, withUsers: boolean): Promise<Running> {
  await createTables(shop.database);
  const host = await start({ shop: shopOn(shop.database), withUsers });
  const end = async () => {
    await host.close();
    await shop.drop();
  };
  return { ...host, logged: [], end: once(end) };
}

/** The shop with Reeve in the same database. */
export async function startGoverned(
  start: StartHost,
  shop: ShopDatabase,
  withUsers: boolean,
  mount: Pick<Governance, "prefix" | "when">,
): Promise<Running> {
  await createTables(shop.database);
  const logged: string[] = [];
  const controlPlane = createControlPlane({
    // Alternates between the shop's own pool or handle and Reeve's own connections.
    store: mount.when === "first" ? shop.database.governanceStore() : shop.ownStore(),
    masterKey: randomBytes(32),
    baseUrl: `https://shop.example${mount.prefix}`,
    registration: "open",
    // The cheapest hashing, because passwords are hashed hundreds of times here.
    hasher: scryptHasher({ cost: 4 }),
    logger: listening(logged),
  });
  await controlPlane.ready();
  const governance = { controlPlane, ...mount };
  const host = await start({ shop: shopOn(shop.database), withUsers, governance }).catch(async (error: unknown) => {
    await release(controlPlane, shop);
    throw error;
  });
  const end = async () => {
    await host.close();
    await release(controlPlane, shop);
    await expect(fetch(host.url)).rejects.toThrow();
  };
  return { ...host, logged, end: once(end) };
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}

async function release(controlPlane: ControlPlane, shop: ShopDatabase): Promise<void> {
  await controlPlane.close();
  await shop.drop();
}

function listening(logged: string[]): Logger {
  const hear = (_fields: object, message: string) => void logged.push(message);
  return { info: () => undefined, warn: hear, error: hear };
}
