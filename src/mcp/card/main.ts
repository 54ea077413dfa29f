import {
  App,
  applyDocumentTheme,
  applyHostFonts,
  applyHostStyleVariables,
} from "@modelcontextprotocol/ext-apps";

type ToolResult = Awaited<ReturnType<App["callServerTool"]>>;

/** The build replaces it by the release. */
declare const VERSION: string;

const app = new App(
  { name: "coffee-merchant-card", version: VERSION },
  { availableDisplayModes: ["inline"] },
);
const stage = document.getElementById("card")!;
/** The key of the shown call, used only for the card's own calls. */
let key: { api_key?: string } = {};

/** The server's HTML of a result. */
const htmlOf = ({ _meta }: Pick<ToolResult, "_meta">) =>
  _meta?.["coffee/card"] as string | undefined;

/** Returns the tool's result with the server's HTML. */
const call = (name: string, args: object): Promise<ToolResult> =>
  app.callServerTool({ name, arguments: { ...args, card: true, ...key } });

/** Everything that the server's pages are made of. Scripts, styles, forms and frames are not. */
const TAGS =
  /^(a|address|article|b|bdi|br|button|dd|details|div|dl|dt|h[1-3]|img|li|ol|p|q|section|span|summary|time|ul)$/;
const ATTRIBUTES = /^(class|datetime|href|id|open|role|type|(aria|data)-[a-z]+)$/;

/** Parses the server's HTML in a separate document, where nothing runs or loads, and keeps only inert parts. */
function inert(html: string): ChildNode[] {
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

/** The card has the pictures of all beans, because hosts may refuse to load any. */
function picture(address: string | null): Node | string {
  const [, bean] = /([\w-]+)\.svg$/.exec(address ?? "") ?? [];
  const drawn = document.querySelector(`template[data-bean="${bean}"]`);
  return drawn instanceof HTMLTemplateElement ? drawn.content.cloneNode(true) : "";
}

function say(text: string): void {
  stage.querySelector(".said")?.remove();
  const said = document.createElement("p");
  said.className = "said notice notice-info";
  said.textContent = text;
  (stage.querySelector("article") ?? stage).append(said);
}

function showText({ content }: Pick<ToolResult, "content">): void {
  stage.replaceChildren(document.createElement("article"));
  say(content.find((one) => one.type === "text")?.text || "Something went wrong.");
}

/** Shows the result as the server rendered it. Under a host that declares no cards, the card asks for that. */
async function show(result: ToolResult): Promise<void> {
  const html = htmlOf(result);
  if (html) return stage.replaceChildren(...inert(html));
  const body = (result.structuredContent ?? {}) as Record<string, unknown>;
  const { id, quote_id = id, order_id = body.shipments && id } = body;
  const canAsk = !result.isError && app.getHostCapabilities()?.serverTools;
  if (!canAsk || !(quote_id || order_id)) return showText(result);
  const again = order_id ? call("get_order", { order_id }) : call("get_quote", { quote_id });
  const rendered = htmlOf(await again.catch(() => ({})));
  if (rendered) stage.replaceChildren(...inert(rendered));
  else showText(result);
}

/** `told`: for the model. */
async function open(url: string, told?: string): Promise<void> {
  const { isError } = await app.openLink({ url }).catch(() => ({ isError: true }));
  // The buyer can copy the link if the host doesn't open it.
  if (isError) return say(url);
  const content = [{ type: "text" as const, text: told ?? "" }];
  if (told) void app.updateModelContext({ content }).catch(() => {});
}

async function press(button: HTMLButtonElement): Promise<void> {
  const { tool = "", arguments: args = "{}", told, failed = "" } = button.dataset;
  button.disabled = true;
  try {
    const result = await call(tool, JSON.parse(args));
    const link = (result.structuredContent as { review_url?: string } | undefined)?.review_url;
    if (link) await open(link, told);
    else if (htmlOf(result)) await show(result);
    else say(failed);
  } catch {
    say(failed);
  }
  button.disabled = false;
}

stage.addEventListener("click", (event) => {
  const pressed = (event.target as Element).closest("a[href], button[data-tool]");
  if (!pressed) return;
  event.preventDefault();
  if (pressed instanceof HTMLAnchorElement) void open(pressed.href, pressed.dataset.told);
  else void press(pressed as HTMLButtonElement);
});

/** Applies the host's color scheme, colors, fonts and margins. */
function dress(): void {
  const { theme, styles, safeAreaInsets } = app.getHostContext() ?? {};
  const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  applyDocumentTheme(theme ?? system);
  if (styles?.variables) applyHostStyleVariables(styles.variables);
  if (styles?.css?.fonts) applyHostFonts(styles.css.fonts);
  const { top = 0, right = 0, bottom = 0, left = 0 } = safeAreaInsets ?? {};
  document.body.style.padding = `${top}px ${right}px ${bottom}px ${left}px`;
}

app.ontoolinput = ({ arguments: args }) => {
  key = typeof args?.api_key === "string" ? { api_key: args.api_key } : {};
};
app.ontoolresult = show;
app.ontoolcancelled = () => showText({ content: [{ type: "text", text: "Stopped." }] });
app.onhostcontextchanged = dress;
app.onteardown = () => ({});

await app.connect();
document.body.classList.toggle("with-tools", Boolean(app.getHostCapabilities()?.serverTools));
dress();
