import { ConnectorError } from "@reeve/core/connectors";
import { z } from "zod";
import { Branch, Text, Title } from "../../tool-arguments.js";
import { done, refused } from "../../tool-results.js";
import type { Project } from "../repositories.js";
import { branchesOf } from "./branches.js";
import { PageName, WikiPage } from "./read-tools.js";
import { fileTicket } from "./ticket.js";
import { repositoryTool } from "./tool.js";

const CheckIn = z.object({ uuid: z.string() });

const createBranch = repositoryTool({
  name: "create_branch",
  description: "Creates a branch at the end of another one.",
  effect: "write",
  idempotent: false,
  input: { branch: Branch, from: Branch.optional() },
  async run(ctx, project, { branch, from = ctx.config.branch }) {
    const branches = await branchesOf(project);
    if (branches.includes(branch)) return refused("conflict", "There is a branch of this name.");
    if (!branches.includes(from)) return refused("not_found", "There is no such branch to begin at.");
    const wanted = { name: branch, basis: `tag:${from}` };
    const { uuid } = await project.session.call(["branch", "create"], wanted, CheckIn);
    return done({ branch, checkIn: uuid });
  },
});

const writeWiki = repositoryTool({
  name: "write_wiki",
  description: "Writes a page of the wiki in Markdown, whole. One that says the same already is left as it is.",
  effect: "write",
  idempotent: true,
  input: { page: PageName, content: Text(100_000) },
  async run(_ctx, { session }, { page, content }) {
    const before = await pageOf(session, page);
    if (before === content) return done({ page, changed: false });
    const command = before === undefined ? "create" : "save";
    await session.call(["wiki", command], { name: page, content, mimetype: "text/x-markdown" }, z.unknown());
    return done({ page, changed: true });
  },
});

/** The text of a page; `undefined` where there is none. */
async function pageOf(session: Project["session"], page: string): Promise<string | undefined> {
  try {
    return (await session.call(["wiki", "get"], { name: page }, WikiPage)).content;
  } catch (error) {
    if (ConnectorError.is(error) && error.errorClass === "not_found") return undefined;
    throw error;
  }
}

const createTicket = repositoryTool({
  name: "create_ticket",
  description: "Opens a ticket. Its comment is plain text.",
  effect: "write",
  idempotent: false,
  input: {
    title: Title,
    comment: Text(50_000).min(1),
    type: z.enum(["Code_Defect", "Build_Problem", "Documentation", "Feature_Request", "Incident"]).optional(),
    severity: z.enum(["Critical", "Severe", "Important", "Minor", "Cosmetic"]).optional(),
  },
  async run(ctx, project, { title, comment, type = "Incident", severity = "Minor" }) {
    return fileTicket(ctx, project, { title, comment, type, severity, mutype: "Plain Text" });
  },
});

export const writeTools = [createBranch, writeWiki, createTicket];
