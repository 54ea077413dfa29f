import { afterAll, afterEach, describe, expect, onTestFinished, test } from "vitest";
import { TIMES } from "../../src/core/policy.ts";
import { rpcTool } from "../support/mcp-call.ts";
import { form, newEmail, readyQuote } from "../support/purchase.ts";
import { confirmed, WITH_WAITLISTED, WITHOUT_WAITLISTED } from "../support/queue.ts";
import { HOUR, startService, testClock } from "../support/service.ts";
import { eventually, payAsBuyer, register, send } from "../support/shopper.ts";
import { linkedFields, stateOf, text } from "./pages/reading.ts";
import { BROWSER, submit } from "./quick-checkout/checkout.ts";

const BEAN = "rwanda-huye";
const clock = testClock();
const shop = await startService({}, clock);
afterAll(() => shop.stop());
afterEach(() => stock(40));

const stock = async (bags: number) => {
  const { admin } = shop.service.merchant;
  for (const entry of await admin("cli").waitlist.list()) {
    if (entry.agent_id === null) await leave(entry.id);
  }
  await admin("cli").stock.set({ product_id: BEAN, on_hand: bags });
};
const places = new Map<string, string>();
const leave = async (id: string) => {
  const place = places.get(id);
  if (place) await send(shop.baseUrl, `${place}/leave`, form({}));
};

const get = (path: string) => send(shop.baseUrl, path, { headers: BROWSER });

async function join(fields: Record<string, string> = {}, { confirm = true } = {}) {
  const filled = { bean: BEAN, email: newEmail(), bags: "2", form: newEmail(), ...fields };
  const answer = await send(shop.baseUrl, "/waitlist", form(filled));
  const joined = answer.headers.get("location") ?? "";
  const id = /(wl_\w+)\./.exec(joined)?.[1];
  if (!id) return { ...answer, place: "", joined, email: filled.email };
  const own = await letterLink(id);
  places.set(id, new URL(own).pathname);
  if (confirm) await confirmed(shop, id);
  return { ...answer, place: confirm ? own : joined, joined, email: filled.email };
}

/** The link to a place in the letter about it. */
async function letterLink(id: string): Promise<string> {
  const letters = await shop.service.merchant.mail.list();
  const link = new RegExp(`\\S+/waitlist/${id}\\.\\S+`);
  return letters.flatMap(({ letter }) => link.exec(letter?.text ?? "") ?? [])[0]!;
}

describe("a person without an agent", () => {
  test("joins with an email and gets a page with their place", async () => {
    await stock(0);
    const asked = await get(`/waitlist?bean=${BEAN}`);
    expect(text(asked.text)).toContain("Join the waitlist");
    const first = await join();
    expect(first.status).toBe(303);
    const { text: waiting } = await get(first.place);
    expect(text(waiting)).toContain("You’re next in line");
    // One press only opens it.
    expect(waiting).toMatch(/<summary>Leave the waitlist…<\/summary>/);
    const second = await join();
    expect(text((await get(second.place)).text)).toContain("You’re number 2 in line");
  });

  test("gets an offer in turn and orders from the page, which uses up the offer", async () => {
    await stock(0);
    const { place, email } = await join();
    await shop.service.merchant.admin("cli").stock.set({ product_id: BEAN, on_hand: 2 });
    const offered = await get(place);
    expect(text(offered.text)).toContain("Your 2 bags are here");
    expect(text(offered.text)).toContain("$49.00 for 2 bags, with free shipping.");
    const checkout = (await get(`${place}/order`)).headers.get("location")!;
    expect(text((await get(checkout)).text)).toContain("Rwanda Huye");
    const review = (await submit(shop.baseUrl, checkout, { email })).headers.get("location")!;
    await payAsBuyer(shop.baseUrl, review);
    await eventually(async () => stateOf((await get(review)).text) === "ORDERED");
    const after = await get(place);
    expect(stateOf(after.text)).toBe("CONVERTED");
    const paid = new URL(checkout, shop.baseUrl).href;
    expect(after.text).toContain(`<a class="button" href="${paid}">See your order</a>`);
  });

  test("is not asked to pay twice while a bank debit settles", async () => {
    await stock(0);
    const { place, email } = await join();
    await shop.service.merchant.admin("cli").stock.set({ product_id: BEAN, on_hand: 2 });
    const checkout = (await get(`${place}/order`)).headers.get("location")!;
    const review = (await submit(shop.baseUrl, checkout, { email })).headers.get("location")!;
    const { session } = await payAsBuyer(shop.baseUrl, review, "bank_debit");
    await eventually(async () => stateOf((await get(place)).text) === "SETTLING");
    const { text: settlingPage } = await get(place);
    const paid = new URL(checkout, shop.baseUrl).href;
    expect(settlingPage).toContain(`<a href="${paid}">See your order</a>`);
    const settling = text(settlingPage);
    expect(settling).toContain("Please do not pay again.");
    expect(settling).not.toMatch(/Order 2 bags|Leave the waitlist|Held for you until/);
    expect((await get(`${place}/order`)).headers.get("location")).toBe(new URL(place).pathname);
    await shop.control.settleBankDebit(session, true);
    await eventually(async () => stateOf((await get(place)).text) === "CONVERTED");
  });

  test("has the only cart for the offer: the email alone opens nothing", async () => {
    await stock(0);
    const { email } = await join();
    await shop.service.merchant.admin("cli").stock.set({ product_id: BEAN, on_hand: 2 });
    const link = await get(`/v1/quick-checkout?items=${BEAN}:2&buyer_email=${email}`);
    expect(link.status).toBe(409);
  });

  test("misses the offer and can join again", async () => {
    await stock(0);
    const { place } = await join();
    await shop.service.merchant.admin("cli").stock.set({ product_id: BEAN, on_hand: 2 });
    clock.advance(49 * HOUR);
    await shop.service.merchant.housekeeping.run();
    const page = await get(place);
    expect(stateOf(page.text)).toBe("EXPIRED");
    expect(page.text).toContain(`href="/waitlist?bean=${BEAN}&amp;bags=2"`);
    expect((await get(`${place}/order`)).headers.get("location")).toBe(new URL(place).pathname);
    const { catalog } = shop.service.merchant.admin("cli");
    await catalog.import({ file: WITHOUT_WAITLISTED });
    onTestFinished(async () => void (await catalog.import({ file: WITH_WAITLISTED })));
    const { text: ended } = await get(place);
    expect(stateOf(ended)).toBe("EXPIRED");
    expect(text(ended)).toContain("We don’t sell this coffee right now.");
  });

  test("reads that the coffee was taken off sale, and has no order button that would be refused", async () => {
    await stock(0);
    const [first, second] = [await join(), await join()];
    const { stock: shelf, catalog } = shop.service.merchant.admin("cli");
    await shelf.set({ product_id: BEAN, on_hand: 2 });
    await catalog.import({ file: WITHOUT_WAITLISTED });
    onTestFinished(async () => void (await catalog.import({ file: WITH_WAITLISTED })));
    const pages = [(await get(first.place)).text, (await get(second.place)).text];
    expect(text(pages[0]!)).toContain("You can’t order the coffee we held for you right now.");
    for (const page of pages) {
      expect(stateOf(page)).toBe("NOT_SOLD");
      expect(text(page)).toContain("You keep your place in line.");
      expect(text(page)).toContain("Leave the waitlist");
      expect(text(page)).not.toMatch(/Order 2 bags|Held for you|Join again/);
    }
    const { pathname } = new URL(first.place);
    expect((await get(`${pathname}/order`)).headers.get("location")).toBe(pathname);
    clock.advance(TIMES.waitlist_offer_ms);
    await shop.service.merchant.housekeeping.run();
    const waits = text((await get(first.place)).text);
    expect(waits).toContain("You keep your place in line. If it comes back");
  });
});

describe("a buyer whose agent joined", () => {
  async function agentJoined({ confirm = true } = {}) {
    await stock(0);
    const key = await register(shop.baseUrl);
    const email = newEmail();
    const wish = { product_id: BEAN, quantity: 2, buyer: { email } };
    const { body } = await send(shop.baseUrl, "/v1/waitlist", { key, body: wish });
    if (confirm) await confirmed(shop, body.id);
    onTestFinished(
      async () =>
        void (await send(shop.baseUrl, `/v1/waitlist/${body.id}`, { method: "DELETE", key })),
    );
    return { key, email, id: body.id as string, place: body.status_url as string };
  }

  test("gets the same page from join and read, over HTTP and MCP, with noindex", async () => {
    const { key, id, place } = await agentJoined();
    const { body } = await send(shop.baseUrl, `/v1/waitlist/${id}`, { key });
    const args = { waitlist_id: id, api_key: key };
    const { structuredContent } = await rpcTool(shop.baseUrl, "get_waitlist_entry", args);
    expect([body.status_url, structuredContent.status_url]).toEqual([place, place]);
    const page = await get(place);
    expect(page.headers.get("x-robots-tag")).toBe("noindex, nofollow");
    expect(stateOf(page.text)).toBe("WAITING");
    expect(text(page.text)).toContain("For 2 bags");
  });

  test("is sent to the agent for a quote: the page sells no bags", async () => {
    const { key, email, place } = await agentJoined();
    await shop.service.merchant.admin("cli").stock.set({ product_id: BEAN, on_hand: 2 });
    const { text: page } = await get(place);
    const offered = text(page);
    expect(stateOf(page)).toBe("OFFERED");
    expect(offered).toContain(`Ask your agent for a quote for ${email}`);
    expect(offered).not.toContain("Order 2 bags");
    expect((await get(`${place}/order`)).headers.get("location")).toBe(new URL(place).pathname);
    const wanted = { email, product_id: BEAN, quantity: 2 };
    const { reviewUrl } = await readyQuote(shop.baseUrl, wanted, key);
    await payAsBuyer(shop.baseUrl, reviewUrl);
    await eventually(async () => stateOf((await get(place)).text) === "CONVERTED");
    expect((await get(place)).text).toContain(`href="${reviewUrl}">See your order</a>`);
  });

  test("confirms the address by the button behind the letter's link", async () => {
    const { email, place, key, id } = await agentJoined({ confirm: false });
    const stranger = await join({ email, bags: "9" }, { confirm: false });
    const letters = await shop.service.merchant.mail.list();
    const own = letters.find(({ letter }) => letter?.to === email)!.letter!;
    const link = /\S+\/waitlist\/confirm\/\S+/.exec(own.text)![0];
    const read = async () => (await send(shop.baseUrl, `/v1/waitlist/${id}`, { key })).body;
    // A mail scanner opens the link. It shows both places, and changes nothing.
    const page = (await get(link)).text;
    expect(page.match(/name="entry"/g)).toHaveLength(2);
    expect(text(page)).toMatch(/\b9 bags of .*\bon our page\b.*\b2 bags of .*\bby an agent\b/);
    expect((await read()).confirmed).toBe(false);
    const foreign = await join({}, { confirm: false });
    const entryOf = (page: string) => /(wl_\w+)\./.exec(page)![1]!;
    const press = (entry: string) => send(shop.baseUrl, link, form({ entry }));
    expect((await press(entryOf(foreign.place))).status).toBe(404);
    const pressed = await press(entryOf(place));
    expect([pressed.status, pressed.headers.get("location")]).toEqual([303, place]);
    expect(await read()).toMatchObject({ confirmed: true, status: "WAITING" });
    expect(stateOf((await get(stranger.place)).text)).toBe("LEFT");
    expect((await get(link)).text).not.toContain('name="entry"');
  });

  test("leaves there, and the agent reads LEFT", async () => {
    const { key, id, place } = await agentJoined();
    expect((await send(shop.baseUrl, `${place}/leave`, form({}))).status).toBe(303);
    const { body } = await send(shop.baseUrl, `/v1/waitlist/${id}`, { key });
    expect(body).toMatchObject({ status: "LEFT", status_url: place });
  });

  test("has a page that another place's token does not open", async () => {
    const first = await agentJoined();
    const { place } = await join();
    const foreign = place.replace(/[^.]*$/, first.place.split(".").at(-1)!);
    expect((await get(foreign)).status).toBe(404);
    expect((await send(shop.baseUrl, `${foreign}/leave`, form({}))).status).toBe(404);
    expect((await get(place)).status).toBe(200);
  });
});

describe("problems at their fields", () => {
  test("all problems at once, in the order of the fields", async () => {
    await stock(0);
    for (const bags of ["0", "two"]) {
      const { status, text: page } = await join({ bags, email: "x" });
      expect([status, ...linkedFields(page)]).toEqual([422, "email", "bags"]);
    }
  });

  test("a bean in stock has no waitlist", async () => {
    const answer = await join();
    expect([answer.status, linkedFields(answer.text).includes("bags")]).toEqual([409, true]);
    expect(answer.text).toContain(`href="/?items=${BEAN}:2#cart">Order 2 bags now</a>`);
  });

  test.each([
    [0, "Be next when it’s back", true],
    [5, "More than 5 bags? 5 bags are in stock.", true],
    [40, "It’s in stock 40 bags are in stock.", false],
  ])("with %i bags in stock, the form waits for more than those", async (free, said, hasForm) => {
    await stock(free);
    const { text: page } = await get(`/waitlist?bean=${BEAN}`);
    expect(text(page)).toContain(said);
    expect(page.includes(`href="/beans/${BEAN}"`)).toBe(free > 0);
    const [, bags] = / id="bags"[^>]* value="(\d+)"/.exec(page) ?? [];
    expect(bags).toBe(hasForm ? String(free + 1) : undefined);
  });

  test("an address that waits already is accepted like any other, and no more is revealed", async () => {
    await stock(0);
    const { email, place } = await join({}, { confirm: false });
    const again = await join({ email }, { confirm: false });
    expect(again.status).toBe(303);
    expect(again.place).not.toBe(place);
  });

  test.each(["kenya-nyeri", "yemen-haraz", "nothing", ""])("%s has no waitlist", async (bean) => {
    expect((await get(`/waitlist?bean=${bean}`)).status).toBe(404);
    expect((await join({ bean })).status).toBe(404);
  });

  test("whoever typed an address sees its place until the mailbox confirms it, and no more", async () => {
    await stock(0);
    const { joined, place } = await join({}, { confirm: false });
    expect(stateOf((await get(joined)).text)).toBe("WAITING");
    const id = /(wl_\w+)\./.exec(place)![1]!;
    await confirmed(shop, id);
    await shop.service.merchant.admin("cli").stock.set({ product_id: BEAN, on_hand: 2 });
    for (const path of [joined, `${joined}/order`]) {
      const answer = await get(path);
      expect([answer.status, text(answer.text)]).toEqual([
        404,
        expect.stringContaining("only the links in our emails open it"),
      ]);
    }
    expect((await send(shop.baseUrl, `${joined}/leave`, form({}))).status).toBe(404);
    expect(stateOf((await get(await letterLink(id))).text)).toBe("OFFERED");
  });

  test("a prepared link cannot name the value that opens the buyer's page again", async () => {
    await stock(0);
    const asked = await get(`/waitlist?bean=${BEAN}&form=known-to-others&email=a@example.com`);
    expect(asked.text).toContain('value="a@example.com"');
    expect(asked.text).not.toContain("known-to-others");
    expect(asked.text).toMatch(/name="form" value="[\w-]{22,}"/);
  });

  test("without a bean the form leads to the shop, which links to the waitlists", async () => {
    const answer = await get("/waitlist");
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/#beans"]);
  });
});
