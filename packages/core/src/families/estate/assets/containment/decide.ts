import { effectiveDecision, type OwnDecision } from "../rules.js";
import { type Graph, MOST_LEVELS, MOST_NODES, type Node } from "./graph.js";
import type { StopOf } from "./stops.js";
import { type Step, wordsOf } from "./words.js";

/** Whether an asset may be used at a moment, by itself and by what it depends on. */
export interface EffectiveDecision extends OwnDecision {
  /** The reason of a denial in words. `null` without a denial. */
  readonly message: string | null;
  /** From the asset to what denies it. Empty when it is the asset itself. */
  readonly path: readonly Step[];
}

/** The reason of a denial that comes from what an asset depends on, before the reason there. */
const INHERITED = "depends_on:";

/** A denial for a reason at the end of a path. Kill switches and halts keep their code wherever they apply. */
export function denial(path: readonly Step[], reason: string, now: string): EffectiveDecision {
  const own = path.length === 0 || /^(?:kill_switch|halt|containment):/.test(reason);
  const code = own ? reason : `${INHERITED}${reason}`;
  return { decision: "deny", reasons: [code], message: wordsOf(path, reason), path, asOf: now };
}

/** The decision on an asset by its own stops, states and record. */
function ownDecision({ asset, view }: Pick<Node, "asset" | "view">, stopOf: StopOf, now: string): OwnDecision {
  const stop = stopOf(asset);
  const decided = stop === undefined ? effectiveDecision(asset, undefined, now) : denial([], stop, now);
  if (decided.decision === "deny" || view?.unusable === undefined) return decided;
  return { decision: "deny", reasons: [view.unusable], asOf: now };
}

/** The decision on an asset of the graph: its own denial first, then the nearest one among what it depends on. */
export function decide(graph: Graph, id: string, stopOf: StopOf, now: string): EffectiveDecision {
  const root = graph.nodes.get(id) as Node;
  const own = ownDecision(root, stopOf, now);
  const [reason] = own.reasons;
  if (own.decision === "deny" && reason !== undefined) return denial([], reason, now);
  return inherited(graph, root, stopOf, now) ?? { ...own, message: null, path: [] };
}

/** The nearest denial among what an asset depends on. `undefined` when there is none. */
export function inherited(graph: Graph, root: Node, stopOf: StopOf, now: string): EffectiveDecision | undefined {
  const seen = new Set([root.asset.id]);
  let level: readonly { node: Node; path: readonly Step[] }[] = [{ node: root, path: [] }];
  for (let depth = 0; level.length > 0; depth += 1) {
    const next: { node: Node; path: readonly Step[] }[] = [];
    for (const { node, path } of level) {
      if (node.overfull) return denial(path, TOO_LARGE, now);
      for (const { id, relation, required } of node.containers) {
        if (seen.has(id)) continue;
        seen.add(id);
        if (depth === MOST_LEVELS || seen.size > MOST_NODES || !graph.reached(id)) return denial([], TOO_LARGE, now);
        const held = graph.nodes.get(id);
        if (held && relation === "uses" && held.asset.assetType !== "model") continue;
        const further = [...path, { id, name: held?.asset.name ?? null, relation }];
        if (!held) {
          if (required) return denial(further, "not_found", now);
          continue;
        }
        const { decision, reasons } = ownDecision(held, stopOf, now);
        if (decision === "deny") return denial(further, reasons[0] as string, now);
        next.push({ node: held, path: further });
      }
    }
    level = next;
  }
  return undefined;
}

const TOO_LARGE = "containment:too_large";

/** Why a decision denies, for people: in words with the code when something else is the reason. */
export function deniedBecause({ reasons, message, path }: EffectiveDecision): string {
  return path.length === 0 ? reasons.join(", ") : `${message} (${reasons.join(", ")})`;
}
