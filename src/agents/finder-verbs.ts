import { createHmac } from "node:crypto";
import { createAsk, type Reading } from "../ask/ask.ts";
import type { Live } from "../ask/sections.ts";
import { isExclusive } from "../catalog/catalog.ts";
import type { CatalogContext } from "../catalog/live-catalog.ts";
import { freeBags } from "../core/bags.ts";
import { sha256 } from "../core/hash.ts";
import { type AgentId, derivedKey, newKey } from "../core/ids.ts";
import { FIRST_ORDER_SETTING, firstOrderOn, iso } from "../core/policy.ts";
import { pauseAt } from "../core/shop.ts";
import type { AskAnswer } from "./ask-answer.ts";
import { askSteps } from "./ask-steps.ts";
import { credit, earned } from "./finder.ts";
import { type CreditResult, creditQuestion } from "./finder-key.ts";

type FinderView = NonNullable<AskAnswer["finder"]>;

/** Facts of the moment that sections and bean lines state. */
export async function liveFacts(context: CatalogContext, keyless: boolean): Promise<Live> {
  const { store, provider, baseUrl, quoteTtlMs, supportEmail, catalog } = context;
  const [setting, stock] = await Promise.all([
    store.queries.setting(FIRST_ORDER_SETTING),
    store.queries.stock(),
  ]);
  return {
    baseUrl,
    hasMail: context.mailer !== undefined,
    firstOrderRuns: firstOrderOn(setting),
    free: new Map(stock.map((row) => [row.product_id, freeBags(row)])),
    exclusive: catalog.products.find(isExclusive)?.name_to_use_with_humans ?? null,
    mode: provider.mode,
    quoteTtlMs,
    supportEmail,
    shop: context.shop,
    pause: pauseAt(context, context.clock()),
    keyless,
  };
}

/** Words of questions about finder keys. */
const FINDER_WORDS: ReadonlySet<string> = new Set(["finder", "unlock", "locked", "key"]);

/** Questions and what they earn (contract §9). */
export function finderVerbs(context: CatalogContext) {
  const { store, clock, catalog, secret } = context;
  const ask = createAsk(catalog);

  /** Derives an agent's finder key again, because only its hash is stored. */
  const keyOf = (agentId: AgentId, createdAt: number): string => {
    const hmac = createHmac("sha256", derivedKey(secret, "finder keys"));
    return newKey("fk_", hmac.update(`${agentId}:${createdAt}`).digest());
  };

  async function finder(agentId: AgentId, reading: Reading): Promise<FinderView> {
    const now = clock();
    const { pairs, unearned } = earned(reading, catalog);
    const command = { now, agentId, credit: credit(pairs), catalog };
    const keyHash = sha256(keyOf(agentId, now));
    const at = await store.run(creditQuestion, { ...command, keyHash });
    const key = at.key && keyOf(agentId, at.key.created_at);
    // Keys of earlier versions cannot be derived.
    const finderKey = key && sha256(key) === at.key?.key_hash ? key : null;
    return {
      progress: at.progress,
      needed: at.needed,
      hint: hint(unearned, at, finderKey),
      ...(finderKey !== null && { finder_key: finderKey }),
      ...(at.key && { expires_at: iso(at.key.expires_at) }),
    };
  }

  return {
    /** `keyless`: for an interface that takes no key. */
    async ask(question: string, agentId: AgentId | null, keyless = false): Promise<AskAnswer> {
      const live = await liveFacts(context, keyless);
      const reading = ask(question, live);
      const hasKey = agentId !== null;
      const isAboutFinder =
        reading.meaning.isAboutCoffee || reading.said.some((word) => FINDER_WORDS.has(word));
      const view =
        hasKey && isAboutFinder && live.exclusive !== null ? await finder(agentId, reading) : null;
      const hasFinderKey = view?.finder_key !== undefined;
      const next = askSteps(reading, live, { hasKey, hasFinderKey });
      return { ...reading.answer, ...(view && { finder: view }), next };
    },
  };
}

/** One or two sentences on whether the question counted, and why. */
function hint(unearned: string | undefined, at: CreditResult, finderKey: string | null): string {
  if (at.key && !at.counted)
    return finderKey === null
      ? "You have a finder key; it was shown with the answer that earned it."
      : "You have this finder key already.";
  if (at.key) return "This question counted and earned the finder key.";
  if (at.counted) return `This question counted. ${at.missing}`;
  const why = unearned ?? "it asks for nothing new";
  return `This question did not count: ${why}. ${at.missing}`;
}
