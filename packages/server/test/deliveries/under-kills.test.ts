import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { deliverUnderKills } from "./deliver-under-kills.js";
import type { Receiver } from "./receivers.js";
import { RSYSLOG } from "./rsyslog.js";

const EVENTS = 10_000;

const VERIFIER = fileURLToPath(new URL("../../../verify-chain/src/command.mjs", import.meta.url));

/** What the verifier says of lines, in a process of its own, as an auditor runs it. */
const reportOf = (lines: readonly string[]) =>
  JSON.parse(
    spawnSync(process.execPath, [VERIFIER, "--no-trailer", "--json", "-"], { input: lines.join("") }).stdout.toString(),
  );

interface Arrived {
  readonly id: string;
  readonly subject: string;
  readonly sequence: number;
  readonly text: string;
}

/** What came to a receiver, in the order of arrival, without what came once more. */
function onceEach({ texts }: Receiver): { events: readonly Arrived[]; again: number } {
  const first = new Map<string, Arrived>();
  const all = texts();
  for (const text of all) {
    const { id, subject, sequence } = JSON.parse(text) as Readonly<Record<string, string>>;
    if (!first.has(String(id)))
      first.set(String(id), { id: String(id), subject: String(subject), sequence: Number(sequence), text });
  }
  return { events: [...first.values()], again: all.length - first.size };
}

/** The events that came after a later one about the same subject. */
function outOfOrder(events: readonly Arrived[]): readonly Arrived[] {
  const last = new Map<string, number>();
  return events.filter(({ subject, sequence }) => {
    const isLate = sequence < (last.get(subject) ?? 0);
    last.set(subject, sequence);
    return isLate;
  });
}

const ascending = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b);

describe(`all receivers${RSYSLOG.note}`, () => {
  it("10,000 events of a tenant arrive at receivers that are killed, in order, and prove their chain", {
    timeout: 300_000,
  }, async ({ annotate }) => {
    const { head, webhookAfter, receivers } = await deliverUnderKills(EVENTS);
    for (const receiver of receivers) {
      const { events, again } = onceEach(receiver);
      await annotate(`${receiver.name}: ${events.length} events, ${again} of them came again`);
      const after = receiver.name === "webhook" ? webhookAfter : 0;
      const sequences = ascending(events.map(({ sequence }) => sequence));
      expect(sequences, receiver.name).toEqual(Array.from({ length: head - after }, (_, at) => after + at + 1));
      expect(outOfOrder(events), receiver.name).toEqual([]);
      // What a sink writes before an event of an export is the tenant.
      const lines = [...events]
        .sort((a, b) => a.sequence - b.sequence)
        .map(({ text }) => `${text.replace(/^\{"tenant":"[^"]+",/, "{")}\n`);
      expect(reportOf(lines), receiver.name).toMatchObject({ valid: true, after, to: head, fault: null });
    }
  });
});
