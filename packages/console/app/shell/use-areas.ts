import { useQuery } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { configQuery } from "../api/config.js";
import { useMe } from "../api/me.js";
import type { Area } from "../areas/area.js";

/** The areas that the host shows and one may use. The router brings them, because their routes lie below the shell. */
export function useAreas(): readonly Area[] {
  const { areas } = useRouter().options.context as { readonly areas: readonly Area[] };
  const { data: config } = useQuery(configQuery);
  const { permissions } = useMe();
  const shown = config?.areas ?? null;
  return areas.filter(
    ({ name, needs }) =>
      (shown === null || shown.includes(name)) &&
      (needs.length === 0 || needs.some((permission) => permissions.includes(permission))),
  );
}
