import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { root } from "../lib/workspace.mjs";
import { code, markdownPage, type ReferencePage, table } from "./markdown.js";

interface Source extends Part {
  readonly title: string;
  readonly intro: string;
  /** Interfaces that it includes. */
  readonly also?: readonly Part[];
}

interface Part {
  readonly file: string;
  readonly interface: string;
  /** The constant with the defaults. */
  readonly defaults?: string;
}

const SOURCES: readonly Source[] = [
  {
    title: "createControlPlane",
    file: "packages/core/src/control-plane/config.ts",
    interface: "ControlPlaneConfig",
    intro: "What a control plane is made of, from `@reeve/core`. It also takes every option of the next section.",
  },
  {
    title: "Options",
    file: "packages/core/src/families/options.ts",
    interface: "Options",
    defaults: "DEFAULTS",
    also: [
      { file: "packages/core/src/kernel/config/options.ts", interface: "KernelOptions", defaults: "KERNEL_DEFAULTS" },
    ],
    intro: "A value that cannot work is refused before the store is touched, naming the option.",
  },
  {
    title: "createSqliteStore",
    file: "packages/store-sqlite/src/store.ts",
    interface: "SqliteStoreOptions",
    intro: "From `@reeve/store-sqlite`.",
  },
  {
    title: "createPostgresStore",
    file: "packages/store-postgres/src/connect/options.ts",
    interface: "PostgresStoreOptions",
    intro: "From `@reeve/store-postgres`.",
  },
];

/** The options of every factory, extracted from the interfaces and their comments. */
export function optionsPage(): ReferencePage {
  const sections = SOURCES.filter(({ file }) => existsSync(join(root, file))).flatMap((source) => section(source));
  return markdownPage("options.md", "Options", [
    "The environment variables of the standalone server stand in " +
      "[Operating the standalone server](../guides/standalone-server.md).",
    ...sections,
  ]);
}

function section(source: Source): string[] {
  const rows = [source, ...(source.also ?? [])].flatMap((part) => rowsOf(part));
  return [`## ${source.title}`, source.intro, table(["Option", "Type", "Default", "Meaning"], rows)];
}

function rowsOf(part: Part): string[][] {
  const file = ts.createSourceFile(
    part.file,
    readFileSync(join(root, part.file), "utf8"),
    ts.ScriptTarget.Latest,
    true,
  );
  const declared = file.statements.filter(ts.isInterfaceDeclaration).find(({ name }) => name.text === part.interface);
  if (!declared) throw new Error(`${part.file} has no interface ${part.interface}`);
  const defaults = part.defaults ? defaultsOf(file, part.defaults) : undefined;
  return declared.members.filter(ts.isPropertySignature).map((member) => {
    const name = member.name.getText(file);
    const type = code((member.type?.getText(file) ?? "").replaceAll(/\s+/g, " "));
    const need = defaults?.get(name) ?? (member.questionToken ? "" : "required");
    return [code(name), type, need, commentOf(member)];
  });
}

function commentOf(member: ts.PropertySignature): string {
  const comments = ts.getJSDocCommentsAndTags(member).filter(ts.isJSDoc);
  return comments.map((comment) => ts.getTextOfJSDocComment(comment.comment) ?? "").join(" ");
}

/** The properties of an object constant, by name, as source text. */
function defaultsOf(file: ts.SourceFile, constant: string): Map<string, string> {
  const declarations = file.statements
    .filter(ts.isVariableStatement)
    .flatMap((each) => [...each.declarationList.declarations]);
  const initializer = declarations.find((each) => each.name.getText(file) === constant)?.initializer;
  if (!initializer || !ts.isObjectLiteralExpression(initializer))
    throw new Error(`${file.fileName} has no ${constant}`);
  return new Map(
    initializer.properties.filter(ts.isPropertyAssignment).map((property) => [
      property.name.getText(file),
      code(
        property.initializer
          .getText(file)
          .replaceAll(/\s+/g, " ")
          .replaceAll(/, ([\]}])/g, " $1"),
      ),
    ]),
  );
}
