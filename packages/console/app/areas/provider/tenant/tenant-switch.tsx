import { useQuery } from "@tanstack/react-query";
import { useMay } from "../../../api/me.js";
import { t } from "../../../texts/index.js";
import { Loaded } from "../../../ui/loaded.js";
import { ReasonedAct } from "../../../ui/reasoned-act.js";
import { StatusBadge } from "../../../ui/status-badge.js";
import { moveSwitch, switchesQuery } from "../switches/switch-query.js";
import { SWITCHES } from "../terms.js";

/** The kill switch for the assets of one tenant. */
export function TenantSwitch({ tenantId }: { readonly tenantId: string }) {
  const mayMove = useMay()("support:kill-switches");
  const switches = useQuery(switchesQuery());
  const { halt, haltHint, release, releaseHint, halted } = t.provider.tenant;
  const key = `ai.tenant.${tenantId}`;
  return (
    <Loaded query={switches}>
      {({ items }) => {
        const engaged = items.find(({ id }) => id === key);
        return (
          <>
            {engaged && (
              <p>
                <StatusBadge tone="bad">{halted}</StatusBadge>
              </p>
            )}
            <ReasonedAct
              isShown={mayMove && engaged !== undefined}
              label={release}
              hint={releaseHint}
              isReasonRequired
              stale={SWITCHES}
              act={(why) => moveSwitch(engaged ?? { id: key }, "released", why)}
            />
            <ReasonedAct
              isShown={mayMove && engaged === undefined}
              label={halt}
              hint={haltHint}
              tone="danger"
              isStop
              stale={SWITCHES}
              act={(why) => moveSwitch({ id: key }, "engaged", why)}
            />
          </>
        );
      }}
    </Loaded>
  );
}
