import { Link } from "@tanstack/react-router";
import { useMay } from "../../api/me.js";
import { t } from "../../texts/index.js";

const PARTS = [
  ["/access/assignments", "assignments"],
  ["/access/unused", "unused"],
  ["/access/requests", "requests"],
  ["/access/drift", "drift"],
  ["/access", "certifications"],
] as const;

/** The parts of the area, each with an address of its own. */
export function Parts() {
  return (
    <nav className="tabs" aria-label={t.access.parts.title}>
      {PARTS.map(([to, name]) => (
        <Link key={to} to={to} activeOptions={{ exact: true, includeSearch: false }}>
          {t.access.parts[name]}
        </Link>
      ))}
    </nav>
  );
}

/** Leads to the page where one asks for access, for those who may. */
export function ToAsking() {
  const may = useMay();
  if (!may("access-request:write")) return null;
  return <Link to="/access/ask">{t.access.ask.title}</Link>;
}
