/**
 * contract §0, §11: an agent that follows `next` meets no refusal that its adviser could have known of. Every
 * answer of every scene is followed, over each interface, as an agent and its buyer would.
 */
import { afterAll, describe, expect, test } from "vitest";
import { operations } from "../../tools/index.ts";
import { BROWSER } from "../shop/quick-checkout/checkout.ts";
import { overHttp } from "../support/mcp-clients.ts";
import { form, newEmail, orderOf } from "../support/purchase.ts";
import { startService } from "../support/service.ts";
import { payAt, register, send } from "../support/shopper.ts";
import {
  argumentsFor,
  changes,
  type Door,
  httpDoor,
  mcpDoor,
  type Said,
  type Step,
} from "./follower.ts";
import { type Scene, scenesOf, type World } from "./scenes.ts";

const service = await startService();
afterAll(() => service.stop());
const { baseUrl } = service;
const admin = service.service.merchant.admin("cli");

const { open: OPEN_SCENES, keyed: KEY_SCENES, paged, setStock } = scenesOf(service);

/** A buyer who confirms a second order. */
async function payAnyway(reviewUrl: string): Promise<void> {
  service.clock.advance(1);
  const { text } = await send(baseUrl, reviewUrl, { headers: BROWSER });
  const [, beside = ""] = text.match(/name="beside" value="(\w+)"/) ?? [];
  const pressed = await send(baseUrl, reviewUrl, form({ beside }));
  await payAt(pressed.headers.get("location")!);
}

const { paths, components } = (await send(baseUrl, "/openapi.json")).body;

/** Whether the OpenAPI document names the code of a refusal. */
function isDeclared({ tool, refused, status = 0 }: Said): boolean {
  if (refused === null) return true;
  const { method, path } = operations.find((one) => one.name === tool)!.http;
  const { responses } = paths[path][method.toLowerCase()];
  const told = [responses[status], responses.default].filter(Boolean).map((response) => {
    const shared = components.responses[response.$ref.split("/").at(-1)];
    return response.description ?? shared.description;
  });
  return told.some((text) => text.includes(refused));
}

const plain = (text: string): string =>
  text
    .replace(/\?checkout_url=\S+/g, "")
    .replace(/\b(qte|ord|wl|shp|evt|cma|crt)_\w+/g, "$1")
    .replace(/\d[\d:.TZ-]*/g, "n");

/** An answer that is a dead end if reached by advice. */
const deadEnd = (path: readonly Step[], { tool, refused, text, args }: Said): string =>
  `${path.map(({ action, why }) => `${action}: ${why}`).join(" → ")} → ${tool} ${JSON.stringify(args)} is ${refused}: ${text.slice(0, 200)}`;

const MOST_STEPS = 4;

/** Follows every step from a scene's answer, and returns the dead ends. */
async function walk(name: string, scene: Scene, open: Opens, told: Set<string>) {
  const found: string[] = [];
  const paths: Step[][] = [[]];
  const signature = (said: Said, { action, why }: Step, depth: number) =>
    plain(
      `${depth === 0 ? name : ""} ${said.tool} ${said.refused ?? said.body.status} ${action} ${why}`,
    );

  async function start(path: readonly Step[]) {
    const key = await register(baseUrl);
    const world: World = { key, known: { email: newEmail() }, changes: 0, end: [] };
    const door = open();
    if (door.key !== undefined) door.key = key;
    for (const { id } of await admin.waitlist.list({})) {
      await admin.waitlist.remove({ entry_id: id });
    }
    await setStock(40);
    let said = await scene(door, world);
    if (door.isHttp && !isDeclared(said)) found.push(`${name}: ${said.refused} is not declared`);
    for (const step of path) said = (await take(step, said, door, world))!;
    return { said, door, world };
  }

  async function explore(said: Said, path: Step[], door: Door, world: World): Promise<void> {
    if (path.length > MOST_STEPS) return;
    const { changes: now } = world;
    const isRead = (step: Step) => !changes(door.meant(step)?.tool ?? "buyer") && door.meant(step);
    const steps = [...said.next.filter(isRead), ...said.next.filter((step) => !isRead(step))];
    for (const step of steps) {
      const sign = signature(said, step, path.length);
      if (told.has(sign) || (world.known.entry && /waits already/.test(step.why))) continue;
      if (world.changes !== now) {
        // What was advised before the change may be wrong after it.
        paths.push(path);
        return;
      }
      told.add(sign);
      const next = await take(step, said, door, world);
      const taken = [...path, step];
      if (next?.refused) found.push(`${name}: ${deadEnd(taken, next)}`);
      if (next) await explore(next, taken, door, world);
    }
  }

  async function take(step: Step, said: Said, door: Door, world: World): Promise<Said | null> {
    const meant = door.meant(step);
    if (meant === null) return buyerDoes(step, said, door, world);
    const { tool } = meant;
    if (changes(tool)) world.changes++;
    if (door.key === undefined && registersFirst(said, step, door)) {
      const args = argumentsFor("register_agent", said, step, world.known);
      door.key = (await door.call("register_agent", args)).body.api_key;
    }
    // Advice for when the bean is short.
    const ifShort = /\bshort\b|still waits/.test(step.why) || said.example !== undefined;
    if (tool === "join_waitlist" && ifShort) await setStock(0);
    if (tool === "get_link_order" && world.known.page === undefined) await paged(door, world);
    const args = { ...argumentsFor(tool, said, step, world.known), ...meant.args };
    const next = await door.call(tool, args);
    if (tool === "register_agent" && !next.refused) door.key = next.body.api_key;
    return next;
  }

  /** An agent without a key takes an earlier step that gets one, or the one that this step names. */
  const registersFirst = ({ next }: Said, step: Step, door: Door) =>
    /register/i.test(step.why) ||
    next.slice(0, next.indexOf(step)).some((one) => door.meant(one)?.tool === "register_agent");

  async function buyerDoes(
    { action, why }: Step,
    said: Said,
    door: Door,
    world: World,
  ): Promise<null> {
    if (/\/review\//.test(action)) {
      await payAnyway(action);
      await orderOf(baseUrl, door.key!, said.args.quote_id);
      world.changes++;
    } else if (action === "tell the buyer") {
      const page = /https?:\S+\w/.exec(why)?.[0] ?? world.known.page!;
      const { status } = await send(baseUrl, page, { headers: BROWSER });
      if (status !== 200) found.push(`${name}: the buyer's page ${page} is ${status}`);
    } else found.push(`${name}: ${action} is no call`);
    return null;
  }

  for (let path = paths.shift(); path !== undefined; path = paths.shift()) {
    const { said, door, world } = await start(path);
    await explore(said, path, door, world);
    for (const end of world.end) await end();
  }
  return found;
}

type Opens = () => Door;

/** Connects a client once, whose door each scene opens anew. */
const overMcp = (path: string, key?: string) => async (): Promise<Opens> => {
  const client = await overHttp(baseUrl, "auto", { path });
  return () => mcpDoor(client, key);
};

const ALL_SCENES = { ...OPEN_SCENES, ...KEY_SCENES };

/** Each interface, and the scenes that a client of it can come into. */
const DOORS: [string, () => Promise<Opens>, Record<string, Scene>][] = [
  ["HTTP with a key", async () => () => httpDoor(baseUrl, "own"), ALL_SCENES],
  ["HTTP without a key", async () => () => httpDoor(baseUrl), OPEN_SCENES],
  ["MCP with a key", overMcp("/mcp", "own"), ALL_SCENES],
  ["MCP without a key", overMcp("/mcp"), OPEN_SCENES],
  ["/mcp/shop", overMcp("/mcp/shop"), OPEN_SCENES],
];

/** A busy machine needs long for hundreds of purchases. */
const MOST_MS = 240_000;

describe.each(DOORS)("%s", (_name, connect, scenes) => {
  test("no step that is advised is refused", { timeout: MOST_MS }, async () => {
    const open = await connect();
    const told = new Set<string>();
    const found: string[] = [];
    for (const [name, scene] of Object.entries(scenes)) {
      found.push(...(await walk(name, scene, open, told)));
    }
    expect(found).toEqual([]);
  });
});

test("the catalog leads a client without a key to a checkout page", async () => {
  const { next } = await httpDoor(baseUrl).call("get_catalog", {});
  expect(next.map(({ action }) => action)).toContain("GET /v1/quick-checkout");
});

test("a client that can only GET always has a step for itself or its buyer", async () => {
  const stuck: string[] = [];
  for (const [name, scene] of Object.entries(OPEN_SCENES)) {
    const world: World = { key: "", known: { email: newEmail() }, changes: 0, end: [] };
    const { next } = await scene(httpDoor(baseUrl), world);
    const isPossible = ({ action }: Step) => /^GET |^tell the buyer$/.test(action);
    // The answer of `ask` may be all that there is.
    if (next.length > 0 && !next.some(isPossible))
      stuck.push(`${name}: ${next.map(({ action }) => action)}`);
  }
  expect(stuck).toEqual([]);
});
