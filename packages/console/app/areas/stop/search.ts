import { useSearch } from "@tanstack/react-router";
import { choice } from "../../api/search.js";

/** What one stops by. */
export const STOP_TABS = ["team", "sessions", "mcp_server", "model"] as const;

export const stopSearchOf = (search: Record<string, unknown>) => ({ tab: choice(search.tab, STOP_TABS) });

export const useStopSearch = (): ReturnType<typeof stopSearchOf> => useSearch({ strict: false });
