import { setTimeout as sleep } from "node:timers/promises";
import { type BurstResult, burst } from "./burst.js";
import { ISSUER, MASTER_KEY } from "./estate.js";
import type { Ground } from "./grounds.js";
import type { Launch, Running } from "./launch.js";
import { Mover } from "./mover.js";
import type { Operation } from "./operations.js";
import { searchSettled } from "./search-settled.js";
import type { Database, ServerConfig } from "./server.js";

/** Length of a burst: by time for measuring, by number for checking. */
export type Length = { readonly seconds: number } | { readonly requests: number };

/** A running server on a database. */
export class Contender {
  private constructor(
    readonly kind: ServerConfig["kind"],
    readonly running: Running,
    readonly database: Database,
    private readonly ground: Ground,
    private readonly mover: Mover,
  ) {}

  static async start(
    launch: Launch,
    { kind, framework }: Pick<ServerConfig, "kind" | "framework">,
    ground: Ground,
    movers: Map<string, Mover>,
  ): Promise<Contender> {
    const database = ground.database(kind);
    const running = await launch({ kind, framework, database, issuer: ISSUER, masterKey: MASTER_KEY });
    const mover = movers.get(database.location) ?? new Mover(ground.estate.moves);
    movers.set(database.location, mover);
    return new Contender(kind, running, database, ground, mover);
  }

  /** Loads the server with one operation, and waits for its deferred work. */
  async load(operation: Operation, connections: number, length: Length): Promise<BurstResult> {
    const scene = { estate: this.ground.estate, token: this.ground.token, mover: this.mover };
    const result = await burst({
      url: this.running.url,
      pid: this.running.pid,
      connections,
      length,
      requests: () => operation.requests(scene),
      expected: operation.expected,
      ...(operation.writes ? { settle: () => this.#settle() } : {}),
    });
    if (operation.writes) await this.mover.settle((id) => this.#statusOf(id));
    return result;
  }

  async get(path: string): Promise<{ status: number; body: unknown }> {
    const response = await fetch(`${this.running.url}${path}`, {
      headers: { authorization: `Bearer ${this.ground.token}` },
    });
    return { status: response.status, body: await response.json() };
  }

  close(): Promise<void> {
    return this.running.close();
  }

  async #statusOf(id: string): Promise<string> {
    const { body } = await this.get(`/api/v1/ai-assets/${id}`);
    return (body as { status: string }).status;
  }

  /** On SQLite the server's process indexes new records after the commit. */
  async #settle(): Promise<void> {
    await sleep(50);
    if (this.database.store === "sqlite") await searchSettled(this.database.location, this.kind);
  }
}
