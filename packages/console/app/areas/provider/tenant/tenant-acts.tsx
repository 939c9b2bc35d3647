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
  const isClosed = tenant.status === "closed";
  const moves = [
    ["suspended", "suspended", !isClosed],
    ["reopen", "suspended", isClosed],
    ["active", "active", true],
    ["closed", "closed", true],
  ] as const;
  return moves.map(([move, status, isMeant]) => {
    const loosens = move === "active" || move === "reopen";
    return (
      <ReasonedAct
        key={move}
        isShown={isMeant && NEXT[tenant.status].includes(status)}
        label={acts[move]}
        hint={hints[move]}
        tone={loosens ? "primary" : "danger"}
        isReasonRequired={loosens}
        isStop={!loosens}
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
