import { controlsOf } from "../control.js";
import { NIST_DOCUMENT } from "./govern.js";

/** The function that establishes the context of risks. */
export const MAP = controlsOf(`${NIST_DOCUMENT}, `, [
  {
    id: "MAP 1.1",
    title: "Purposes, settings, laws, users and assumptions of the system are understood",
    guidance:
      "Describe purpose, users, setting, laws and assumptions in the record of each asset. Attach the fuller description for high risk.",
  },
  {
    id: "MAP 1.2",
    title: "People of different disciplines and backgrounds take part in setting the context",
    guidance:
      "Name the disciplines that set the context of a system. Attach the list of participants and what each added.",
  },
  {
    id: "MAP 1.3",
    title: "The organisation's mission and goals for AI are understood and written down",
    guidance: "Write down what the organisation wants from AI and what it will not do. Attach the statement of aims.",
  },
  {
    id: "MAP 1.4",
    title: "The value to the business is defined, or examined again for systems that exist",
    guidance:
      "State the benefit that each system is to bring, with a figure. Attach the business case and its last comparison with reality.",
  },
  {
    id: "MAP 1.5",
    title: "How much risk the organisation tolerates is determined and written down",
    guidance:
      "Set how much risk is tolerated by kind of harm and who may accept more. Attach the decision with its signatures.",
  },
  {
    id: "MAP 1.6",
    title: "Requirements come from those concerned, and design weighs what follows for people",
    guidance:
      "Draw requirements from those concerned, privacy among them. Attach interviews and the requirements that came of them.",
  },
  {
    id: "MAP 2.1",
    title: "The tasks and the methods of the system are defined",
    guidance:
      "Note in each model record its task and method, such as classification or generation. Attach the choice with alternatives.",
  },
  {
    id: "MAP 2.2",
    title: "What the system does not know and how people will oversee its output is written down",
    guidance:
      "Write down limits of knowledge and how people use and oversee output. Attach the page that operators read.",
  },
  {
    id: "MAP 2.3",
    title: "Scientific integrity and the ways of testing and validation are written down",
    guidance: "Document design of tests, choice of data, and how valid conclusions are. Attach the scientific review.",
  },
  {
    id: "MAP 3.1",
    title: "Expected benefits are examined and written down",
    guidance: "List benefits by who receives them, with their assumptions. Attach the list and its evidence.",
  },
  {
    id: "MAP 3.2",
    title: "Costs of errors and of lost trust are examined and written down",
    guidance:
      "Estimate what errors and lost trust would cost, in money and otherwise. Attach the estimate per system of high risk.",
  },
  {
    id: "MAP 3.3",
    title: "The scope of use is narrowed to what the system can do and what is known of it",
    guidance: "Limit purpose, tools and data of an agent to what was tested. Attach the limits next to test coverage.",
  },
  {
    id: "MAP 3.4",
    title: "Operators and practitioners are shown to be proficient with the system",
    guidance: "Test operators on the system they run before they may run it. Attach the standard and the results.",
  },
  {
    id: "MAP 3.5",
    title: "How people oversee the system is defined, assessed and written down",
    guidance:
      "Say who oversees the system, when they step in and by which means. Attach the procedure with its last exercise.",
    weight: 2,
  },
  {
    id: "MAP 4.1",
    title: "Risks in law and technology of components, third-party data and software are mapped",
    guidance:
      "Keep restricted data away from models that others run, which the rule checks. Attach the review of licences and third-party data.",
    policyRules: ["restricted-data-external-model"],
    automation:
      "A model that somebody else runs is the gravest third-party risk to restricted data, and passes show that no agent gives it such data by its declared classification. Licences and software they do not touch.",
  },
  {
    id: "MAP 4.2",
    title: "Internal controls over components, third-party ones among them, are identified",
    guidance:
      "List the internal controls over each component, those of others too. Attach the list with the owner of each control.",
  },
  {
    id: "MAP 5.1",
    title: "How likely and how grave each impact is, good or bad, is identified",
    guidance:
      "Rate likelihood and magnitude of each impact in the risk assessment. Attach sources: incidents, tests, similar systems.",
    weight: 2,
  },
  {
    id: "MAP 5.2",
    title: "There are people and ways to hear regularly from those concerned",
    guidance: "Set up regular talks with affected groups and note what changes. Attach the plan and the last notes.",
  },
]);
