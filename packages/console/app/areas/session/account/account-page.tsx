import { t } from "../../../texts/index.js";
import { Page } from "../../../ui/page.js";
import { Browsers } from "./browsers.js";
import { Factors } from "./factors.js";

/** One's own account: the browsers that one is signed in with, and second factors. */
export function AccountPage() {
  return (
    <Page title={t.account.title}>
      <Browsers />
      <Factors />
    </Page>
  );
}
