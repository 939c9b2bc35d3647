import type { Named } from "../api/names.js";
import { t } from "../texts/index.js";

/** Says that names are left out, where the reader may not see some of them. */
export function HiddenNames({ names }: { readonly names: ReadonlyMap<string, Named> }) {
  const isAny = [...names.values()].some(({ hidden }) => hidden);
  return isAny ? <p className="muted">{t.person.someHidden}</p> : null;
}
