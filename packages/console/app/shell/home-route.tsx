import { createRoute, Navigate } from "@tanstack/react-router";
import { t } from "../texts/index.js";
import { Empty } from "../ui/states.js";
import { shellRoute } from "./shell-route.js";
import { useAreas } from "./use-areas.js";

/** The console without a path opens the first area that one may use. */
export const homeRoute = createRoute({ getParentRoute: () => shellRoute, path: "/", component: Home });

function Home() {
  const [first] = useAreas();
  return first ? <Navigate to={first.path} replace /> : <Empty {...t.shell.nothing} />;
}
