/** Statements: a head, and facts bean by bean. What is said of a bean is made of its facts alone. */
import { LIMITS } from "../core/policy.ts";
import type { Fact, Field, Live } from "./ask.ts";
import type { Bean, Beans } from "./facts.ts";
import type { Reading, Shown } from "./reading.ts";
import { join, table, upperFirst } from "./text.ts";

/** What is said to "is it so?". */
export type Verdict = Readonly<{
  is: "yes" | "no" | "neither" | "unsaid" | "either" | "both";
  /** How far it goes: "only", "all 4", "not all". */
  scope?: string;
  /** Then only what speaks against it is shown. */
  ofAll?: boolean;
}>;

export interface Statement {
  /** Apart from what it rests on: where a part of the question is left open, it is not said. */
  verdict?: Verdict | undefined;
  text: string;
  facts: readonly Fact[];
  /** The beans it is about, so that "it" has a meaning in what follows. */
  about: Beans;
  /** Only worth saying where nothing else is. */
  weak?: boolean;
  /** Of policy: the names of what is said. */
  policy?: readonly string[];
  /** Of policy: the words that told what it is about. */
  topic?: string;
  /** Of policy: it is more likely than not what is meant; it was told by the way, and is not. */
  isLikely?: boolean;
  isAside?: boolean;
  /** Of policy: shipping, delivery, or where we ship to. */
  isSent?: boolean;
  /** Of policy: what our facts lack, where that is not surely what is asked. */
  isUnsure?: boolean;
  /** The words that it says nothing to, where what it says tells them; else they are looked for. */
  open?: readonly string[] | undefined;
}

/** A bean, and the facts that are said of it. */
export type Row = Readonly<{ bean: Bean; facts: readonly Fact[] }>;

export function sentence(text: string, about: Beans = []): Statement {
  return { text, facts: [], about };
}

/** As it is said at last. */
export const inFull = ({ verdict, text }: Statement): string =>
  verdict ? `${VERDICTS[verdict.is]}${verdict.scope ?? ""}: ${text}` : text;

const VERDICTS = {
  yes: "Yes",
  no: "No",
  neither: "Neither",
  unsaid: "Our facts do not say",
  either: "It is",
  both: "Both",
};

export const help = (beans: Beans): string =>
  "Ask me about the origin, process, variety, roast, notes, brewing or price of our " +
  `${beans.length} coffees, or about ordering and shipping.`;

/** "Hello!" asks for nothing. */
export function smallTalk({ cues, unread }: Reading, beans: Beans): Statement | null {
  const asks = help(beans);
  const talk = { GREETING: `Hello! ${asks}`, THANKS: "You are welcome.", HELP: asks };
  const [, says] = Object.entries(talk).find(([cue]) => cues.has(cue)) ?? [];
  return says === undefined || unread.length > 0 ? null : { ...sentence(says), weak: true };
}

export const merge = (statements: readonly Statement[]): Statement => ({
  verdict: statements.find(({ verdict }) => verdict)?.verdict,
  text: statements.map(({ text }) => text).join(" "),
  facts: statements.flatMap(({ facts }) => facts),
  about: [...new Set(statements.flatMap(({ about }) => about))],
});

/** How facts are put: recipes in full or their methods alone; what is in stock now. */
type Manner = Readonly<{ full?: boolean; live?: Live | undefined }>;

/** "Tasting notes: Kenya Nyeri (blackcurrant), …": every answer about beans has this form. */
export function say(head: string, rows: readonly Row[], manner: Manner = {}): Statement {
  if (rows.length === 0) return sentence(head === "" ? "None." : `${head}: none.`);
  const said = [...Map.groupBy(rows, ({ bean }) => bean)].map(([bean, some]) => {
    const facts = some.flatMap((row) => row.facts);
    return facts.length > 0 ? `${bean.name} (${inWords(bean, facts, manner)})` : bean.name;
  });
  return {
    text: `${head}${head && ": "}${join(said)}.`,
    facts: rows.flatMap(({ facts }) => facts),
    about: [...new Set(rows.map(({ bean }) => bean))],
  };
}

/** Facts as the catalog has them, field by field. */
function inWords(bean: Bean, facts: readonly Fact[], { full, live }: Manner): string {
  const fields = Map.groupBy(facts, ({ field }) => (field === "region" ? "country" : field));
  const said = [...fields].map(([field, some]) => {
    const values = [...new Set(some.map(({ value }) => value.replace(/[.!\s]+$/, "")))];
    if (field === "decaf") return bean.product.decaf ? "a decaf" : "not a decaf";
    if (field === "availability") return availability(bean, live);
    if (field === "country") return values.join(", ");
    if (field === "brewing" && full) return values.join("; ");
    return join(field === "brewing" ? values.map((one) => one.replace(/:.*/s, "")) : values);
  });
  return said.join("; ");
}

function availability({ id, product }: Bean, live?: Live): string {
  const count = live?.free?.get(id);
  // As the catalog tells it: a number where it is below what one line may have.
  const number = (of: number) => (of < LIMITS.quantity_per_line ? `${of} ` : "");
  const now =
    count === undefined ? "" : count > 0 ? `${number(count)}in stock now` : "sold out now";
  if (product.availability === "WAITLIST")
    return `${now || "sold while bags last"}, with a waitlist when they run out`;
  if (product.availability === "STOCKED") return now || "sold from stock";
  return `exclusive${now && `, ${now}`}: it needs a finder key, earned by three good questions here`;
}

const TITLES = table(
  "country=Origin; brewing=Brewing methods; price_minor=Price per 8 oz bag",
  String,
);

export const DESCRIBED = ["country", "process", "varieties", "roast", "tasting_notes"] as const;

export const titleOf = (field: Field): string =>
  TITLES.get(field) ?? upperFirst(field.replace("_", " "));

/** All that the catalog has in these fields. */
export const rows = (beans: Beans, ...fields: readonly Field[]): Row[] =>
  beans.map((bean) => ({ bean, facts: fields.flatMap((field) => bean.facts[field]) }));

export function tell(beans: Beans, field: Field, live?: Live): Statement {
  return say(titleOf(field), rows(beans, field), { live });
}

/** What the catalog says of a bean on the very matter: what shows it, or else the whole field. */
export const evidence = (beans: Beans, wishes: Shown): Row[] =>
  beans.map((bean) => {
    const facts = wishes.flatMap(({ trait: { kind, field, has } }) => {
      const own = has.get(bean.id) ?? [];
      const notes = own.filter((fact) => fact.field === "tasting_notes");
      // Of "walnut or almond", and of "nuts but no chocolate", what it has.
      const shows = wishes.some(({ trait }) => trait.field === field && trait.has.has(bean.id));
      const apt = own.length === 0 ? shows : kind !== "origin";
      // That it is the Huila needs no fact.
      if (kind === "bean") return [];
      return apt ? (notes.length > 0 ? notes : own) : bean.facts[field];
    });
    return { bean, facts: [...new Set(facts)] };
  });
