import { Link } from "@tanstack/react-router";
import type { components } from "../../api/client.js";
import { t } from "../../texts/index.js";
import { SEVERITIES } from "./terms.js";

type Dashboard = components["schemas"]["GovernanceDashboard"];

/** Findings by severity as the server counted them: a table whose rows are drawn as bars, each leading to its list. */
export function SeverityBars({ dashboard }: { readonly dashboard: Dashboard }) {
  const counts = SEVERITIES.map((severity) => [severity, dashboard.findings.bySeverity[severity] ?? 0] as const);
  const most = Math.max(1, ...counts.map(([, count]) => count));
  return (
    <table className="bars">
      <caption>{t.findings.bySeverity}</caption>
      <tbody>
        {counts.map(([severity, count]) => (
          <tr key={severity}>
            <th scope="row">
              <Link to="/findings" search={{ severity }}>
                {t.findings.severities[severity]}
              </Link>
            </th>
            <td className="end">{t.number(count)}</td>
            <td aria-hidden="true" className="bar-cell">
              <svg viewBox="0 0 100 10" preserveAspectRatio="none" className={`bar bar-${severity}`}>
                <title>{t.number(count)}</title>
                <rect width={(count / most) * 100} height="10" />
              </svg>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
