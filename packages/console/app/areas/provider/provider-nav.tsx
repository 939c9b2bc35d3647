import { t } from "../../texts/index.js";
import { SubNav } from "../../ui/sub-nav.js";

/** The pages of the provider's people. */
export const ProviderNav = () => (
  <SubNav
    label={t.provider.parts}
    pages={[
      ["/provider", t.provider.navigation.tenants],
      ["/provider/switches", t.provider.navigation.switches],
      ["/provider/settings", t.provider.navigation.settings],
      ["/provider/sql", t.provider.navigation.sql],
    ]}
  />
);
