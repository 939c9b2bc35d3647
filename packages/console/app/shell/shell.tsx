import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, Outlet } from "@tanstack/react-router";
import { useEffect } from "react";
import { endSession } from "../api/browser-session.js";
import { type ConsoleConfig, configQuery } from "../api/config.js";
import { followActivity } from "../api/live.js";
import { useMe } from "../api/me.js";
import { forgetSession } from "../api/query-client.js";
import { t } from "../texts/index.js";
import { Text } from "../ui/text.js";
import { forgetWorks } from "../work/works.js";
import { StepUp } from "./step-up.js";
import { Tray } from "./tray.js";
import { UnreadNotices } from "./unread-notices.js";
import { useAreas } from "./use-areas.js";

/** Header, navigation, what is at work and the page. */
export function Shell() {
  const { data: config } = useQuery(configQuery);
  useEffect(() => {
    const leaving = new AbortController();
    followActivity(leaving.signal);
    return () => leaving.abort();
  }, []);
  return (
    <div className="shell">
      <a className="skip" href="#content">
        {t.shell.skip}
      </a>
      <Header config={config} />
      <Navigation />
      <Tray />
      <main id="content" tabIndex={-1}>
        <Outlet />
      </main>
      <StepUp />
    </div>
  );
}

function Header({ config }: { readonly config: ConsoleConfig | undefined }) {
  const me = useMe();
  const signOut = useMutation({
    mutationFn: endSession,
    // What this browser keeps of somebody's work goes before anybody else can sign in.
    onSuccess: () => forgetWorks().finally(forgetSession),
  });
  return (
    <header className="header">
      <Link to="/" className="brand">
        {config?.logo ? <img src={`assets/${config.logo}`} alt={config.name} /> : config?.name}
      </Link>
      {config && config.links.length > 0 && (
        <nav aria-label={t.shell.links}>
          {config.links.map(({ label, href }) => (
            <a key={href} href={href} rel="noreferrer">
              {label}
            </a>
          ))}
        </nav>
      )}
      <UnreadNotices />
      <Link to="/account" className="who">
        <Text>{t.shell.signedInAs(me.name ?? me.username, me.tenant.name)}</Text>
      </Link>
      <button type="button" className="quiet" onClick={() => signOut.mutate()}>
        {t.shell.signOut}
      </button>
    </header>
  );
}

/** The areas that the host shows and one may use. */
function Navigation() {
  const { reviews } = useMe();
  const waiting = (name: string) => (name === "inbox" && reviews && reviews.waiting.count > 0 ? reviews.waiting : null);
  return (
    <nav className="navigation" aria-label={t.shell.areas}>
      <ul>
        {useAreas().map(({ name, path }) => (
          <li key={name}>
            <Link to={path}>
              {t.areas[name]}
              <Waiting count={waiting(name)} />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Waiting({ count }: { readonly count: { readonly count: number; readonly relation: string } | null }) {
  if (count === null) return null;
  return <span className="count">{`${count.count}${count.relation === "exact" ? "" : "+"}`}</span>;
}
