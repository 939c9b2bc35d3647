import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import type { ControlPlane } from "@reeve/core";
import type { Route, Shop } from "./shop.js";

/** Where and in which order a host mounts Reeve. */
export interface Governance {
  readonly controlPlane: ControlPlane;
  /** `""` at the root. */
  readonly prefix: string;
  /** Before all middleware of the host, or after its middleware and routes. */
  readonly when: "first" | "last";
}

export interface HostSettings {
  readonly shop: Shop;
  /** `false` leaves out routes that Reeve has too, for a mount at the root. */
  readonly withUsers: boolean;
  /** Absent in the host without Reeve. */
  readonly governance?: Governance;
}

export interface RunningHost {
  readonly url: string;
  /** Stops accepting connections. Resolves when the last request is answered. */
  close(): Promise<void>;
}

export type StartHost = (settings: HostSettings) => Promise<RunningHost>;

export const PUBLIC = fileURLToPath(new URL("../public", import.meta.url));
export const INDEX = fileURLToPath(new URL("../public/index.html", import.meta.url));
export const ORIGIN = "https://shop.example";
export const SESSION_SECRET = "a secret of the shop that is at least 32 long";
/** More than Reeve accepts, so that tests see its own limit. */
export const BODY_LIMIT = 1024 * 1024;
/** The single page answers all paths that match. */
export const PAGES = /^(?!\/api\/)/;

export function routesOf({ shop, withUsers }: HostSettings): Route[] {
  const { listUsers, showUser, ...rest } = shop;
  return Object.values(withUsers ? { ...rest, listUsers, showUser } : rest);
}

/** The shop's API description, for frameworks that generate none. */
export function describe(routes: readonly Route[]): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const { method, path, summary } of routes) {
    const template = path.replaceAll(/:(\w+)/g, "{$1}");
    paths[template] = { ...paths[template], [method]: { summary, responses: { default: { description: "JSON" } } } };
  }
  return { openapi: "3.0.3", info: { title: "The shop", version: "1.0.0" }, paths };
}

/** Listens on a free port of 127.0.0.1. */
export async function listening(server: Server): Promise<RunningHost> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve, reject) => {
      server.close((error) => (error ? reject(error) : resolve()));
    });
  return { url: `http://127.0.0.1:${port}`, close };
}
