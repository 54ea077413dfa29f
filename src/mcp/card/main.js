import { connect, dress, notify, request, tellSize } from "./host.js";

/** @typedef {import("./host.js").ToolResult} ToolResult */

const stage = /** @type {HTMLElement} */ (document.getElementById("card"));
/** Capabilities of the host. @type {import("./host.js").Welcome["hostCapabilities"]} */
let can = {};
/** The key of the shown call, used only for the card's own calls. */
/** @type {{ api_key?: string }} */
let key = {};

/** The server's HTML of a result. @param {ToolResult} result */
const htmlOf = ({ _meta }) => _meta?.["coffee/card"];

/**
 * @param {string} name
 * @param {object} args
 * @returns {Promise<ToolResult>} with the server's HTML
 */
const call = (name, args) =>
  request("tools/call", { name, arguments: { ...args, card: true, ...key } });

/** Everything that the server's pages are made of. Scripts, styles, forms and frames are not. */
const TAGS =
  /^(a|address|article|b|bdi|br|button|dd|details|div|dl|dt|h[1-3]|img|li|ol|p|q|section|span|summary|time|ul)$/;
const ATTRIBUTES = /^(class|datetime|href|id|open|role|type|(aria|data)-[a-z]+)$/;

/**
 * Parses the server's HTML in a separate document, where nothing runs or loads, and keeps only inert parts.
 * @param {string} html
 */
function inert(html) {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  for (const element of body.querySelectorAll("*")) {
    if (element.localName === "img") element.replaceWith(picture(element.getAttribute("src")));
    else if (!TAGS.test(element.localName)) element.remove();
    for (const { name, value } of [...element.attributes]) {
      const isAddress = name === "href" && !/^(https?|mailto):/.test(value);
      if (isAddress || !ATTRIBUTES.test(name)) element.removeAttribute(name);
    }
  }
  return [...body.childNodes];
}

/**
 * The card has the pictures of all beans, because hosts may refuse to load any.
 * @param {string | null} address
 */
function picture(address) {
  const [, bean] = /([\w-]+)\.svg$/.exec(address ?? "") ?? [];
  const drawn = document.querySelector(`template[data-bean="${bean}"]`);
  return drawn instanceof HTMLTemplateElement ? drawn.content.cloneNode(true) : "";
}

/** @param {string} text */
function say(text) {
  stage.querySelector(".said")?.remove();
  const said = document.createElement("p");
  said.className = "said notice notice-info";
  said.textContent = text;
  (stage.querySelector("article") ?? stage).append(said);
}

/** @param {ToolResult} result */
function showText({ content = [] }) {
  stage.replaceChildren(document.createElement("article"));
  say(content.find(({ text }) => text)?.text ?? "Something went wrong.");
}

/**
 * Shows the result as the server rendered it. Under a host that declares no cards, the card asks for that.
 * @param {ToolResult} result
 */
async function show(result) {
  const html = htmlOf(result);
  if (html) return stage.replaceChildren(...inert(html));
  const { structuredContent: body, isError } = result;
  const { id, quote_id = id, order_id = body?.shipments && id } = body ?? {};
  if (isError || !can.serverTools || !(quote_id || order_id)) return showText(result);
  const again = order_id ? call("get_order", { order_id }) : call("get_quote", { quote_id });
  const rendered = htmlOf(await again.catch(() => ({})));
  if (rendered) stage.replaceChildren(...inert(rendered));
  else showText(result);
}

/**
 * @param {string} url
 * @param {string} [told] for the model
 */
async function open(url, told) {
  const opened = await request("ui/open-link", { url }).catch(() => ({ isError: true }));
  // The buyer can copy the link if the host doesn't open it.
  if (opened?.isError) return say(url);
  const content = [{ type: "text", text: told }];
  if (told) void request("ui/update-model-context", { content }).catch(() => {});
}

/** @param {HTMLButtonElement} button */
async function press(button) {
  const { tool = "", arguments: args = "{}", told, failed = "" } = button.dataset;
  button.disabled = true;
  try {
    const result = await call(tool, JSON.parse(args));
    const link = result.structuredContent?.review_url;
    if (link) await open(link, told);
    else if (htmlOf(result)) await show(result);
    else say(failed);
  } catch {
    say(failed);
  }
  button.disabled = false;
}

stage.addEventListener("click", (event) => {
  const pressed = /** @type {Element} */ (event.target).closest("a[href], button[data-tool]");
  if (!pressed) return;
  event.preventDefault();
  if (pressed instanceof HTMLAnchorElement) void open(pressed.href, pressed.dataset.told);
  else void press(/** @type {HTMLButtonElement} */ (pressed));
});

/** @type {Record<string, (params: any) => void>} */
const HEARD = {
  "ui/notifications/tool-input": ({ arguments: args }) => {
    key = typeof args?.api_key === "string" ? { api_key: args.api_key } : {};
  },
  "ui/notifications/tool-result": (result) => void ready.then(() => show(result)),
  "ui/notifications/tool-cancelled": () =>
    showText({ content: [{ type: "text", text: "Stopped." }] }),
  "ui/notifications/host-context-changed": dress,
};

const ready = connect((method, params) => HEARD[method]?.(params)).then((welcome) => {
  can = welcome.hostCapabilities ?? {};
  document.body.classList.toggle("with-tools", Boolean(can.serverTools));
  dress(welcome.hostContext);
  tellSize();
});
ready.catch((error) => notify("notifications/message", { level: "error", data: String(error) }));
