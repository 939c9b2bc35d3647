import { useMe } from "../../../api/me.js";
import { t } from "../../../texts/index.js";
import { Page } from "../../../ui/page.js";
import { Browsers } from "./browsers.js";
import { Factors } from "./factors.js";

/** One's own account: the browsers that one is signed in with, and second factors where there is an account here. */
export function AccountPage() {
  const hasAccount = useMe().id.startsWith("usr_");
  return (
    <Page title={t.account.title}>
      <Browsers />
      {hasAccount && <Factors />}
    </Page>
  );
}
