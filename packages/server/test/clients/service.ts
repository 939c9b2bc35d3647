import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { reeveListener } from "@reeve/adapter-http";
import { createPlane, createTenant } from "@reeve/testkit";
import { onTestFinished } from "vitest";

/** A control plane on loopback that can be away, or be replaced by something else that answers. */
export class Service {
  #answer: RequestListener = () => undefined;
  readonly #server: Server = createServer((request, response) => this.#answer(request, response));
  #port = 0;

  static async start() {
    const service = new Service();
    await service.comeBack();
    const plane = createPlane({ baseUrl: service.url, tokenLifetime: 86_400 });
    const listener = reeveListener(plane.controlPlane);
    service.#answer = listener;
    onTestFinished(async () => {
      await service.goAway();
      await plane.controlPlane.close();
    });
    return { service, listener, scene: await createTenant(plane, "acme") };
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Answers in another way from now on. */
  answerBy(answer: RequestListener): void {
    this.#answer = answer;
  }

  /** Refuses connections from now on. */
  async goAway(): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Takes connections again, at the same address. */
  async comeBack(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(this.#port, "127.0.0.1", resolve));
    this.#port = (this.#server.address() as AddressInfo).port;
  }
}
