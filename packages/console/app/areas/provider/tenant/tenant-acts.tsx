import { client } from "../../../api/client.js";
import { t } from "../../../texts/index.js";
import { ReasonedAct } from "../../../ui/reasoned-act.js";
import { type Organisation, TENANTS } from "../terms.js";

/** What may follow a state. A tenant whose data is being erased goes nowhere else. */
const NEXT: Readonly<Record<Organisation["status"], readonly ("active" | "suspended" | "closed")[]>> = {
  ...{ active: ["suspended", "closed"], suspended: ["active", "closed"], closed: ["suspended"] },
  ...{ erasing: [], erased: [] },
};

/** Changes of the state of a tenant, sent with the version on the screen. */
export function TenantActs({ tenant }: { readonly tenant: Organisation }) {
  const { acts, hints } = t.provider.tenant;
  return NEXT[tenant.status].map((status) => {
    const isReopening = tenant.status === "closed";
    const words = isReopening ? "reopen" : status;
    return (
      <ReasonedAct
        key={status}
        label={acts[words]}
        hint={hints[words]}
        tone={status === "active" || isReopening ? "primary" : "danger"}
        isReasonRequired={status === "active" || isReopening}
        isStop={status !== "active" && !isReopening}
        stale={TENANTS}
        act={(why) =>
          client.POST("/api/v1/support/tenants/{tenantId}/status", {
            params: { path: { tenantId: tenant.id } },
            ifMatch: tenant,
            body: { status, ...why },
          })
        }
      />
    );
  });
}
