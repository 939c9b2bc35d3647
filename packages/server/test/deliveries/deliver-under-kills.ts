import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AuditSink, type ControlPlane, createControlPlane, createMemoryStore, type Principal } from "@reeve/core";
import { freePort } from "@reeve/testkit/postgres";
import { expect, onTestFinished, vi } from "vitest";
import { otlpLogs } from "../../src/audit/otlp-logs.js";
import { syslog } from "../../src/audit/syslog.js";
import { fileReceiver, otlpReceiver, type Receiver, rsyslogReceiver, webhookReceiver } from "./receivers.js";
import { RSYSLOG } from "./rsyslog.js";

/** How often each receiver is killed twice, and how many writers there are. */
const KILLS = 3;
const WRITERS = 8;
const ASSETS = 40;

/** What came to the receivers of a tenant. */
export interface Arrivals {
  /** The sequence of the tenant's last event, and of the one before the webhook's first. */
  readonly head: number;
  readonly webhookAfter: number;
  readonly receivers: readonly Receiver[];
}

/** Writes at least so many events of one tenant, while each receiver is killed and started again several times. */
export async function deliverUnderKills(count: number): Promise<Arrivals> {
  const at = mkdtempSync(join(tmpdir(), "reeve-deliveries-"));
  onTestFinished(() => rmSync(at, { recursive: true, force: true }));
  const lines = fileReceiver(at);
  const otlp = await otlpReceiver(at);
  const rsyslog = RSYSLOG.path ? await rsyslogReceiver(at) : undefined;
  const sinks: AuditSink[] = [lines.sink, otlpLogs(otlp.url)];
  if (rsyslog)
    sinks.push(
      syslog({ host: "localhost", port: rsyslog.port, ca: rsyslog.ca }, { format: "cloudevents", enterprise: 32_473 }),
    );
  for (const receiver of [lines, otlp, ...(rsyslog ? [rsyslog] : [])]) await receiver.start();
  // Time goes on by the test alone. It stays near to that of the receiver of webhooks, which compares.
  let now = Date.now();
  const store = createMemoryStore();
  const plane = createControlPlane({
    ...{ store, masterKey: randomBytes(32), baseUrl: "http://localhost", clock: { now: () => now } },
    ...{ rateLimits: "off", egressAllow: ["127.0.0.1/32"], auditSinks: sinks, hostCallTimeoutMs: 20_000 },
  });
  onTestFinished(() => plane.close());
  const passed = async () => {
    now += 5_000;
    await plane.tick();
  };
  const { tenantId } = await plane.ensureTenant({ externalId: "acme", name: "Acme Ltd" });
  const roles = ["admin"];
  const ada = await plane.principalOf({ tenantId, userId: "ada", username: "ada@acme.example", roles });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/reeve`;
  const { secret, id } = await plane.call("webhooks.create", ada, { body: { name: "Receiver", url } });
  const params = { id };
  const { position: webhookAfter } = await plane.call("webhooks.readDelivery", ada, { params });
  const receivers: Receiver[] = [...[webhookReceiver(at, port, secret), lines, otlp], ...(rsyslog ? [rsyslog] : [])];
  await receivers[0]?.start();
  // What came before it had begun.
  await passed();
  const writer = await Writer.of(plane, ada);
  const rounds = Array.from({ length: KILLS }, () => receivers).flat();
  for (const [round, receiver] of rounds.entries()) {
    const before = receiver.size();
    const writing = writer.upTo(Math.floor((count * (round + 1)) / rounds.length));
    await vi.waitFor(() => expect(receiver.size()).toBeGreaterThan(before), WAIT);
    await receiver.kill();
    await writing;
    await receiver.start();
    // Once more, while it gets what it missed.
    const kept = receiver.size();
    let isOver = false;
    const passing = passed().finally(() => {
      isOver = true;
    });
    await vi.waitFor(() => expect(isOver || receiver.size() > kept).toBe(true), WAIT);
    await receiver.kill();
    await passing;
    await receiver.start();
    await passed();
  }
  const headOf = async () => (await store.forTenant(tenantId).events({ size: 1 })).events[0]?.sequence ?? 0;
  await vi.waitFor(async () => {
    await passed();
    const last = `"sequence":"${String(await headOf()).padStart(12, "0")}"`;
    for (const { name, texts } of receivers)
      expect(
        texts().some((text) => text.includes(last)),
        name,
      ).toBe(true);
    expect(await plane.call("webhooks.readDelivery", ada, { params })).toMatchObject({ waiting: 0, more: false });
  }, WAIT);
  return { head: await headOf(), webhookAfter, receivers };
}

const WAIT = { timeout: 60_000, interval: 20 };

/** Changes assets, one event each. */
class Writer {
  #written = 0;

  private constructor(readonly change: (n: number) => Promise<unknown>) {}

  static async of(plane: ControlPlane, ada: Principal): Promise<Writer> {
    const assets: string[] = [];
    for (let n = 0; n < ASSETS; n += 1)
      assets.push((await plane.call("aiAssets.create", ada, { body: { name: `Asset ${n}`, assetType: "model" } })).id);
    return new Writer((n) => {
      // Names that are whole numbers stand in another order in objects of JavaScript than in canonical JSON.
      const body = { metadata: { 9: "nine", 10: "ten", n } };
      return plane.call("aiAssets.mergeMetadata", ada, { params: { id: assets[n % ASSETS] as string }, body });
    });
  }

  async upTo(count: number): Promise<void> {
    const write = async () => {
      while (this.#written < count) await this.change(this.#written++);
    };
    await Promise.all(Array.from({ length: WRITERS }, write));
  }
}
