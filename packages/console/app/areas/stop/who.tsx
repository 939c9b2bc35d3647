import { useQuery } from "@tanstack/react-query";
import { client } from "../../api/client.js";
import { recordKey } from "../../api/keys.js";
import { useMay } from "../../api/me.js";
import { t } from "../../texts/index.js";
import { Person } from "../../ui/person.js";
import { Time } from "../../ui/time.js";

/** Who did it and when: by name for those who may see people, by id for others. */
export function Who({ id, at }: { readonly id: string; readonly at: string }) {
  const may = useMay();
  const { data } = useQuery({
    queryKey: recordKey("user", id),
    queryFn: async ({ signal }) => (await client.GET("/api/v1/users/{id}", { params: { path: { id } }, signal })).data,
    enabled: id.startsWith("usr_") && may("user:read"),
    retry: false,
  });
  return (
    <>
      {t.stop.by} <Person person={{ id, name: data?.name ?? null }} /> <Time at={at} age />
    </>
  );
}
