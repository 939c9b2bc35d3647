import { EventEmitter, once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import type { Address } from "./target.js";

/** What happens to answers of the target, which are counted from 0 over all connections. */
export interface Disturbance {
  /** Nothing reaches the target, and nothing comes back. */
  readonly silent?: boolean;
  /** Drops the answer with this number, and the connection. The target has done what it was asked. */
  readonly cutAt?: number;
  /** Runs `run` before the answer with this number comes back. It comes back also where `run` fails. */
  readonly holdAt?: number;
  readonly run?: () => Promise<unknown>;
}

/** Stands between a connector and its target. */
export class Relay {
  readonly #target: Address;
  readonly #server: Server;
  readonly #clients = new Set<Socket>();
  #disturbance: Disturbance = {};
  #answers = 0;
  #connections = 0;
  #disturbed = false;
  readonly #changes = new EventEmitter();

  private constructor(target: Address) {
    this.#target = target;
    this.#server = createServer((client) => this.#accept(client));
  }

  static async start(target: Address): Promise<Relay> {
    const relay = new Relay(target);
    relay.#server.listen(0, "127.0.0.1");
    await once(relay.#server, "listening");
    return relay;
  }

  get address(): Address {
    return { host: "127.0.0.1", port: (this.#server.address() as AddressInfo).port };
  }

  /** Connections since the last call of `disturb`. */
  get connections(): number {
    return this.#connections;
  }

  /** Whether the disturbance has happened. */
  get disturbed(): boolean {
    return this.#disturbed;
  }

  /** Changes what happens from now on, counts anew, and closes what is open. */
  disturb(disturbance: Disturbance = {}): void {
    for (const client of this.#clients) client.destroy();
    this.#disturbance = disturbance;
    [this.#answers, this.#connections, this.#disturbed] = [0, 0, false];
  }

  /** Resolves when somebody has connected since the last call of `disturb`. */
  connected = () => this.#until(() => this.#connections > 0);

  /** Resolves when no connection is open. */
  idle = () => this.#until(() => this.#clients.size === 0);

  async stop(): Promise<void> {
    this.disturb();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #until(holds: () => boolean): Promise<void> {
    while (!holds()) await once(this.#changes, "change");
  }

  #accept(client: Socket): void {
    this.#connections += 1;
    this.#clients.add(client);
    client.on("error", () => client.destroy());
    client.once("close", () => {
      this.#clients.delete(client);
      this.#changes.emit("change");
    });
    if (this.#disturbance.silent) {
      this.#disturbed = true;
      client.resume();
    } else this.#join(client);
    this.#changes.emit("change");
  }

  #join(client: Socket): void {
    const upstream = connect(this.#target);
    upstream.on("error", () => client.destroy());
    client.once("close", () => upstream.destroy());
    client.pipe(upstream);
    let held: Promise<unknown> = Promise.resolve();
    // A stream that is paused ends all the same.
    upstream.once("end", () => void held.finally(() => client.end()));
    upstream.on("data", (chunk: Buffer) => {
      const number = this.#answers++;
      const { cutAt, holdAt, run } = this.#disturbance;
      if (number === cutAt) {
        this.#disturbed = true;
        client.destroy();
      } else if (number === holdAt && run) {
        this.#disturbed = true;
        upstream.pause();
        const goOn = () => {
          client.write(chunk);
          upstream.resume();
        };
        held = run().then(goOn, goOn);
      } else client.write(chunk);
    });
  }
}
