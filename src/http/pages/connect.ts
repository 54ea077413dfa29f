import { html, type Markup } from "./html.ts";

/** One way to connect an agent, with text that can be copied as it stands. */
interface Connection {
  title: string;
  parts: { text: string; code: string }[];
}

const SERVER_NAME = "coffee-merchant";

function json(value: object): string {
  return JSON.stringify(value, null, 2);
}

/** Claude Desktop reads no address from its file, so a small proxy speaks stdio to it. */
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
  arguments: { q: "Which coffee is the fruitiest?" },
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
  const mcpUrl = `${baseUrl}/mcp`;
  const vsCode = { servers: { [SERVER_NAME]: { type: "http", url: mcpUrl } } };
  const cursor = { mcpServers: { [SERVER_NAME]: { url: mcpUrl } } };
  return [
    {
      title: "Claude Code",
      parts: [
        {
          text: "In a terminal:",
          code: `claude mcp add --transport http ${SERVER_NAME} ${mcpUrl}`,
        },
      ],
    },
    {
      title: "Claude Desktop",
      parts: [
        { text: "Settings, Connectors, Add custom connector, with this address:", code: mcpUrl },
        {
          text: "Or, where only your machine reaches the address, in claude_desktop_config.json:",
          code: desktopFile(mcpUrl),
        },
      ],
    },
    { title: "Cursor", parts: [{ text: "In .cursor/mcp.json:", code: json(cursor) }] },
    { title: "VS Code", parts: [{ text: "In .vscode/mcp.json:", code: json(vsCode) }] },
    {
      title: "An MCP SDK",
      parts: [{ text: "TypeScript, any language's SDK works alike:", code: sdkSample(mcpUrl) }],
    },
    {
      title: "curl, or any HTTP client",
      parts: [{ text: "Read the catalog, then get a key:", code: curlSample(baseUrl) }],
    },
  ];
}

export function connectSection(baseUrl: string): Markup {
  return html`<section class="block" aria-labelledby="connect">
    <h2 id="connect">Connect your agent</h2>
    <p>No account needed. Your agent registers itself with the tool
    <span class="code">register_agent</span> and is given a key, once.</p>
    ${connections(baseUrl).map(
      (way, index) => html`<details class="way"${index === 0 ? html` open` : null}>
      <summary>${way.title}</summary>
      ${way.parts.map((part) => sample(part.text, part.code, way.title))}
    </details>`,
    )}
  </section>`;
}

/** Long lines scroll inside the box, so the box takes focus for people without a mouse. */
function sample(text: string, code: string, title: string): Markup {
  return html`<p>${text}</p>
    <pre tabindex="0" role="region" aria-label="${`${title}: ${text}`}"><code>${code}</code></pre>`;
}
