// The card's side of MCP Apps (SEP-1865): JSON-RPC 2.0 by postMessage with the host that shows it.

/**
 * @typedef {import("@modelcontextprotocol/ext-apps").McpUiInitializeResult} Welcome
 * @typedef {import("@modelcontextprotocol/ext-apps").McpUiHostContext} HostContext
 * @typedef {{ isError?: boolean, structuredContent?: any, content?: { type: string, text?: string }[], _meta?: Record<string, any> }} ToolResult
 * @typedef {{ resolve: (result: any) => void, reject: (error: Error) => void }} Waiting
 * @typedef {{ id?: string | number, method?: string, params?: any, result?: any, error?: { message?: string } }} Message
 */

/** @type {Map<number, Waiting>} */
const waiting = new Map();
let lastId = 0;

/** @param {object} message */
const post = (message) => window.parent.postMessage({ jsonrpc: "2.0", ...message }, "*");

/**
 * @param {string} method
 * @param {object} params
 * @returns {Promise<any>}
 */
export function request(method, params) {
  const id = ++lastId;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    post({ id, method, params });
  });
}

/**
 * @param {string} method
 * @param {object} params
 */
export const notify = (method, params) => post({ method, params });

/**
 * Initializes the connection, then passes every notification to `heard`.
 * @param {(method: string, params: any) => void} heard
 * @returns {Promise<Welcome>}
 */
export async function connect(heard) {
  window.addEventListener("message", ({ source, data }) => {
    // Only the host may send messages, not another frame or window.
    if (source === window.parent && data?.jsonrpc === "2.0") receive(data, heard);
  });
  const welcome = await request("ui/initialize", {
    protocolVersion: "2026-01-26",
    appInfo: { name: "coffee-merchant-card", version: "1.0.0" },
    appCapabilities: { availableDisplayModes: ["inline"] },
  });
  notify("ui/notifications/initialized", {});
  return welcome;
}

/**
 * @param {Message} message
 * @param {(method: string, params: any) => void} heard
 */
function receive({ id, method, params, result, error }, heard) {
  if (method === undefined) {
    const asked = waiting.get(Number(id));
    waiting.delete(Number(id));
    if (error) asked?.reject(new Error(error.message ?? "refused"));
    else asked?.resolve(result);
    return;
  }
  if (id === undefined) heard(method, params ?? {});
  else if (method === "ping" || method === "ui/resource-teardown") post({ id, result: {} });
  else post({ id, error: { code: -32601, message: "This card does not know that." } });
}

/** Reports the card's height to the host, now and after each change. */
export function tellSize() {
  let reported = 0;
  new ResizeObserver(() => {
    const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
    if (height === reported) return;
    reported = height;
    notify("ui/notifications/size-changed", { height });
  }).observe(document.documentElement);
}

/** The pages' names for the host's colors and font. */
const OURS = {
  "--color-background-primary": ["--paper", "--card"],
  "--color-background-secondary": ["--note"],
  "--color-text-primary": ["--ink"],
  "--color-text-secondary": ["--soft"],
  "--color-border-primary": ["--line"],
  "--font-sans": ["--sans"],
};

/**
 * The host's color scheme, colors and font.
 * @param {HostContext | undefined} context
 */
export function dress(context) {
  const { style, dataset } = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const theme = context?.theme ?? dataset.theme ?? system;
  dataset.theme = style.colorScheme = theme;
  const variables = /** @type {Record<string, unknown>} */ (context?.styles?.variables ?? {});
  for (const [theirs, ours] of Object.entries(OURS)) {
    const value = variables[theirs];
    if (typeof value === "string") for (const name of ours) style.setProperty(name, value);
  }
  const { top = 0, right = 0, bottom = 0, left = 0 } = context?.safeAreaInsets ?? {};
  document.body.style.padding = `${top}px ${right}px ${bottom}px ${left}px`;
}
