import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { Frame, Page } from "playwright-core";
import { CARDS } from "../../src/mcp/card/fragment.ts";
import { listenLocally } from "../support/loopback.ts";
import { modern, rpc, rpcTool } from "../support/mcp-call.ts";
import { send } from "../support/shopper.ts";

// biome-ignore lint/suspicious/noExplicitAny: the host forwards whatever comes.
type Any = any;

/** Capabilities and theme of a chat. */
export interface HostOptions {
  baseUrl: string;
  /** Key of the connection, if any. */
  key: string | undefined;
  capabilities?: { openLinks?: object; serverTools?: object };
  /** It declares to the server that it shows cards, as 2026-07-28 can. Default: true. */
  declares?: boolean;
  context?: { theme?: "light" | "dark"; styles?: object };
  width?: number;
}

export interface CardHost {
  /** The card's own frame. */
  card: Frame;
  /** Calls a tool like a model, and shows the result on its card. */
  show(tool: string, args: object): Promise<Any>;
  /** Shows a made-up result. */
  fill(result: object, args?: object): Promise<void>;
  /** Links that the card asked to have opened. */
  opened: string[];
  /** Tools that the card called. */
  called: { name: string; arguments: Any }[];
  /** Messages for the model. */
  told: string[];
  /** Errors of the browser, and messages unknown to the extension. */
  complaints: string[];
  close(): Promise<void>;
}

/** The extension's schema, which checks the card's messages. */
const SCHEMA = JSON.parse(
  readFileSync(
    fileURLToPath(import.meta.resolve("@modelcontextprotocol/ext-apps/schema.json")),
    "utf8",
  ),
) as { $defs: Record<string, object> };
const ajv = new Ajv2020({ strict: false, validateFormats: false });

const KNOWN: Record<string, string> = {
  "ui/notifications/sandbox-proxy-ready": "McpUiSandboxProxyReadyNotification",
  "ui/initialize": "McpUiInitializeRequest",
  "ui/notifications/initialized": "McpUiInitializedNotification",
  "ui/notifications/size-changed": "McpUiSizeChangedNotification",
  "ui/open-link": "McpUiOpenLinkRequest",
  "ui/update-model-context": "McpUiUpdateModelContextRequest",
};

/**
 * The least host that speaks MCP Apps (SEP-1865): JSON-RPC by postMessage with a proxy in a frame of another
 * origin, which has the card in a sandboxed frame of its own, under the Content-Security-Policy that its
 * resource declares, and hands every message on.
 */
export async function cardHost(page: Page, options: HostOptions): Promise<CardHost> {
  const { baseUrl, key, capabilities = { openLinks: {}, serverTools: {} }, width = 480 } = options;
  const call = (name: string, args: object): Promise<Any> =>
    options.declares === false
      ? rpcTool(baseUrl, name, args, key)
      : declaredCall(options, { name, arguments: args });
  const { tools } = (await rpc(baseUrl, "tools/list", {}, key)).result;
  const [uri] = tools.flatMap(({ _meta }: Any) => _meta?.ui?.resourceUri ?? []);
  const [resource] = (await rpc(baseUrl, "resources/read", { uri }, key)).result.contents;
  const { csp } = resource._meta.ui;
  const server = await serving(policyOf(csp));
  await page.setViewportSize({ width, height: 900 });
  const seen = { opened: [], called: [], told: [], complaints: [] } as Pick<
    CardHost,
    "opened" | "called" | "told" | "complaints"
  >;
  const cardForProxy = {
    method: "ui/notifications/sandbox-resource-ready",
    params: { html: resource.text, sandbox: "allow-scripts", csp },
  };
  const understood = SCHEMA.$defs.McpUiSandboxResourceReadyNotification!;
  if (!ajv.validate(understood, cardForProxy)) seen.complaints.push(ajv.errorsText());
  page.on("console", (message) => seen.complaints.push(message.text()));
  page.on("pageerror", (error) => seen.complaints.push(String(error)));
  page.on("request", (request) => {
    const known = [server.host, server.proxy, "data:"].some((to) => request.url().startsWith(to));
    if (!known) seen.complaints.push(`fetched ${request.url()}`);
  });
  const toCard = (message: object) =>
    page.evaluate((said) => {
      const { frames } = globalThis as unknown as {
        frames: { postMessage(m: Any, o: string): void }[];
      };
      frames[0]?.postMessage({ jsonrpc: "2.0", ...(said as object) }, "*");
    }, message);
  const { promise: ready, resolve: initialized } = Promise.withResolvers<void>();

  const answers: Record<string, (params: Any) => Promise<object> | object> = {
    "ui/initialize": () => ({
      protocolVersion: "2026-01-26",
      hostInfo: { name: "test-host", version: "1.0.0" },
      hostCapabilities: capabilities,
      hostContext: { displayMode: "inline", ...options.context },
    }),
    "ui/open-link": ({ url }) => {
      seen.opened.push(url);
      return {};
    },
    "ui/update-model-context": ({ content }) => {
      seen.told.push(content[0].text);
      return {};
    },
    "tools/call": (asked) => {
      seen.called.push(asked);
      return call(asked.name, asked.arguments);
    },
  };

  const fromCard = await page.exposeFunction(
    "fromCard",
    async ({ jsonrpc, id, method, params }: Any) => {
      const definition = KNOWN[method];
      const valid = definition
        ? ajv.validate(SCHEMA.$defs[definition]!, { method, params })
        : method === "tools/call";
      if (jsonrpc !== "2.0" || !valid) {
        seen.complaints.push(`${method}: ${ajv.errorsText()} ${JSON.stringify(params)}`);
      }
      if (method === "ui/notifications/sandbox-proxy-ready") await toCard(cardForProxy);
      if (method === "ui/notifications/initialized") initialized();
      if (id !== undefined) await toCard({ id, result: await answers[method]!(params) });
    },
  );
  await page.goto(server.host);
  await ready;
  const card = page.frames().at(-1)!;

  const fill = async (result: object, args: object = {}) => {
    await toCard({ method: "ui/notifications/tool-input", params: { arguments: args } });
    await toCard({ method: "ui/notifications/tool-result", params: result });
    await card.locator("article").waitFor();
  };
  return {
    card,
    ...seen,
    async show(tool, args) {
      const result = await call(tool, args);
      await fill(result, args);
      return result.structuredContent;
    },
    fill,
    async close() {
      await page.goto("about:blank");
      page.removeAllListeners();
      await fromCard.dispose();
      await server.close();
    },
  };
}

const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";

async function declaredCall({ baseUrl, key }: HostOptions, params: object): Promise<Any> {
  const declared = { [CAPABILITIES]: { extensions: { [CARDS]: {} } } };
  const message = modern("tools/call", params, declared);
  return (await send(baseUrl, "/mcp", { ...message, key })).body.result;
}

/** Policy of a host according to SEP-1865, with undeclared images blocked. */
const policyOf = ({
  resourceDomains = [],
  connectDomains = [],
}: Record<string, string[]>): string =>
  [
    "default-src 'none'",
    ...["script", "style"].map((of) => `${of}-src 'unsafe-inline' ${resourceDomains.join(" ")}`),
    resourceDomains.length > 0 ? `img-src ${resourceDomains.join(" ")}` : "img-src 'none'",
    connectDomains.length > 0 ? `connect-src ${connectDomains.join(" ")}` : "connect-src 'none'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");

/** The chat and the proxy have different origins, so the policy of each applies. */
async function serving(policy: string) {
  const inner = await listening(PROXY_PAGE, policy);
  const outer = await listening(hostPage(inner.url), "");
  return {
    host: outer.url,
    proxy: inner.url,
    close: () => Promise.all([inner.close(), outer.close()]),
  };
}

async function listening(body: string, policy: string) {
  const server = createServer((_req, res) => {
    const headers = { "content-type": "text/html; charset=utf-8" };
    res.writeHead(200, { ...headers, ...(policy && { "content-security-policy": policy }) });
    res.end(body);
  });
  return {
    url: `http://127.0.0.1:${await listenLocally(server)}`,
    close: () => new Promise<unknown>((resolve) => server.close(resolve)),
  };
}

const hostPage = (src: string): string => `<!doctype html><html lang="en"><title>Chat</title>
<link rel="icon" href="data:,">
<style>body { margin: 0 } iframe { display: block; width: 100%; height: 200px; border: 0 }</style>
<script>
  addEventListener("message", ({ source, data }) => {
    if (source !== frames[0] || !data || data.jsonrpc !== "2.0") return;
    const { method, params } = data;
    if (method === "ui/notifications/size-changed") {
      document.querySelector("iframe").style.height = params.height + "px";
    }
    fromCard(data);
  });
</script>
<iframe title="Card" sandbox="allow-scripts allow-same-origin" src="${src}"></iframe>`;

/** Passes messages between the card's frame and the chat's window. */
const PROXY_PAGE = `<!doctype html><html lang="en"><title>Proxy</title>
<style>html, body { margin: 0; height: 100% } iframe { display: block; width: 100%; height: 100%; border: 0 }</style>
<body><script>
  const frame = document.createElement("iframe");
  frame.title = "Card";
  addEventListener("message", ({ source, data }) => {
    if (source === frame.contentWindow) parent.postMessage(data, "*");
    else if (source !== parent) return;
    else if (data.method === "ui/notifications/sandbox-resource-ready") {
      frame.setAttribute("sandbox", data.params.sandbox);
      frame.srcdoc = data.params.html;
      document.body.append(frame);
    } else frame.contentWindow.postMessage(data, "*");
  });
  parent.postMessage({ jsonrpc: "2.0", method: "ui/notifications/sandbox-proxy-ready", params: {} }, "*");
</script>`;
