import { defineResource } from "#families/resource.js";
import { askOpa, askOpaWhy, askToolhive } from "./operations.js";

/** Decisions for programs that ask the data API of Open Policy Agent, or as ToolHive does. */
export const policyAgentsResource = defineResource({ operations: [askOpa, askOpaWhy, askToolhive] });
