import { useMay } from "../../api/me.js";
import { t } from "../../texts/index.js";
import { SubNav } from "../../ui/sub-nav.js";

const PAGES = [
  ["/administration", t.administration.navigation.people, "user:read"],
  ["/administration/roles", t.administration.navigation.roles, "user:read"],
  ["/administration/machines", t.administration.navigation.machines, "ai-identity:read"],
  ["/administration/settings", t.administration.navigation.settings, "tenant-settings:read"],
  ["/administration/chat-channels", t.administration.navigation.chatChannels, "chat-channel:read"],
  ["/administration/webhooks", t.administration.navigation.webhooks, "webhook:read"],
  ["/administration/organisation", t.administration.navigation.organisation, "tenant-domain:read"],
  ["/administration/erasures", t.administration.navigation.erasures, "ai-audit:read"],
] as const;

/** The pages of administration that one may read. */
export function AdministrationNav() {
  const may = useMay();
  const pages = PAGES.filter(([, , permission]) => may(permission)).map(([to, label]) => [to, label] as const);
  return <SubNav label={t.administration.parts} pages={pages} />;
}
