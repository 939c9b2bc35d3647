import { defineCollection } from "#kernel/records/collection.js";
import { statesOf } from "#kernel/records/machine.js";
import { EndTime, recordFields } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { delegationStatus } from "./machine.js";

/** That somebody stands in for another person who is away. */
export const Delegation = z
  .object({
    ...recordFields,
    status: z.enum(statesOf(delegationStatus)).meta({ description: "Whether it is in force." }),
    fromId: z.string().meta({ description: "Id of the person who is away." }),
    toId: z.string().meta({ description: "Id of the person who stands in." }),
    endsAt: EndTime.meta({ description: "When it ends by itself." }),
  })
  .meta({ id: "Delegation" });
export type Delegation = z.output<typeof Delegation>;

/** Who stands in for whom. It gives nobody a permission. */
export const delegations = defineCollection<Delegation>({
  name: "delegations",
  prefix: "dlg",
  schema: Delegation,
  resource: { type: "delegation", event: "delegation", path: "/api/v1/me/delegations", readBy: ["user:read"] },
  related: ({ fromId, toId }) => [fromId, toId],
  machines: { status: delegationStatus },
  fields: {
    status: { type: "text" },
    parties: { type: "texts", of: ({ fromId, toId }) => [fromId, toId] },
    runsOutAt: { type: "time", of: ({ status, endsAt }) => (status === "active" ? endsAt : null) },
  },
  indexes: [{ where: ["status"] }, { where: [], by: "runsOutAt", partial: true }],
  filters: { status: { values: statesOf(delegationStatus), changesAt: "runsOutAt" }, party: { field: "parties" } },
  timeTransition: { by: "runsOutAt", machine: delegationStatus, event: "run_out", reason: "Its time is over." },
});
