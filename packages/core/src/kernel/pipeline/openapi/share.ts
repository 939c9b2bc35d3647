import type { Json } from "./json.js";

type Paths = Record<string, Record<string, Json>>;

/** Replaces each repeated answer by a reference. Returns the components. */
export function shareResponses(paths: Paths): Record<string, Json> {
  const names = new Names("responses");
  const answers = operationsOf(paths).map(({ responses }) => responses as Record<string, Json>);
  const isRepeated = repeated(answers.flatMap((given) => Object.values(given)));
  const all = answers.flatMap((given) => Object.entries(given).map(([status, answer]) => ({ given, status, answer })));
  const shared = all.filter(({ status, answer }) => !/^2/.test(status) || isRepeated(answer));
  // The most frequent get the shortest names.
  for (const { given, status, answer } of byFrequency(shared, ({ answer }) => answer))
    given[status] = names.refer(status, answer);
  return names.components;
}

/** Replaces each repeated parameter by a reference. Returns the components. */
export function shareParameters(paths: Paths): Record<string, Json> {
  const names = new Names("parameters");
  const all = operationsOf(paths);
  const isRepeated = repeated(all.flatMap(({ parameters }) => parameters as Json[]));
  for (const operation of all)
    operation.parameters = (operation.parameters as Json[]).map((parameter) =>
      isRepeated(parameter) ? names.refer(String(parameter.name), parameter) : parameter,
    );
  return names.components;
}

/** The parameters that have a schema of their own: the components, and those that stay in their operation. */
export function describedParameters(paths: Paths, components: Readonly<Record<string, Json>>): Json[] {
  const all = [...Object.values(components), ...operationsOf(paths).flatMap(({ parameters }) => parameters as Json[])];
  return all.filter(({ schema }) => schema);
}

/** Tells which of these occur more than once. */
function repeated(components: readonly Json[]): (component: Json) => boolean {
  const times = timesOf(components);
  return (component) => times(component) > 1;
}

function byFrequency<T>(items: readonly T[], componentOf: (item: T) => Json): T[] {
  const times = timesOf(items.map(componentOf));
  return items
    .map((item) => ({ item, count: times(componentOf(item)) }))
    .sort((one, other) => other.count - one.count)
    .map(({ item }) => item);
}

/** Counts how often a component occurs among these. */
function timesOf(components: readonly Json[]): (component: Json) => number {
  const times = new Map<string, number>();
  for (const component of components) {
    const text = JSON.stringify(component);
    times.set(text, (times.get(text) ?? 0) + 1);
  }
  return (component) => times.get(JSON.stringify(component)) ?? 0;
}

const operationsOf = (paths: Paths): Json[] => Object.values(paths).flatMap((path) => Object.values(path));

/** Names components of one kind. Equal names get a number. */
class Names {
  readonly components: Record<string, Json> = {};
  readonly #byText = new Map<string, string>();

  constructor(readonly kind: "responses" | "parameters") {}

  refer(title: string, component: Json): Json {
    const text = JSON.stringify(component);
    const name = this.#byText.get(text) ?? this.#free(title);
    this.#byText.set(text, name);
    this.components[name] = component;
    return { $ref: `#/components/${this.kind}/${name}` };
  }

  #free(title: string): string {
    let name = title;
    for (let number = 2; name in this.components; number += 1) name = `${title}-${number}`;
    return name;
  }
}
