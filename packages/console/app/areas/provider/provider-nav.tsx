import { Link } from "@tanstack/react-router";
import { t } from "../../texts/index.js";

const PARTS = [
  ["/provider", t.provider.navigation.tenants],
  ["/provider/switches", t.provider.navigation.switches],
  ["/provider/settings", t.provider.navigation.settings],
] as const;

/** The pages of this area. */
export function ProviderNav() {
  return (
    <nav className="tabs" aria-label={t.provider.parts}>
      {PARTS.map(([to, label]) => (
        <Link key={to} to={to} activeOptions={{ exact: true, includeSearch: false }}>
          {label}
        </Link>
      ))}
    </nav>
  );
}
