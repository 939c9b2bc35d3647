import { useQuery } from "@tanstack/react-query";
import { client } from "../../../api/client.js";
import { figureKey } from "../../../api/keys.js";
import { t } from "../../../texts/index.js";
import { Loaded } from "../../../ui/loaded.js";
import { Page } from "../../../ui/page.js";
import { StatusBadge } from "../../../ui/status-badge.js";
import { Text } from "../../../ui/text.js";
import { Time } from "../../../ui/time.js";
import { AdministrationNav } from "../administration-nav.js";
import { Domain } from "./domain.js";

const words = t.administration.organisation;

/** What the organisation is entitled to, how much of it is used, and its addresses. */
export function OrganisationPage() {
  const capabilities = useQuery({
    queryKey: figureKey("capabilities", ["tenant", "ai_asset", "user"]),
    queryFn: async ({ signal }) =>
      (await client.GET("/api/v1/platform/capabilities", { params: { query: { size: 100 } }, signal })).data,
  });
  return (
    <Page title={t.administration.navigation.organisation}>
      <AdministrationNav />
      <section aria-label={words.capabilities}>
        <h2>{words.capabilities}</h2>
        <Loaded query={capabilities}>
          {({ items }) => (
            <ul className="stop-list">
              {items.map(({ id, description, licensed, expiresAt, limits }) => (
                <li key={id}>
                  <span className="stop-name">
                    <Text>{description}</Text>
                    {expiresAt !== null && (
                      <span className="muted">
                        {words.until} <Time at={expiresAt} />
                      </span>
                    )}
                    {limits.map(({ key, description: of, used, allowed }) => (
                      <Use key={key} label={of} used={used} allowed={allowed} />
                    ))}
                  </span>
                  <StatusBadge tone={licensed ? "good" : "neutral"}>
                    {licensed ? words.licensed : words.notLicensed}
                  </StatusBadge>
                </li>
              ))}
            </ul>
          )}
        </Loaded>
      </section>
      <Domain />
    </Page>
  );
}

interface UseProps {
  readonly label: string;
  /** `null` where it is not known. */
  readonly used: number | null;
  readonly allowed: number | null;
}

function Use({ label, used, allowed }: UseProps) {
  const figures = words.used(used, allowed);
  return (
    <span className="muted">
      <Text>{label}</Text> {figures}{" "}
      {used !== null && allowed !== null && <meter aria-label={`${label}: ${figures}`} value={used} max={allowed} />}
    </span>
  );
}
