import type { UseDraft } from "#families/access-drift/index.js";
import type { AccessAssignment } from "#families/access-grants/index.js";
import { canonical } from "#kernel/events/canonical.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { nameOf } from "#kernel/records/cut-text.js";
import { sha256 } from "#store/chain.js";
import type { AgentToolToken } from "../tokens/schema.js";

export const argsHashOf = (args: Readonly<Record<string, unknown>>): string => sha256(canonical(args));
export const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value ?? null));

interface Called {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly outcome: UseDraft["outcome"];
  readonly denyCode?: string;
  readonly synthetic: boolean;
  readonly source: "gateway" | "runtime_test";
  readonly access?: AccessAssignment | undefined;
}

type Caller = Pick<AgentToolToken, "assetId" | "sessionId" | "issuedBy"> & {
  readonly id: string | null;
  readonly connectorInstanceId: string;
};

const ACTORS = { user: "user", client: "machine", system: "system" } as const;

/** A use through our own door, before it is stored. */
export function useOf(ctx: ReadContext, caller: Caller, called: Called): UseDraft {
  const { access, tool, args, outcome, denyCode = null, synthetic, source } = called;
  const { kind, id: by } = caller.issuedBy;
  return {
    ...{ at: ctx.now, assetId: caller.assetId, identityId: access?.identityId ?? null },
    ...{ assignmentId: access?.id ?? null, attribution: access ? "exact" : "none", primary: true },
    ...{ grantKey: access?.grantKey ?? null, connectorInstanceId: caller.connectorInstanceId },
    ...{ resourceId: access?.resourceId ?? null, tool, action: nameOf(tool), count: 1, outcome, denyCode },
    ...{ latencyMs: null, argsHash: argsHashOf(args), bytesIn: bytesOf(args), bytesOut: null },
    ...{ sessionId: caller.sessionId, tokenId: caller.id, traceId: ctx.request.requestId },
    actors: [
      { type: ACTORS[kind], id: by },
      { type: "agent", id: caller.assetId },
    ],
    ...{ source, externalEventId: null, part: 0, synthetic },
  };
}
