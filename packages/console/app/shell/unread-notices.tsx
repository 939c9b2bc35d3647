import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { client } from "../api/client.js";
import { listKey } from "../api/keys.js";
import { t } from "../texts/index.js";

const QUERY = { unread: ["true"], status: ["open" as const], size: 1 };

/** Leads to one's notices, and says how many of open matters are unread. */
export function UnreadNotices() {
  const { data } = useQuery({
    queryKey: listKey("notice", QUERY),
    queryFn: async ({ signal }) => (await client.GET("/api/v1/me/notices", { params: { query: QUERY }, signal })).data,
    staleTime: 30_000,
  });
  const { totalItems = 0, totalRelation = "exact" } = data ?? {};
  const search = totalItems > 0 ? { reading: "unread", status: "open" } : {};
  return (
    <Link to="/notices" search={search} className="to-notices">
      {t.notices.title}
      {totalItems > 0 && (
        <>
          {" "}
          <span className="count">{t.notices.unread(totalItems, totalRelation === "exact")}</span>
        </>
      )}
    </Link>
  );
}
