import { t } from "../../texts/index.js";
import { SubNav } from "../../ui/sub-nav.js";

const PAGES = [
  ["/notices", t.notices.navigation.list],
  ["/notices/preferences", t.notices.navigation.preferences],
  ["/notices/delegations", t.notices.navigation.delegations],
] as const;

/** The pages about notices. */
export function NoticesNav() {
  return <SubNav label={t.notices.parts} pages={PAGES} />;
}
