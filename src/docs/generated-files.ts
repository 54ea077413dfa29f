import { wholeExamplesAt } from "../api/openapi/examples.ts";
import { openapi } from "../api/openapi/openapi.ts";
import type { Operation } from "../api/operation.ts";
import type { Resource } from "../api/resource.ts";
import type { Contents } from "../app/registry.ts";
import { namedText } from "../core/next-step.ts";
import { answerSizes, toolSizes } from "./sizes.ts";

export interface GeneratedFile {
  /** From the repository's root. */
  path: string;
  content: string;
}

/** Where a fresh start listens; the committed description is for reading and for its diffs. */
const BASE_URL = "http://127.0.0.1:3000";

/**
 * Every file of the repository that is made from the operations, as it should be. `read` tells what a
 * file holds now: the parts between markers are replaced, the rest stays.
 */
export function generated(
  { operations, resources }: Pick<Contents, "operations" | "resources">,
  read: (path: string) => string,
): GeneratedFile[] {
  const description = openapi(operations, BASE_URL);
  // A file with several tables is made of all of them.
  const made = new Map<string, string>();
  const table = (path: string, name: string, rows: string): GeneratedFile => {
    const content = replaceBetween(path, made.get(path) ?? read(path), { name, rows });
    made.set(path, content);
    return { path, content };
  };
  const tables = [
    table("docs/agents.md", "tools", toolTable(operations)),
    table("docs/agents.md", "sizes", sizeTable(operations, resources)),
    table("docs/http-api.md", "endpoints", endpointTable(description, operations, resources)),
  ];
  return [
    ...new Map(tables.map((one) => [one.path, one])).values(),
    { path: "docs/api/openapi.json", content: `${JSON.stringify(description, null, 2)}\n` },
  ];
}

function replaceBetween(
  path: string,
  text: string,
  { name, rows }: { name: string; rows: string },
): string {
  const [start, end] = [`<!-- generated: ${name} -->`, `<!-- end of ${name} -->`];
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from === -1 || to === -1) throw new Error(`${path} has no lines ${start} and ${end}`);
  return `${text.slice(0, from + start.length)}\n${rows}\n${text.slice(to)}`;
}

const table = (head: string[], rows: string[][]): string =>
  [head, head.map(() => "---"), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`)
    .join("\n");

const code = (text: string): string => `\`${text}\``;

const ACCESS = { public: "everybody", agent: "key", optional: "everybody; a key adds to it" };

const firstSentence = (text: string): string =>
  /^.*?[.:](?= |$)/.exec(text)?.[0].replace(/:$/, ".") ?? text;

function toolTable(operations: readonly Operation[]): string {
  const rows = operations.map(({ name, description, http, access, effect }) => [
    code(name),
    firstSentence(namedText(description, "tools")),
    code(`${http.method} ${http.path}`),
    ACCESS[access],
    effect,
  ]);
  return table(["Tool", "What for", "Endpoint", "Who", "Effect"], rows);
}

function sizeTable(operations: readonly Operation[], resources: readonly Resource[]): string {
  const { list, withoutOutputs, tools } = toolSizes(operations, resources);
  const figure = (count: number) => count.toLocaleString("en-US");
  const whole = [
    ["`tools/list`, all of it", figure(list)],
    ["`tools/list` without output schemas", figure(withoutOutputs)],
    ...answerSizes(wholeExamplesAt(BASE_URL)).map(([what, count]) => [
      `answer: ${what}`,
      figure(count),
    ]),
  ];
  const each = tools.map(({ name, bytes, withoutOutput }) => [
    code(name),
    figure(bytes),
    figure(withoutOutput),
  ]);
  return [
    table(["What a model reads", "Bytes"], whole),
    table(["Tool", "Bytes", "Without output schema"], each),
  ].join("\n\n");
}

interface DescribedPath {
  operationId: string;
  summary: string;
  /** Where it says nothing a key is needed, as the document says for all. */
  security?: object[];
}

/** Every path of the OpenAPI document, hand-written ones too, beside what shows it over MCP. */
function endpointTable(
  description: Record<string, unknown>,
  operations: readonly Operation[],
  resources: readonly Resource[],
): string {
  const paths = description.paths as Record<string, Record<string, DescribedPath>>;
  const rows = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { summary, security }]) => [
      code(`${method.toUpperCase()} ${path}`),
      summary,
      needs(security),
      overMcp(`${method.toUpperCase()} ${path}`, operations, resources),
    ]),
  );
  return table(["Endpoint", "What it does", "Who", "Over MCP"], rows);
}

function needs(security: object[] | undefined): string {
  if (security === undefined) return ACCESS.agent;
  if (security.length === 0) return ACCESS.public;
  return security.some((one) => Object.keys(one).length === 0) ? ACCESS.optional : ACCESS.agent;
}

/** A resource's address is the endpoint's path under coffee://, so the one gives the other. */
function overMcp(
  endpoint: string,
  operations: readonly Operation[],
  resources: readonly Resource[],
): string {
  const tools = operations.filter(({ http }) => `${http.method} ${http.path}` === endpoint);
  const uri = endpoint.replace(/^GET \/(v1\/)?/, "coffee://");
  const read = resources.filter((resource) => resource.uri === uri);
  const names = [...tools.map(({ name }) => name), ...read.map((resource) => resource.uri)];
  return names.length > 0 ? names.map(code).join(", ") : "none: for HTTP clients";
}
