import { t } from "../../../texts/index.js";
import { StatusBadge } from "../../../ui/status-badge.js";
import { Time } from "../../../ui/time.js";
import { daysUntil, type Exemption, SOON } from "./terms.js";

/** When an exemption ends, and a word where that is soon. */
export function Ends({ exemption: { status, expiresAt } }: { readonly exemption: Exemption }) {
  const days = daysUntil(expiresAt);
  const isSoon = status === "approved" && days >= 0 && days < SOON;
  return (
    <>
      <Time at={expiresAt} /> {isSoon && <StatusBadge tone="warning">{t.exemptions.endsSoon(days)}</StatusBadge>}
    </>
  );
}
