import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "../../shell/shell-route.js";
import type { Area } from "../area.js";
import {
  attemptsSearchOf,
  erasuresSearchOf,
  machinesSearchOf,
  pageSearchOf,
  roleSearchOf,
  searchOf,
  webhooksSearchOf,
} from "./search.js";

const peopleRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "administration",
  validateSearch: searchOf,
  component: lazyRouteComponent(() => import("./people/people-page.js"), "PeoplePage"),
});

const personRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "administration/people/$userId",
  component: lazyRouteComponent(() => import("./people/person-page.js"), "PersonPage"),
});

const rolesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "administration/roles",
  validateSearch: roleSearchOf,
  component: lazyRouteComponent(() => import("./people/roles-page.js"), "RolesPage"),
});

const machinesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "administration/machines",
  validateSearch: machinesSearchOf,
  component: lazyRouteComponent(() => import("./machines/machines-page.js"), "MachinesPage"),
});

const machineRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "administration/machines/$identityId",
  validateSearch: pageSearchOf,
  component: lazyRouteComponent(() => import("./machines/machine-page.js"), "MachinePage"),
});

const settingsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "administration/settings",
  component: lazyRouteComponent(() => import("./settings/settings-page.js"), "SettingsPage"),
});

const chatChannelsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "administration/chat-channels",
  validateSearch: pageSearchOf,
  component: lazyRouteComponent(() => import("./chat-channels/channels-page.js"), "ChannelsPage"),
});

const webhooksRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "administration/webhooks",
  validateSearch: webhooksSearchOf,
  component: lazyRouteComponent(() => import("./webhooks/webhooks-page.js"), "WebhooksPage"),
});

const webhookRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "administration/webhooks/$webhookId",
  validateSearch: attemptsSearchOf,
  component: lazyRouteComponent(() => import("./webhooks/webhook-page.js"), "WebhookPage"),
});

const organisationRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "administration/organisation",
  validateSearch: pageSearchOf,
  component: lazyRouteComponent(() => import("./organisation/organisation-page.js"), "OrganisationPage"),
});

const erasuresRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "administration/erasures",
  validateSearch: erasuresSearchOf,
  component: lazyRouteComponent(() => import("./organisation/erasures-page.js"), "ErasuresPage"),
});

export const administration: Area = {
  name: "administration",
  path: "/administration",
  needs: ["user:read", "ai-identity:read", "tenant-settings:read", "webhook:read", "chat-channel:read"],
  routes: [
    peopleRoute,
    personRoute,
    rolesRoute,
    machinesRoute,
    machineRoute,
    settingsRoute,
    chatChannelsRoute,
    webhooksRoute,
    webhookRoute,
    organisationRoute,
    erasuresRoute,
  ],
};
