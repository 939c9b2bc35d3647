import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { mountUrl } from "../../api/base.js";
import { client } from "../../api/client.js";
import { figureKey } from "../../api/keys.js";
import { useMay, useMe } from "../../api/me.js";
import { useAreas } from "../../shell/use-areas.js";
import { t } from "../../texts/index.js";
import { Loaded } from "../../ui/loaded.js";
import { Page } from "../../ui/page.js";
import { StatusBadge } from "../../ui/status-badge.js";

type Step = keyof typeof t.session.welcome.steps;

/** Where a step is taken, and how many there are of what it makes; one of somebody alone is not yet a team. */
const STEPS: readonly {
  readonly step: Step;
  readonly area: string;
  readonly needs: string;
  readonly enough: number;
  readonly count: () => Promise<{ readonly data: { readonly totalItems: number } }>;
}[] = [
  {
    ...{ step: "assets", area: "estate", needs: "ai-asset:read", enough: 1 },
    count: () => client.GET("/api/v1/ai-assets", { params: { query: { size: 1 } } }),
  },
  {
    ...{ step: "people", area: "administration", needs: "user:read", enough: 2 },
    count: () => client.GET("/api/v1/users", { params: { query: { size: 1 } } }),
  },
  {
    ...{ step: "policies", area: "policies", needs: "ai-policy:read", enough: 1 },
    count: () => client.GET("/api/v1/ai-governance/policies", { params: { query: { size: 1 } } }),
  },
  {
    ...{ step: "systems", area: "access", needs: "connector:read", enough: 1 },
    count: () => client.GET("/api/v1/connector-instances", { params: { query: { size: 1 } } }),
  },
];

/** The way of a new organisation: what comes next, and what of it is there already. */
export function WelcomePage() {
  const me = useMe();
  const may = useMay();
  return (
    <Page title={t.session.welcome.title(me.tenant.name)}>
      <p>{t.session.welcome.hint}</p>
      <ol className="steps">
        {STEPS.filter(({ needs }) => may(needs)).map((step) => (
          <StepEntry key={step.step} {...step} />
        ))}
      </ol>
      <h2>{t.session.welcome.more}</h2>
      <ul>
        <li>{t.session.welcome.tour}</li>
        <li>
          <a href={new URL("docs", mountUrl).href}>{t.session.welcome.reference}</a>
        </li>
      </ul>
    </Page>
  );
}

function StepEntry({ step, area, enough, count }: (typeof STEPS)[number]) {
  const { title, detail } = t.session.welcome.steps[step];
  const there = useQuery({
    queryKey: figureKey(`welcome ${step}`, ["ai_asset", "user", "policy", "connector_instance"]),
    queryFn: async () => (await count()).data.totalItems,
  });
  const place = useAreas().find(({ name }) => name === area);
  return (
    <li>
      <strong>{place ? <Link to={place.path}>{title}</Link> : title}</strong>{" "}
      <Loaded query={there}>
        {(total) => (
          <StatusBadge tone={total >= enough ? "good" : "neutral"}>{t.session.welcome.there(total)}</StatusBadge>
        )}
      </Loaded>
      <p className="muted">{detail}</p>
    </li>
  );
}
