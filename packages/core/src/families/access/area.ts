import { defineArea } from "#families/area.js";
import { formsResource } from "./forms/resource.js";
import { identitiesResource } from "./identities/resource.js";
import { policiesResource } from "./policies/resource.js";
import { profilesResource } from "./profiles/resource.js";
import { resourcesResource } from "./resources/resource.js";
import { targetsResource } from "./targets/resource.js";

/** What can be had in connected systems, as what assets act there, and the policies for requests. */
export const accessArea = defineArea({
  name: "access",
  resources: [
    resourcesResource,
    profilesResource,
    identitiesResource,
    policiesResource,
    formsResource,
    targetsResource,
  ],
});
