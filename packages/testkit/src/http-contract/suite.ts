import type { ControlPlane, ControlPlaneConfig } from "@reeve/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Cell, everyCell } from "../cells.js";
import type { HttpCase, RawRequest } from "./case.js";
import { httpCases } from "./cases/index.js";
import { malformedRequests } from "./cases/malformed.js";
import { HOST_NOT_FOUND, inProcess, type Mounted, overTheWire, type Seen } from "./compare.js";
import { describeConnections } from "./connections.js";
import { type HttpContractOptions, MOUNTS, type RunningServer } from "./options.js";
import { depths, probes } from "./probes.js";
import { prepare, type Setting } from "./setting.js";
import { exchange, parseAnswer } from "./wire.js";

/**
 * Declares the HTTP contract as vitest cases. For every request the server must send the status, headers and body of
 * the control plane, and leave other requests to the host.
 */
export function describeHttpContract(options: HttpContractOptions): void {
  describe(`HTTP contract: ${options.name}`, () => {
    for (const [prefix, rootRoutes] of options.mounts ?? MOUNTS) {
      describe(`at ${prefix || "/"}, root routes ${rootRoutes ? "on" : "off"}`, () =>
        describeServer(options, prefix, { rootRoutes }));
    }
    describe("connections", () => describeConnections(options));
    it("has a name of its own for each of 400 cases and more", () => {
      const names = new Set(httpCases.map((one) => one.name));
      expect(names.size).toBe(httpCases.length);
      expect(names.size).toBeGreaterThanOrEqual(400);
    });
    it("counts quotas alike", () => compareQuotas(options));
  });
}

interface Pair {
  readonly server: Mounted & RunningServer;
  readonly serverSetting: Setting;
  readonly reference: ControlPlane;
  readonly setting: Setting;
}

async function startPair(
  options: HttpContractOptions,
  prefix: string,
  config: Partial<ControlPlaneConfig>,
): Promise<Pair> {
  const [served, direct] = await Promise.all([prepare(config), prepare(config)]);
  const running = await options.start({ controlPlane: served.controlPlane, prefix });
  const server = { url: running.url, close: () => running.close(), prefix };
  return { server, serverSetting: served.setting, reference: direct.controlPlane, setting: direct.setting };
}

function describeServer(options: HttpContractOptions, prefix: string, config: Partial<ControlPlaneConfig>): void {
  let pair: Pair;
  beforeAll(async () => {
    pair = await startPair(options, prefix, config);
  });
  afterAll(async () => {
    await pair.server.close();
    await pair.reference.close();
  });

  it.each(rowsOf(httpCases))("answers every case of: %s", (_kind, row) =>
    everyCell(row, (one) => compare(pair, one, options)),
  );

  it("M12: answers each probe as every server does", () =>
    everyCell(byName(probes), (one) => compare(pair, one, options)));

  it.each(byName(depths))("M11: refuses %s and goes on", async (_name, one) => {
    for (const request of one.requests(pair.serverSetting)) {
      const { status, body } = await overTheWire(pair.server, request, "deep");
      expect([400, 413]).toContain(status);
      expect(JSON.parse(body).code).toBe(status === 400 ? "invalid_json" : "payload_too_large");
    }
    await compare(pair, one, options);
  });

  it.each(malformedRequests)("refuses $name and goes on", async ({ bytes, statuses }) => {
    const received = await exchange(pair.server.url, bytes(new URL(pair.server.url).host, prefix));
    expect(received.length === 0 ? "closed" : parseAnswer(received).status).toBeOneOf([...statuses]);
    await expectAlive(pair);
  });
}

const byName = (cases: readonly HttpCase[]) => cases.map((one): Cell<HttpCase> => [one.name, one]);

/** The cases grouped by kind, which their names begin with. */
function rowsOf(cases: readonly HttpCase[]): [kind: string, row: Cell<HttpCase>[]][] {
  const rows = new Map<string, Cell<HttpCase>[]>();
  for (const cell of byName(cases)) {
    const [kind = ""] = cell[0].split(/[:,]/, 1);
    rows.set(kind, [...(rows.get(kind) ?? []), cell]);
  }
  return [...rows];
}

async function compare(pair: Pair, one: HttpCase, options: HttpContractOptions): Promise<void> {
  const sent = one.requests(pair.serverSetting);
  const asked = one.requests(pair.setting);
  for (const [index, request] of sent.entries()) {
    const requestId = `case.${index}`;
    const answer = await overTheWire(pair.server, request, requestId);
    const wanted = await inProcess(pair.reference, pair.server, asked[index] as RawRequest, requestId);
    const step = `${request.method} ${request.target.slice(0, 120)}`;
    expect(answer.status, step).toBeLessThan(500);
    if (one.brokenEscape && options.frameworkRefusesBrokenEscapes) expectFrameworks(answer, step);
    else if (wanted) expect(answer, step).toEqual(wanted);
    else if (one.brokenEscape && answer.status === 400) expectFrameworks(answer, step);
    else expectHosts(answer, request, step);
  }
  await expectAlive(pair);
}

function expectHosts(answer: Seen, request: RawRequest, step: string): void {
  const body = request.method === "HEAD" ? "" : HOST_NOT_FOUND;
  expect({ status: answer.status, body: answer.body }, step).toEqual({ status: 404, body });
  expect(answer.headers, step).not.toHaveProperty("api-version");
}

function expectFrameworks(answer: Seen, step: string): void {
  expect(answer.status, step).toBe(400);
  expect(answer.headers, step).not.toHaveProperty("api-version");
}

async function expectAlive({ server }: Pair): Promise<void> {
  const { status } = await overTheWire(server, { method: "GET", target: "/api/v1/monitor/ping" }, "alive");
  expect(status, "the ping afterwards").toBe(200);
}

/** The limits must get the peer's address, and the client their headers. */
async function compareQuotas(options: HttpContractOptions): Promise<void> {
  const pair = await startPair(options, "", { rateLimits: { tenant: 1_000_000, principal: 1_000_000, address: 80 } });
  try {
    const ping = { method: "GET", target: "/.well-known/oauth-authorization-server" };
    const statuses: number[] = [];
    for (let index = 0; index < 82; index += 1) {
      const answer = await overTheWire(pair.server, ping, "quota");
      expect(answer).toEqual(await inProcess(pair.reference, pair.server, ping, "quota"));
      statuses.push(answer.status);
    }
    expect(statuses.filter((status) => status === 429)).toHaveLength(2);
  } finally {
    await pair.server.close();
    await pair.reference.close();
  }
}
