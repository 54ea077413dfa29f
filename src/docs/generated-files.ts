import { type Examples, examplesAt } from "../api/openapi/describe.ts";
import { openapi } from "../api/openapi/openapi.ts";
import type { Operation } from "../api/operation.ts";
import type { Contents } from "../api/resource.ts";
import { cardsOf, type Resource } from "../api/resource.ts";
import { ERRORS } from "../core/errors.ts";
import { LIMITS } from "../core/policy.ts";
import { LIMIT_TABLE, publishedLimits } from "../core/rate-limits.ts";
import { toolsOf } from "../mcp/schemas.ts";
import { BY_PAGE, BY_QUOTE, buyingSteps, numbered } from "../merchant/buying.ts";

export interface GeneratedFile {
  /** Relative to the repository. */
  path: string;
  content: string;
}

/** Default address of a service. */
const BASE_URL = "http://127.0.0.1:3000";

/**
 * Files generated from the operations. `read` returns the current text of a file; only the parts
 * between markers are replaced.
 */
export function generated(
  { operations, resources }: Pick<Contents, "operations" | "resources">,
  read: (path: string) => string,
): GeneratedFile[] {
  const description = openapi(operations, BASE_URL);
  const agents = replaceBetween("docs/agents.md", read("docs/agents.md"), {
    buying: numbered(buyingSteps(BY_QUOTE, "tools").map(withCode)),
    tools: toolTable(operations),
    sizes: sizeTable(operations, resources),
  });
  const tables = {
    buying: numbered(buyingSteps(BY_PAGE, "endpoints").slice(1).map(withCode)),
    endpoints: endpointTable(description, operations, resources),
    errors: errorTable(),
    limits: limitTable(),
    "rate limits": table(["Name", "Limit"], Object.entries(publishedLimits(LIMIT_TABLE))),
  };
  return [
    agents,
    replaceBetween("docs/http-api.md", read("docs/http-api.md"), tables),
    { path: "docs/api/openapi.json", content: `${JSON.stringify(description, null, 2)}\n` },
  ];
}

function replaceBetween(path: string, text: string, tables: Record<string, string>): GeneratedFile {
  let content = text;
  for (const [name, rows] of Object.entries(tables)) {
    const [start, end] = [`<!-- generated: ${name} -->`, `<!-- end of ${name} -->`];
    const [from, to] = [content.indexOf(start), content.indexOf(end)];
    if (from === -1 || to === -1) throw new Error(`${path} has no lines ${start} and ${end}`);
    content = `${content.slice(0, from + start.length)}\n${rows}\n${content.slice(to)}`;
  }
  return { path, content };
}

const table = (head: string[], rows: string[][]): string =>
  [head, head.map(() => "---"), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`)
    .join("\n");

const code = (text: string): string => `\`${text}\``;

/** Marks endpoints and names of tools and fields as code. */
const withCode = (text: string): string =>
  text.replace(/\b[A-Z]+ \/v1\/[\w/{}-]+|\b[a-z]+(_[a-z]+)+\b|\w+=\w+/g, code);

const ACCESS = { public: "everybody", agent: "key", optional: "everybody; a key adds to it" };

const firstSentence = (text: string): string =>
  /^.*?[.:](?= |$)/.exec(text)?.[0].replace(/:$/, ".") ?? text;

/** Codes by status. */
function errorTable(): string {
  const byStatus = Map.groupBy(Object.entries(ERRORS), ([, { status }]) => status);
  const rows = [...byStatus].sort(([a], [b]) => a - b);
  return table(
    ["Status", "Codes"],
    rows.map(([status, kinds]) => [String(status), kinds.map(([name]) => code(name)).join(", ")]),
  );
}

const limitTable = (): string =>
  table(
    ["Limit", "Most"],
    Object.entries(LIMITS).map(([name, most]) => [code(name), most.toLocaleString("en-US")]),
  );

function toolTable(operations: readonly Operation[]): string {
  const rows = operations.map(({ name, description, access, effect }) => [
    code(name),
    firstSentence(description),
    ACCESS[access],
    effect,
  ]);
  return table(["Tool", "What for", "Who", "Effect"], rows);
}

function sizeTable(operations: readonly Operation[], resources: readonly Resource[]): string {
  const { list, withoutOutputs } = toolSizes(operations, resources);
  const figure = (count: number) => count.toLocaleString("en-US");
  const whole = [
    ["`tools/list`, all of it", figure(list)],
    ["`tools/list` without output schemas", figure(withoutOutputs)],
    ...answerSizes(examplesAt(BASE_URL)).map(([what, count]) => [`answer: ${what}`, figure(count)]),
  ];
  return table(["What a model reads", "Bytes"], whole);
}

const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/**
 * Bytes of compact JSON in `tools/list`, at its largest: without a key, each tool also describes the
 * key parameter.
 */
export function toolSizes(operations: readonly Operation[], resources: readonly Resource[]) {
  const tools = toolsOf(operations, true, cardsOf(resources));
  const bare = tools.map(({ outputSchema: _, ...tool }) => tool);
  return {
    list: bytes({ tools }),
    withoutOutputs: bytes({ tools: bare }),
  };
}

/** Sizes of the responses in a purchase, from examples of a real run. */
const answerSizes = (examples: Examples): [what: string, bytes: number][] =>
  Object.entries(TYPICAL).map(([name, what]) => [what, bytes(examples[name]?.response)]);

const TYPICAL = {
  get_catalog: "catalog of four beans",
  get_policy: "policy",
  register_agent: "registration",
  one_bag_quote: "quote of one bag",
  create_checkout: "review link",
  get_quote_order: "order of one shipment",
};

interface DescribedPath {
  operationId: string;
  summary: string;
  /** Absent if the document's default applies: an API key. */
  security?: object[];
}

/** Every path of the OpenAPI document beside its MCP tool or resource. */
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

/** The address of a resource is the endpoint's path under coffee://. */
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
