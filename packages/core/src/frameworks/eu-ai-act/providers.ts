import { highRisk, paragraphs } from "./terms.js";

/** Articles 16 to 22: what providers of high-risk systems have to do. */
export const PROVIDERS = paragraphs({ ...highRisk, roles: ["provider"] }, [
  {
    id: "16(b)",
    title: "Name and address of the provider stand on the system",
    guidance:
      "Show name, trade mark and address in the product or its papers. Attach the screen or page that shows them.",
  },
  {
    id: "16(k)",
    title: "Conformity is demonstrated when an authority asks with reasons",
    guidance:
      "Make a compliance report of the tenant and keep it with the technical file. Attach the name of who answers such requests.",
  },
  {
    id: "16(l)",
    title: "The system is accessible to people with disabilities",
    guidance:
      "Test the interface against the accessibility standard that binds you. Attach the test report and the open points.",
  },
  {
    id: "17(1)",
    title: "A quality management system covers all points that the paragraph lists",
    weight: 2,
    guidance:
      "Map each of its thirteen points to a procedure with an owner. Attach the map; ISO/IEC 42001 serves many of the points.",
  },
  {
    id: "17(2)",
    title: "Quality management fits the size of the organisation",
    guidance: "State in the manual what is done more simply and why protection stays the same. Attach that page.",
  },
  {
    id: "17(3)",
    title: "Quality management of other law is extended rather than doubled",
    guidance: "Attach the extension of the quality manual of your sector, or declare that no other law asks for one.",
  },
  {
    id: "17(4)",
    title: "Financial institutions rely on their rules of internal governance",
    guidance:
      "Attach the governance rules that stand in for quality management, or declare that you are no financial institution.",
  },
  {
    id: "18(1)",
    title: "Documents are kept for ten years after the system went on the market",
    guidance:
      "Set the retention of the technical file, quality papers and declarations to ten years. Attach the retention rule of the archive.",
  },
  {
    id: "18(3)",
    title: "Financial institutions keep the documents within those of their own law",
    guidance:
      "Attach where the file lies within the records of financial law, or declare that you are no financial institution.",
  },
  {
    id: "19(1)",
    title: "Logs under the control of the provider are kept for at least six months",
    weight: 2,
    guidance:
      "Leave the retention of events at six months or more for every tenant. Attach the setting and the oldest event there is.",
  },
  {
    id: "19(2)",
    title: "Financial institutions keep the logs within the records of their own law",
    guidance: "Attach the index of the records that hold the logs, or declare that you are no financial institution.",
  },
  {
    id: "20(1)",
    title: "Systems that do not conform are corrected, disabled or recalled at once",
    weight: 2,
    guidance:
      "Suspend the asset when a critical finding is confirmed and keep the reason in its history. Attach the notice to distributors and deployers.",
  },
  {
    id: "20(2)",
    title: "Risks of the system are investigated and told to the authorities",
    guidance:
      "Open a finding for each risk a deployer reports and claim its fix there. Attach the message to the market surveillance authority.",
  },
  {
    id: "21(1)",
    title: "Authorities get all documents they ask for, in a language they understand",
    guidance:
      "Name who answers and in which languages papers exist. Attach the log of requests with the days they took.",
  },
  {
    id: "21(2)",
    title: "Authorities get access to the logs when they ask with reasons",
    guidance:
      "Export the events of the asset from the activity with the proof of their chain. Attach a rehearsal of that export.",
  },
  {
    id: "22(1)",
    title: "Providers outside the Union appoint an authorised representative",
    guidance: "Attach the written mandate from before market, or declare that you are established in the Union.",
  },
  {
    id: "22(2)",
    title: "The representative is enabled to do what the mandate says",
    guidance:
      "Give the representative an account with the role `auditor` here. Attach the list of what else they can reach.",
  },
  {
    id: "22(3)",
    title: "The mandate covers documents, requests, cooperation and registration",
    guidance:
      "Hold the mandate against the tasks of the paragraph. Attach the marked copy, with the contact the authorities use.",
  },
  {
    id: "22(4)",
    title: "The representative ends a mandate under which the regulation is broken",
    guidance:
      "Agree by which channel the representative tells of breaches and of the end of the mandate. Attach that clause.",
  },
]);
