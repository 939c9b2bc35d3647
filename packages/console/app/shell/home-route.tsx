import { createRoute, Navigate } from "@tanstack/react-router";
import { useMe } from "../api/me.js";
import { areas } from "../areas/index.js";
import { t } from "../texts/index.js";
import { Empty } from "../ui/states.js";
import { shellRoute } from "./shell-route.js";

/** The console without a path opens the first area that one may use. */
export const homeRoute = createRoute({ getParentRoute: () => shellRoute, path: "/", component: Home });

function Home() {
  const { permissions } = useMe();
  const first = areas.find(({ needs }) => needs.some((permission) => permissions.includes(permission)));
  return first ? <Navigate to={first.path} replace /> : <Empty {...t.shell.nothing} />;
}
