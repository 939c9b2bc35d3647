import { defineResource } from "#families/resource.js";
import { askForward } from "./operations.js";

/** Subrequests of proxies, which let a request pass or not by the status of the answer. */
export const forwardAuthResource = defineResource({ operations: [askForward] });
