import type { Product } from "../../catalog/catalog.ts";
import type { Shop } from "../../core/shop.ts";
import { BY_QUOTE } from "../../merchant/buying.ts";
import { money } from "../../web/format.ts";
import { html, type Markup } from "../../web/html.ts";
import { codeBlock, type Prices } from "../../web/parts.ts";

/** One way to connect an agent, with text to copy. */
type Connection = [title: string, ...parts: [text: string, code: string][]];

const SERVER_NAME = "coffee-merchant";

function json(value: object): string {
  return JSON.stringify(value, null, 2);
}

/** Claude Desktop's file takes no address, so a small proxy speaks stdio to it. */
function desktopFile(mcpUrl: string): string {
  const plainHttp = mcpUrl.startsWith("http://") ? ["--allow-http"] : [];
  const args = ["-y", "mcp-remote", mcpUrl, ...plainHttp];
  return json({ mcpServers: { [SERVER_NAME]: { command: "npx", args } } });
}

function sdkSample(mcpUrl: string): string {
  return `import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const client = new Client({ name: "my-agent", version: "1.0.0" });
await client.connect(new StreamableHTTPClientTransport(new URL("${mcpUrl}")));
const { tools } = await client.listTools();
const answer = await client.callTool({
  name: "ask",
  arguments: { q: "What does the Ethiopia Guji taste like?" },
});`;
}

function curlSample(baseUrl: string): string {
  return `curl ${baseUrl}/v1/catalog

curl -X POST ${baseUrl}/v1/agents/register \\
  -H "Content-Type: application/json" \\
  -H "Idempotency-Key: $(uuidgen)" \\
  -d '{"name": "My agent", "contact_email": "agent@example.com"}'`;
}

function connections(baseUrl: string): Connection[] {
  const url = `${baseUrl}/mcp`;
  const vsCode = { servers: { [SERVER_NAME]: { type: "http", url } } };
  const cursor = { mcpServers: { [SERVER_NAME]: { url } } };
  const inFile = "Or, if only your computer can reach this address, in claude_desktop_config.json:";
  return [
    [
      "A chat such as Claude or ChatGPT",
      ["Add a custom connector with this address. It needs no key:", `${url}/shop`],
    ],
    ["Claude Code", ["In a terminal:", `claude mcp add --transport http ${SERVER_NAME} ${url}`]],
    [
      "Claude Desktop",
      ["Settings, Connectors, Add custom connector, with this address:", `${url}/shop`],
      [inFile, desktopFile(url)],
    ],
    ["Cursor", ["In .cursor/mcp.json:", json(cursor)]],
    ["VS Code", ["In .vscode/mcp.json:", json(vsCode)]],
    ["An MCP SDK", ["In TypeScript; SDKs in other languages work the same way:", sdkSample(url)]],
    [
      "curl, or any HTTP client",
      [
        "Read the catalog, then get a key. /llms.txt shows the rest, with complete bodies.",
        curlSample(baseUrl),
      ],
    ],
  ];
}

export interface ConnectView {
  shop: Shop;
  /** Without a trailing slash. */
  baseUrl: string;
  /** The tools, in their order. */
  tools: readonly { name: string; title: string }[];
  /** Null if nothing can be bought without a key. */
  sample: SamplePurchase | null;
}

export function connectSection({ shop, baseUrl, tools, sample }: ConnectView): Markup {
  return html`<section class="stack" aria-labelledby="connect">
    <h2 id="connect">Your agent shops. You pay. We roast.</h2>
    <div class="columns tiles">
      <div class="stack">
        <p>Tell your agent: <span class="say">“Buy me coffee at ${baseUrl}”</span></p>
        <ol class="steps stack">
          ${BY_QUOTE.map(({ person }) => person && html`<li>${person}</li>`)}
        </ol>
      </div>
      ${sample && conversation(sample, shop, baseUrl)}
    </div>
    <h3>Connect it</h3>
    <p>No account needed. A hosted chat needs no key either. Any other agent registers itself with the
    tool <span class="code">register_agent</span> and gets a key, once.</p>
    <div class="stack">${connections(baseUrl).map(connectionDetails)}
      <details class="way">
        <summary>What your agent can do here: ${tools.length} tools</summary>
        <ul class="tools tiles tight">
          ${tools.map(({ name, title }) => html`<li><span class="code">${name}</span> ${title.replaceAll("'", "’")}</li>`)}
        </ul>
      </details>
    </div>
  </section>`;
}

const connectionDetails = ([title, ...parts]: Connection, index: number): Markup =>
  html`<details class="way"${index === 0 && html` open`}>
    <summary>${title}</summary>
    ${parts.map(([text, code]) => html`<p>${text}</p> ${codeBlock(code, `${title}: ${text}`)}`)}
  </details>`;

/** A sample purchase with a real bean and total. */
export interface SamplePurchase {
  product: Product;
  bags: number;
  pricing: Prices;
}

function said({ product, bags, pricing }: SamplePurchase, shop: Shop, baseUrl: string) {
  const notes = product.facts.tasting_notes.slice(0, 3);
  const { shipping_minor, total_minor } = pricing;
  const shipping =
    shipping_minor === 0 ? "shipping is free" : `${money(shipping_minor)} of it shipping`;
  return [
    { by: "you", text: `My sister likes ${notes[0] ?? "good coffee"}. Send her something?` },
    {
      by: "agent",
      text:
        `${product.name_to_use_with_humans} from ${shop.name} would suit her: ${notes.join(", ")}. ` +
        `${bags} bags come to ${money(total_minor)}, ${shipping}. Should I add a gift note?`,
    },
    { by: "you", text: "“For slow Sundays. Love, M.” Same address as last time." },
    {
      by: "agent",
      text: `It’s ready. Check it and pay here: ${baseUrl}/review/…`,
    },
  ];
}

const conversation = (
  sample: SamplePurchase,
  shop: Shop,
  baseUrl: string,
): Markup => html`<figure class="talk stack">
    <ol class="stack">
      ${said(sample, shop, baseUrl).map(
        ({ by, text }) => html`<li class="said said-${by}">
        <span class="unseen">${by === "you" ? "You: " : "Your agent: "}</span>${text}</li>`,
      )}
    </ol>
    <figcaption class="hint">A purchase in four sentences. You paid; your agent did the rest.</figcaption>
  </figure>`;
