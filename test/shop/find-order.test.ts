/** An order's page opens in the browser that paid; elsewhere for who proves to be the buyer. */
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { form, newEmail, purchase } from "../support/purchase.ts";
import { DAY, HOUR, startService } from "../support/service.ts";
import { ADDRESS, eventually, payAsBuyer, send } from "../support/shopper.ts";
import { linkedFields } from "./pages/reading.ts";
import { BROWSER, cartPage, FIELDS, visitor } from "./quick-checkout/checkout.ts";

const MAIL = { SMTP_URL: "smtp://127.0.0.1:9", MAIL_FROM: "shop@example.com" };
const shop = await startService();
const mailing = await startService(MAIL);
afterAll(() => Promise.all([shop.stop(), mailing.stop()]));

type Service = typeof shop;

/** Somebody buys by a link whose page others know. */
async function paidPage(at: Service, email = newEmail()) {
  const payer = visitor(at.baseUrl);
  const page = await cartPage(at.baseUrl, "items=kenya-nyeri:1");
  await payer.send(page);
  const { headers } = await payer.submit(page, { email });
  const review = headers.get("location")!;
  await payAsBuyer(at.baseUrl, review);
  const number = await eventually(async () => {
    const { text } = await send(at.baseUrl, page, { headers: BROWSER });
    return /<h1[^>]*>Order (\d+)/.exec(text)?.[1];
  });
  expect((await payer.send(page)).headers.get("location")).toBe(review);
  return { page, email, review, number };
}

const find = (sought: Record<string, string>, path = "/find-order", { baseUrl }: Service = shop) =>
  send(baseUrl, path, form(sought));

/** Letters with an order's link, as recipient and text. */
async function linkLetters(at: Service = mailing) {
  const letters = await at.service.merchant.mail.list();
  return letters.filter(({ kind }) => kind === "ORDER_LINK").map(({ letter }) => letter);
}

describe("without a mail server", () => {
  const email = newEmail();
  const bought = purchase(shop.baseUrl, { email });
  const others = purchase(shop.baseUrl);
  const known = async () => ({
    number: String((await bought).order.number),
    email,
    postal_code: ADDRESS.postal_code,
  });

  test.each<[string, (of: Awaited<ReturnType<typeof known>>) => Record<string, string>]>([
    ["number, email and ZIP code", (of) => of],
    ["a number sign", (of) => ({ ...of, number: `#${of.number} ` })],
    ["another spelling of the email", (of) => ({ ...of, email: of.email.toUpperCase() })],
    ["the long ZIP code", (of) => ({ ...of, postal_code: `${of.postal_code}-1234` })],
  ])("the order's page opens by %s", async (_, spelled) => {
    const { status, headers } = await find(spelled(await known()));
    expect([status, headers.get("location")]).toEqual([303, (await bought).reviewUrl]);
  });

  test("another's order, an unknown one, a wrong email and a wrong ZIP code read the same", async () => {
    const of = await known();
    const wrong = [
      await find({ ...of, number: String((await others).order.number) }),
      await find({ ...of, number: "999999" }),
      await find({ ...of, number: "nothing" }),
      await find({ ...of, email: newEmail() }),
      await find({ ...of, postal_code: "10001" }),
    ];
    for (const { status, text } of wrong) {
      expect([status, linkedFields(text)]).toEqual([422, ["number"]]);
    }
  });

  test("names every missing or malformed field", async () => {
    const empty = await find({});
    expect(linkedFields(empty.text)).toEqual(["number", "email", "postal_code"]);
    const malformed = await find({ number: "1", email: "ada", postal_code: "12" });
    expect(linkedFields(malformed.text)).toEqual(["email", "postal_code"]);
  });

  test("a paid checkout leads its payer to the order, and others by email and ZIP code", async () => {
    const { page, email, review } = await paidPage(shop);
    const { postal_code } = FIELDS;
    expect((await find({ email, postal_code: "10001" }, page)).status).toBe(422);
    expect((await find({ email }, page)).status).toBe(422);
    const opened = await find({ email: ` ${email} `, postal_code }, page);
    expect([opened.status, opened.headers.get("location")]).toEqual([303, review]);
    shop.clock.advance(25 * HOUR);
    expect((await find({ email, postal_code }, page)).headers.get("location")).toBe(review);
  });

  test("a paid checkout shows nothing of its buyer to others", async () => {
    const { page, email, review } = await paidPage(shop);
    const guess = { email: newEmail(), postal_code: FIELDS.postal_code };
    const seen = [await send(shop.baseUrl, page, { headers: BROWSER }), await find(guess, page)];
    for (const { text } of seen) {
      for (const secret of [email, review, FIELDS.line1, FIELDS.postal_code]) {
        expect(text.replace(`value="${FIELDS.postal_code}"`, "")).not.toContain(secret);
      }
    }
  });

  test("tries are counted by the asker alone, so a stranger's lock no buyer out", async () => {
    const limited = await startService({ RATE_LIMITS: "find_order=2", TRUST_PROXY: "1" });
    onTestFinished(() => limited.stop());
    const wanted = { number: "1", email: newEmail(), postal_code: "10001" };
    const tryFrom = async (address: string) =>
      (
        await send(limited.baseUrl, "/find-order", {
          ...form(wanted),
          headers: { ...form(wanted).headers, "x-forwarded-for": address },
        })
      ).status;
    const stranger = [];
    for (let i = 0; i < 3; i++) stranger.push(await tryFrom("198.51.100.7"));
    expect(stranger).toEqual([422, 422, 429]);
    expect(await tryFrom("203.0.113.9")).toBe(422);
  });
});

describe("with a mail server", () => {
  test("the link goes to the order's own address, whoever asks and by whatever page", async () => {
    const { page, email, number, review } = await paidPage(mailing);
    const stranger = newEmail();
    const asked = [
      await find({ email: email.toUpperCase(), number }, "/find-order", mailing),
      await find({ email: stranger, number }, "/find-order", mailing),
      await find({ email, number: "999999" }, "/find-order", mailing),
    ];
    expect(new Set(asked.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(asked[0]!.status).toBe(200);
    mailing.clock.advance(61_000);
    expect((await find({}, page, mailing)).text).toBe(asked[0]!.text);
    const letters = (await linkLetters()).filter(({ text }) => text.includes(review));
    expect(letters.map(({ to }) => to)).toEqual([email, email]);
    expect((await linkLetters()).map(({ to }) => to)).not.toContain(stranger);
  });

  test("without a number it is the newest order's", async () => {
    const email = newEmail();
    await purchase(mailing.baseUrl, { email });
    mailing.clock.advance(1000);
    const { reviewUrl } = await purchase(mailing.baseUrl, { email });
    await find({ email }, "/find-order", mailing);
    const [letter] = await linkLetters();
    expect(letter).toMatchObject({ to: email, text: expect.stringContaining(reviewUrl) });
  });

  test("a stranger's presses send three letters a day, not one a press", async () => {
    const { page, email } = await paidPage(mailing);
    for (let i = 0; i < 6; i++) {
      expect((await find({}, page, mailing)).status).toBe(200);
      expect((await find({}, page, mailing)).status).toBe(200);
      mailing.clock.advance(61_000);
    }
    const toBuyer = async () => (await linkLetters()).filter(({ to }) => to === email).length;
    expect(await toBuyer()).toBe(3);
    mailing.clock.advance(DAY);
    await find({}, page, mailing);
    expect(await toBuyer()).toBe(4);
  });
});

test("the footer of every page links the search", async () => {
  const { text } = await send(shop.baseUrl, "/shipping", { headers: BROWSER });
  expect(text).toContain('href="/find-order"');
});
