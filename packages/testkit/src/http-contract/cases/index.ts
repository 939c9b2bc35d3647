import type { HttpCase } from "../case.js";
import { bodyCases } from "./bodies.js";
import { credentialCases } from "./credentials.js";
import { exportCases } from "./exports.js";
import { formCases } from "./forms.js";
import { headerCases } from "./headers.js";
import { domainCases, hostCases } from "./hosts.js";
import { jsonCases } from "./json.js";
import { mediaCases } from "./media.js";
import { methodCases } from "./methods.js";
import { ordinaryCases } from "./ordinary.js";
import { pathCases } from "./paths.js";
import { queryCases } from "./queries.js";

/** Every case of the HTTP contract, except what no HTTP parser accepts. */
export const httpCases: readonly HttpCase[] = [
  ...pathCases,
  ...methodCases,
  ...queryCases,
  ...bodyCases,
  ...jsonCases,
  ...mediaCases,
  ...formCases,
  ...exportCases,
  ...credentialCases,
  ...headerCases,
  ...ordinaryCases,
  ...hostCases,
  ...domainCases,
];
