import { describe, expect, it } from "vitest";
import { sha256 } from "../../src/core/hash.ts";
import { TIMES } from "../../src/core/policy.ts";
import { allRows, countRows } from "../support/all-rows.ts";
import { EXCLUSIVE, STOCKED } from "../support/catalog.ts";
import { intent, newAgent, openShop, type Shop } from "../support/shop.ts";
import { ADDRESS } from "../support/shopper.ts";
import { openUsual } from "../support/stores.ts";

const ORIGIN = "Where is the Haraz from?";
const PROCESS = "How is the Huye processed?";
const TASTE = "What does Nyeri taste like?";

const ask = ({ merchant }: Shop, question: string, agentId: string | null) =>
  merchant.finder.ask(question, agentId);

const quoteExclusive = ({ merchant }: Shop, agentId: string, finderKey: string | null) =>
  merchant.quotes.create(
    {
      buyer: { email: "buyer@example.com" },
      shipments: [
        {
          recipient_ref: "home",
          address: ADDRESS,
          items: [{ product_id: EXCLUSIVE, quantity: 1 }],
        },
      ],
    },
    { agentId, finderKey },
    intent(),
  );

describe("the finder key", () => {
  async function asker() {
    const { store, other } = await openUsual();
    const shop = await openShop(store);
    const agentId = await newAgent(shop);
    const earn = async () => {
      await ask(shop, ORIGIN, agentId);
      await ask(shop, PROCESS, agentId);
      return (await ask(shop, TASTE, agentId)).finder?.finder_key;
    };
    return { shop, other, agentId, earn };
  }

  it("three good questions earn it, and it opens the exclusive bean", async () => {
    const { shop, agentId, earn } = await asker();
    await expect(quoteExclusive(shop, agentId, null)).rejects.toMatchObject({
      code: "GEISHA_LOCKED",
    });
    const key = await earn();
    expect(key).toMatch(/^fk_[0-9A-Za-z]{49}$/);
    const { body } = await quoteExclusive(shop, agentId, key!);
    expect(body.status).toBe("OPEN");
    const wanted = { quote_id: body.id, quote_hash: body.quote_hash };
    await expect(
      shop.merchant.quotes.checkout(wanted, { agentId, finderKey: null }, intent()),
    ).rejects.toMatchObject({
      code: "GEISHA_LOCKED",
      next: [{}, { action: "create_checkout", http: `POST /v1/quotes/${body.id}/checkout` }],
    });
  });

  it("it is shown again to its agent, and only its hash is stored", async () => {
    const { shop, agentId, earn } = await asker();
    const key = await earn();
    const rows = await allRows(shop.store, "finder_keys");
    expect(rows).toMatchObject([{ key_hash: sha256(key!) }]);
    expect(JSON.stringify(rows)).not.toContain(key);
    shop.clock.advance(1000);
    for (const question of [TASTE, "What is my finder key?", "I lost my finder key"])
      expect((await ask(shop, question, agentId)).finder).toMatchObject({ finder_key: key });
    const other = await newAgent(shop);
    expect((await ask(shop, TASTE, other)).finder).not.toHaveProperty("finder_key");
    expect(await ask(shop, "What does shipping cost?", agentId)).not.toHaveProperty("finder");
  });

  it("questions without progress are not stored", async () => {
    const { shop, agentId } = await asker();
    const asked = ["Where is the %s from?", "How is the %s processed?", "How is the %s roasted?"];
    const more = ["How do I brew the %s?", "What does the %s taste like?"];
    for (const bean of ["Nyeri", "Huye"])
      for (const question of [...asked, ...more])
        await ask(shop, question.replace("%s", bean), agentId);
    expect(await countRows(shop.store, "finder_credits")).toBe(4);
    expect((await ask(shop, ORIGIN, agentId)).finder).toHaveProperty("finder_key");
  });

  it("an agent that lacked only the exclusive bean earns the key once another bean is exclusive", async () => {
    const { shop, agentId } = await asker();
    for (const question of [PROCESS, TASTE, "How is Nyeri roasted?"])
      expect((await ask(shop, question, agentId)).finder).not.toHaveProperty("finder_key");
    const { products } = await shop.admin.catalog.export();
    const exclusive = products.map((bean) => {
      if (bean.product_id === EXCLUSIVE) return { ...bean, availability: "STOCKED" };
      return bean.product_id === STOCKED ? { ...bean, availability: "EXCLUSIVE" } : bean;
    });
    await shop.admin.catalog.import({ file: JSON.stringify({ products: exclusive }) });
    const { finder } = await ask(shop, "How do I brew the Nyeri?", agentId);
    expect(finder).toHaveProperty("finder_key");
  });

  it("without a key a question is answered, and earns nothing", async () => {
    const { shop } = await asker();
    const answer = await ask(shop, TASTE, null);
    expect(answer.beans[0]).toMatchObject({ product_id: STOCKED });
    expect(answer).not.toHaveProperty("finder");
    expect(await countRows(shop.store, "finder_credits")).toBe(0);
  });

  it("one of several simultaneous third questions earns the key", async () => {
    const { shop, other, agentId } = await asker();
    const beside = await openShop(other, shop.clock);
    await ask(shop, ORIGIN, agentId);
    await ask(shop, PROCESS, agentId);
    const thirds = [TASTE, "How is Nyeri roasted?", "How do I brew the Nyeri?"];
    const answers = await Promise.all(
      [...thirds, ...thirds].map((question, i) => ask(i % 2 ? shop : beside, question, agentId)),
    );
    const keys = answers.flatMap((answer) => answer.finder?.finder_key ?? []);
    expect(new Set(keys).size).toBe(1);
    expect(await allRows(shop.store, "finder_keys")).toHaveLength(1);
  });

  it("an agent that forgets its finder key is told to send it, not to earn another", async () => {
    const { shop, agentId, earn } = await asker();
    const refused = (sent: string | null) =>
      quoteExclusive(shop, agentId, sent).catch((error: unknown) => error);
    const earning = { action: "ask", http: "GET /v1/ask" };
    expect(await refused(null)).toMatchObject({ next: [earning, {}] });
    await earn();
    const until = new Date(shop.clock.now() + TIMES.finder_key_ms).toISOString();
    const sending = {
      action: expect.stringContaining("request_quote"),
      why: expect.stringContaining(`good until ${until}`),
    };
    expect(await refused(null)).toMatchObject({ code: "GEISHA_LOCKED", next: [sending, {}] });
    expect(await refused("fk_other")).toMatchObject({
      code: "FINDER_KEY_INVALID",
      next: [sending, {}],
    });
    shop.clock.advance(TIMES.finder_key_ms);
    expect(await refused(null)).toMatchObject({ next: [earning, {}] });
  });

  it("it is bound to its agent", async () => {
    const { shop, earn } = await asker();
    const key = await earn();
    await expect(quoteExclusive(shop, await newAgent(shop), key!)).rejects.toMatchObject({
      code: "FINDER_KEY_INVALID",
    });
  });

  it("it ends after 7 days; then the count starts anew, and the same questions count again", async () => {
    const { shop, agentId, earn } = await asker();
    const first = await earn();
    shop.clock.advance(TIMES.finder_key_ms - 1);
    await expect(quoteExclusive(shop, agentId, first!)).resolves.toBeTruthy();
    expect(await earn()).toBe(first);
    shop.clock.advance(1);
    await expect(quoteExclusive(shop, agentId, first!)).rejects.toMatchObject({
      code: "FINDER_KEY_INVALID",
    });
    expect((await ask(shop, ORIGIN, agentId)).finder).toMatchObject({ progress: 1 });
    const second = await earn();
    expect(second).toMatch(/^fk_/);
    expect(second).not.toBe(first);
    expect(await allRows(shop.store, "finder_keys")).toHaveLength(2);
  });

  it("spent questions earn no second key, also after their rows are deleted", async () => {
    const { shop, agentId, earn } = await asker();
    await earn();
    shop.clock.advance(60 * 86_400_000);
    await shop.merchant.retention.sweep();
    const { finder } = await ask(shop, "How do I brew the Nyeri?", agentId);
    expect(finder).toMatchObject({ progress: 1 });
    expect(finder).not.toHaveProperty("finder_key");
  });

  it("a revoked agent's finder key is revoked with it", async () => {
    const { shop, agentId, earn } = await asker();
    const key = await earn();
    await shop.admin.keys.revoke({ agent_id: agentId });
    expect(await allRows(shop.store, "finder_keys")).toMatchObject([
      { revoked_at: shop.clock.now() },
    ]);
    await expect(quoteExclusive(shop, agentId, key!)).rejects.toMatchObject({
      code: "FINDER_KEY_INVALID",
    });
  });
});
