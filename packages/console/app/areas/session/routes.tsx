import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "../../shell/shell-route.js";

const welcomeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "welcome",
  component: lazyRouteComponent(() => import("./welcome-page.js"), "WelcomePage"),
});

const accountRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "account",
  component: lazyRouteComponent(() => import("./account/account-page.js"), "AccountPage"),
});

/** Pages of one's own that stand in no area. */
export const sessionRoutes = [welcomeRoute, accountRoute];
