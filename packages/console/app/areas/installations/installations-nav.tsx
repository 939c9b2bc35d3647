import { useMay } from "../../api/me.js";
import { t } from "../../texts/index.js";
import { SubNav } from "../../ui/sub-nav.js";

const { navigation, parts } = t.installations;

const PAGES = [
  ["/installations", navigation.installations, "installation:read"],
  ["/installations/publications", navigation.publications, "publication:read"],
  ["/installations/use", navigation.use, "usage:read"],
  ["/installations/watches", navigation.watches, "enforcement-watch:read"],
  ["/installations/codes", navigation.codes, "installation:read"],
] as const;

/** The pages about coding agents that one may read. */
export function InstallationsNav() {
  const may = useMay();
  const pages = PAGES.filter(([, , permission]) => may(permission)).map(([to, label]) => [to, label] as const);
  return <SubNav label={parts} pages={pages} />;
}
