import { consoleUrl, mountUrl } from "../../api/base.js";
import type { ConsoleConfig } from "../../api/config.js";
import { t } from "../../texts/index.js";

/** The parameter by which the server says why nobody was signed in. */
const REFUSED = "refused";

/** Where a sign-in at a provider begins. It comes back to the page that one is on. */
export function openidAddress(name: string, more: Readonly<Record<string, string>> = {}): string {
  const here = new URL(location.href);
  here.searchParams.delete(REFUSED);
  const isWithin = here.href.startsWith(consoleUrl.href);
  const url = new URL(`api/v1/auth/openid/${name}/start`, mountUrl);
  url.search = new URLSearchParams({
    return: isWithin ? here.href.slice(consoleUrl.href.length) : "",
    ...more,
  }).toString();
  return url.href;
}

/** A button for each OpenID provider. */
export function OtherWays({ providers }: { readonly providers: ConsoleConfig["signIn"]["openid"] }) {
  if (providers.length === 0) return null;
  return (
    <>
      <p className="muted">{t.session.or}</p>
      {providers.map(({ name, label }) => (
        <a key={name} className="button" href={openidAddress(name)}>
          {label}
        </a>
      ))}
    </>
  );
}

/** Why a sign-in at a provider has come to nothing. */
export function Refused() {
  const code = new URLSearchParams(location.search).get(REFUSED) ?? "";
  const { title, codes } = t.session.refused;
  if (!Object.hasOwn(codes, code)) return null;
  return (
    <div className="failed" role="alert">
      <p className="failed-title">{title}</p>
      <p>{codes[code as keyof typeof codes]}</p>
    </div>
  );
}
