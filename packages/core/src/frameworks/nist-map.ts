import { controlsOf } from "./control.js";
import { NIST_DOCUMENT } from "./nist-govern.js";

/** The function that establishes the context of risks. */
export const MAP = controlsOf(`${NIST_DOCUMENT}, `, [
  { id: "MAP 1.1", title: "Purposes, settings, laws, users and assumptions of the system are understood" },
  { id: "MAP 1.2", title: "People of different disciplines and backgrounds take part in setting the context" },
  { id: "MAP 1.3", title: "The organisation's mission and goals for AI are understood and written down" },
  { id: "MAP 1.4", title: "The value to the business is defined, or examined again for systems that exist" },
  { id: "MAP 1.5", title: "How much risk the organisation tolerates is determined and written down" },
  { id: "MAP 1.6", title: "Requirements come from those concerned, and design weighs what follows for people" },
  { id: "MAP 2.1", title: "The tasks and the methods of the system are defined" },
  { id: "MAP 2.2", title: "What the system does not know and how people will oversee its output is written down" },
  { id: "MAP 2.3", title: "Scientific integrity and the ways of testing and validation are written down" },
  { id: "MAP 3.1", title: "Expected benefits are examined and written down" },
  { id: "MAP 3.2", title: "Costs of errors and of lost trust are examined and written down" },
  { id: "MAP 3.3", title: "The scope of use is narrowed to what the system can do and what is known of it" },
  { id: "MAP 3.4", title: "Operators and practitioners are shown to be proficient with the system" },
  { id: "MAP 3.5", title: "How people oversee the system is defined, assessed and written down", weight: 2 },
  {
    id: "MAP 4.1",
    title: "Risks in law and technology of components, third-party data and software are mapped",
    policyRules: ["restricted-data-external-model"],
    remediation: "Keep restricted data away from models that others run, or classify it anew.",
  },
  { id: "MAP 4.2", title: "Internal controls over components, third-party ones among them, are identified" },
  { id: "MAP 5.1", title: "How likely and how grave each impact is, good or bad, is identified", weight: 2 },
  { id: "MAP 5.2", title: "There are people and ways to hear regularly from those concerned" },
]);
