import { client } from "../../api/client.js";
import type { At } from "../../work/work.js";
import type { Part } from "./chain-timeline.js";

export interface Verified {
  readonly headHash: string;
  readonly signedTo: number | null;
  readonly fault: { readonly sequence: number; readonly reason: string } | null;
}

/** How far a verification is. */
export interface Verifying {
  readonly checked: number;
  /** Where the next request goes on: in the chain, and then in its timeline. */
  readonly after: number;
  /** `null` until the chain is checked to its end, or to a fault. */
  readonly result: Verified | null;
  readonly parts: readonly Part[];
}

export const BEGIN: Verifying = { checked: 0, after: 0, result: null, parts: [] };

/** Checks a part of the chain, or reads one of its timeline. That goes on where a verification stops. */
export async function step({ state, signal }: At<null, Verifying>) {
  const asked = { params: { query: { after: state.after } }, signal };
  if (state.result === null) {
    const { data } = await client.GET("/api/v1/ai-governance/audit/verification", asked);
    const { headHash, signedTo, fault } = data;
    const checked = state.checked + data.checked;
    const isChecked = data.complete || fault !== null;
    const next = isChecked ? { after: 0, result: { headHash, signedTo, fault } } : { after: data.to };
    return { state: { ...state, checked, ...next }, isOver: false };
  }
  const { data } = await client.GET("/api/v1/ai-governance/audit/timeline", asked);
  return { state: { ...state, after: data.to, parts: [...state.parts, ...data.parts] }, isOver: data.complete };
}
