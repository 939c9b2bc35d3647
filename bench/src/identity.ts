import { setTimeout as sleep } from "node:timers/promises";
import { type ControlPlane, type ControlPlaneConfig, type NeutralRequest, scryptHasher } from "@reeve/core";
import { ISSUER, MASTER_KEY, PERSON } from "./estate.js";
import type { Ground } from "./grounds.js";
import { shuffled } from "./operations.js";
import { median } from "./stats.js";
import { openControlPlane, openStore } from "./subject.js";

/** The cost of authentication, in this process and without a network. Rates are per second. */
export interface IdentityFigures {
  /** Reads with a bearer token, against the same reads with a caller from the host's own sign-on. */
  readonly bearer: Rates;
  /** Sign-ins by password, two at a time, against verifying the hash only. */
  readonly signIn: Rates;
}

export interface Rates {
  readonly subject: number;
  readonly reference: number;
  /** The median of the rounds' ratios. */
  readonly ratio: number;
}

type Work = (at: number) => Promise<unknown>;

/** Measures in turn, in shuffled order. The first round warms up. */
export async function measureIdentity(
  ground: Ground,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<IdentityFigures> {
  const database = ground.database("identity");
  const { tenantId, userId, reads } = ground.estate;
  const open = async (more: Partial<ControlPlaneConfig> = {}): Promise<ControlPlane> => {
    const controlPlane = openControlPlane(openStore(database), { issuer: ISSUER, masterKey: MASTER_KEY }, more);
    await controlPlane.ready();
    return controlPlane;
  };
  const plain = await open();
  const hosted = await open({ authenticate: () => ({ tenantId, userId }) });
  const hasher = scryptHasher();
  const hash = await hasher.hash(PERSON.password);
  const answered = async (controlPlane: ControlPlane, request: NeutralRequest) => {
    const answer = await controlPlane.handle(request);
    if (answer?.status !== 200) throw new Error(`${request.method} ${request.target} answered ${answer?.status}`);
  };
  const read = (at: number) => get(`/api/v1/ai-assets/${reads[at % reads.length]}`);
  const withToken = (at: number) => ({ ...read(at), headers: { authorization: `Bearer ${ground.token}` } });
  try {
    return {
      bearer: await compareRates(
        { subject: (at) => answered(plain, withToken(at)), reference: (at) => answered(hosted, read(at)) },
        { rounds, seconds, atOnce: 1 },
      ),
      signIn: await compareRates(
        { subject: () => answered(plain, signInRequest()), reference: () => hasher.verify(PERSON.password, hash) },
        { rounds, seconds: Math.max(seconds, 1), atOnce: 2 },
      ),
    };
  } finally {
    await plain.close();
    await hosted.close();
  }
}

const get = (target: string): NeutralRequest => ({
  method: "GET",
  target,
  headers: {},
  body: async () => new Uint8Array(),
  remoteAddress: "127.0.0.1",
});

function signInRequest(): NeutralRequest {
  const body = new TextEncoder().encode(JSON.stringify(PERSON));
  const headers = { "content-type": "application/json" };
  return { ...get("/api/v1/auth/signin"), method: "POST", headers, body: async () => body };
}

async function compareRates(
  sides: Record<"subject" | "reference", Work>,
  { rounds, seconds, atOnce }: { rounds: number; seconds: number; atOnce: number },
): Promise<Rates> {
  const rates: Record<"subject" | "reference", number[]> = { subject: [], reference: [] };
  for (let round = 0; round <= rounds; round++) {
    for (const name of shuffled(["subject", "reference"] as const)) {
      const rate = await rateOf(sides[name], seconds, atOnce);
      if (round > 0) rates[name].push(rate);
      await sleep(20);
    }
  }
  const ratios = rates.subject.map((rate, round) => rate / (rates.reference[round] as number));
  return { subject: median(rates.subject), reference: median(rates.reference), ratio: median(ratios) };
}

async function rateOf(work: Work, seconds: number, atOnce: number): Promise<number> {
  const started = performance.now();
  const end = started + seconds * 1_000;
  let done = 0;
  const worker = async () => {
    while (performance.now() < end) await work(done++);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return (done / (performance.now() - started)) * 1_000;
}
