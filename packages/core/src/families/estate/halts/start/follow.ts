import { ReeveError } from "../../../../kernel/http/errors.js";
import { defineFollower } from "../../../../kernel/operation/area.js";
import { assets } from "../../assets/schema.js";
import { activeHalts } from "../queries.js";
import { isHalted } from "../rules.js";

/** 409 for an agent that would leave a team whose agents are halted, because that would lift the halt for it. */
export const keepHalted = defineFollower(assets, async (ctx, { before, after }) => {
  if (before?.assetType !== "agent" || !after || before.team === null) return;
  if (before.team.id === after.team?.id) return;
  const active = await activeHalts(ctx);
  if (!active.some((halt) => halt.scope === "team" && isHalted(halt, before))) return;
  const detail = "The agents of its team are halted.";
  throw new ReeveError("transition_guard_failed", detail, {
    members: { guards: [{ key: "notHalted", ok: false, detail }] },
  });
});
