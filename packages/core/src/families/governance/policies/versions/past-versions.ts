import type { ReadContext } from "#kernel/operation/read-context.js";
import { type Policy, policies } from "../schema.js";
import { SHOWN } from "./version-fields.js";

/** The most events that are gone back through, and how many are read at a time. */
const MOST_EVENTS = 1_000;
const BATCH = 200;

/** A policy as an event left it. */
export interface PastVersion {
  /** The event that made it. */
  readonly id: string;
  readonly at: string;
  readonly by: string;
  /** What differs from the version before; `null` of the first one. */
  readonly changed: readonly string[] | null;
  readonly policy: Policy;
}

interface Envelope {
  readonly type: string;
  readonly subject: string;
  readonly time: string;
  readonly authid: string;
}

interface Data {
  readonly from?: string;
  readonly changes?: readonly { readonly field: string; readonly from: unknown }[];
}

/**
 * The versions of a policy, the newest first, by undoing its events. They end early where an event was erased or pruned, or
 * too many would have to be read; the last one is the first of all only if its `changed` is `null`.
 */
export async function* pastVersions(ctx: ReadContext, policy: Policy): AsyncGenerator<PastVersion> {
  const created = `.${policies.resource?.event}.created.v1`;
  let [state, read] = [policy, 0];
  let before: number | undefined;
  do {
    const page = await ctx.db.events({ stream: policy.id, size: BATCH, ...(before === undefined ? {} : { before }) });
    for (const { id, attributes, data } of page.events) {
      const { type, subject, time, authid } = JSON.parse(attributes) as Envelope;
      if (subject !== policy.id) continue;
      if (data === null) return;
      const { changes = [], from } = JSON.parse(data) as Data;
      const isFirst = type.endsWith(created);
      const changed = changes.map(({ field }) => field).filter((field) => (SHOWN as readonly string[]).includes(field));
      if (isFirst || changed.length > 0)
        yield { id, at: time, by: authid, changed: isFirst ? null : changed, policy: state };
      if (isFirst) return;
      const undone = Object.fromEntries(changes.map((change) => [change.field, change.from]));
      state = { ...state, ...(from === undefined ? {} : { status: from as Policy["status"] }), ...undone };
    }
    read += page.events.length;
    before = page.next;
  } while (before !== undefined && read < MOST_EVENTS);
}
