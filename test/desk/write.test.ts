/** Letters from the desk to the buyer of an order. */
import { expect, it, onTestFinished } from "vitest";
import { mailedOrder, OWNER } from "../mail/postbox.ts";
import { DAY, startService } from "../support/service.ts";
import { send } from "../support/shopper.ts";
import { merchantAt, orderAt, SECRET, text } from "./visitor.ts";

const MAIL = { SMTP_URL: "smtp://127.0.0.1:9", MAIL_FROM: "shop@example.com" };

it("an answer goes out as a letter, is kept on the order and closes its message, once", async () => {
  const { shop, orderId, told } = await mailedOrder();
  const order_id = orderId;
  await shop.admin.orders.write({ order_id, text: "Yes, tell us which grinder." });
  const [letter] = await told();
  expect(letter).toMatchObject({
    subject: expect.stringContaining("About your order (#1001)"),
    text: expect.stringContaining("Yes, tell us which grinder."),
  });
  const { notes, buyer_email } = await shop.admin.orders.show({ order_id });
  expect(notes.map(({ text }) => text)).toEqual(["To the buyer: Yes, tell us which grinder."]);
  expect(letter!.to).toBe(buyer_email);
  expect(await told(OWNER)).toEqual([]);
});

it("a message is answered on its order's page, which stays open, and a stale form sends nothing", async () => {
  const { baseUrl, stop, service } = await startService({ MERCHANT_SECRET: SECRET, ...MAIL });
  onTestFinished(stop);
  const desk = await merchantAt(baseUrl);
  const { order, key, path } = await orderAt(baseUrl, desk);
  const body = { message: "Do you grind it?", order_id: order.id };
  await send(baseUrl, "/v1/feedback", { key, body });
  await send(baseUrl, "/v1/feedback", { key, body: { message: "Do you sell cups?" } });
  expect((await desk.get("/desk/messages")).text.match(/>Reply</g)).toHaveLength(1);
  for (const at of ["/desk", "/desk/messages"]) {
    const [, link] = /href="([^"]+)">Answer…/.exec((await desk.get(at)).text)!;
    expect(link).toMatch(new RegExp(`^${path}\\?answer=fb_\\w+#messages$`));
    const opened = (await desk.get(link!)).text;
    expect(opened.match(/<details class="careful" open>\s*<summary>Answer…/g)).toHaveLength(1);
    expect(opened.match(/<details class="careful" open/g)).toHaveLength(1);
  }
  const page = (await desk.get(path)).text;
  const [, task = ""] =
    /name="act" value="orders.write">[\s\S]*?name="task_id" value="(fb_\w+)"/.exec(page)!;
  const empty = await desk.post(path, { act: "orders.write", task_id: task, text: "" });
  expect([empty.status, empty.text.match(/<details class="careful" open/g)]).toEqual([
    422,
    [expect.anything()],
  ]);
  const sent = await desk.post(path, { act: "orders.write", task_id: task, text: "Yes, we do." });
  expect(sent.headers.get("location")).toBe(path);
  const after = text(await desk.get(path));
  expect(after).toContain("Your letter is on its way.");
  expect(after).toContain("To the buyer: Yes, we do.");
  expect(after).toContain("Answered at the desk");
  const again = await desk.post(path, {
    act: "orders.write",
    task_id: task,
    text: "Yes, we do, twice.",
  });
  expect([again.status, text(again).includes("handled already")]).toEqual([409, true]);
  const letters = (await service.merchant.mail.list()).filter(({ kind }) => kind === "ANSWER");
  expect(letters.map(({ letter }) => letter.text.includes("Yes, we do."))).toEqual([true]);
  await service.merchant.admin("cli").customers.erase({ email: order.buyer_email });
});

it("the letter about a delay is sent from the desk and marks the order as written to", async () => {
  const { baseUrl, clock, stop } = await startService({ MERCHANT_SECRET: SECRET, ...MAIL });
  onTestFinished(stop);
  const { path, order } = await orderAt(baseUrl, await merchantAt(baseUrl));
  clock.advance(20 * DAY);
  const desk = await merchantAt(baseUrl);
  expect(text(await desk.get("/desk"))).toContain("Overdue");
  const letter = /<textarea[^>]*>\n(Hello,[^<]*)</.exec((await desk.get(path)).text)![1]!;
  expect(letter).toContain(`Your order #${order.number} has not left yet.`);
  expect(
    (await desk.post(path, { act: "orders.write", task_id: order.id, text: letter })).status,
  ).toBe(303);
  expect(text(await desk.get("/desk"))).not.toContain("Overdue");
  expect((await desk.get(path)).text).not.toMatch(/<textarea[^>]*>\nHello/);
});
