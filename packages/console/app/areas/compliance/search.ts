import { useSearch } from "@tanstack/react-router";
import { choice } from "../../api/search.js";
import { CONTROL_STATES } from "./terms.js";

/** Which controls of a framework are shown. */
export const frameworkSearchOf = (search: Record<string, unknown>) => ({ state: choice(search.state, CONTROL_STATES) });

export type FrameworkSearch = ReturnType<typeof frameworkSearchOf>;

export const useFrameworkSearch = (): FrameworkSearch => useSearch({ strict: false });
