import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { t } from "../texts/index.js";
import { Empty, Failed } from "../ui/states.js";
import { rootRoute } from "./root-route.js";

/** The frame around every page of a signed-in person. Areas put their routes below it. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "shell",
  component: lazyRouteComponent(() => import("./shell.js"), "Shell"),
  errorComponent: ({ error, reset }) => <Failed error={error} onRetry={reset} />,
  notFoundComponent: () => <Empty {...t.shell.notFound} />,
});
