import { display } from "../core/money.ts";

/** Fields that serve no step of an agent's. The structured content has them. */
const LEFT_OUT = new Set([
  ...["agent_id", "api_key_prefix", "asked_by", "contact_email", "created_at"],
  ...["contract_version", "policy_version", "limits", "rate_limits", "mode", "nonce"],
  ...["allocations", "brewing", "country", "currency", "image_url", "summary"],
  ...["preferences", "previous_status", "refunded_minor", "cancel_request_id"],
]);

/** Fields that another field of the same object tells. */
const TOLD_BY: Record<string, readonly string[]> = {
  estimated_delivery: ["delivery"],
  items: ["subtotal_minor"],
  message: ["messages"],
  name_to_use_with_humans: ["name"],
  passages: [
    ...["substitutions", "refunds", "cancellation", "delivery", "shipping", "gift_notes"],
    ...["courtesies", "offers", "payment", "ship_to", "tax"],
  ],
  quote_id: ["quote_hash"],
  roast: ["roast_level"],
  sequence: ["id"],
  text: ["code"],
};

/** Labels that say more than the field's name. */
const LABELS: Record<string, string> = { courtesy: "discount" };

/** The steps of an answer are its last lines. Those of a list's entries are in the answer about that entry. */
const STEPS = "next";

/**
 * The answer in YAML, with money as people write it, then its next steps: a client may show its model only this
 * text. A new field appears by itself. What others wrote is quoted wherever it could pass for a field.
 */
export const answerText = (body: Fields): string =>
  [...blockOf(shown(body, true)), ...stepLines(body[STEPS])].join("\n");

/** The next steps of an answer or refusal, one per line. */
export const stepLines = (next: unknown): string[] =>
  Array.isArray(next)
    ? next.map(({ action, why }) =>
        // A colon behind an address would be copied with it.
        URL.canParse(action) ? `Next: ${action} - ${why}` : `Next: ${action}: ${why}`,
      )
    : [];

type Fields = Record<string, unknown>;
type Shown = readonly [label: string, value: unknown];

/** How a field is shown. */
interface Look {
  label: string;
  /** In cents. */
  isMoney: boolean;
  isLeftOut: boolean;
  tellers: readonly string[];
}

const looks = new Map<string, Look>();

function lookOf(name: string): Look {
  const known = looks.get(name);
  if (known) return known;
  const isMoney = name.endsWith("_minor");
  const label = LABELS[name] ?? name.replace(/_(minor|display)$/, "");
  const tellers = Object.keys(TOLD_BY).filter((teller) => TOLD_BY[teller]!.includes(name));
  const look = {
    label,
    isMoney,
    isLeftOut: LEFT_OUT.has(name) || name === STEPS,
    tellers: isMoney ? [...tellers, `${label}_display`] : tellers,
  };
  looks.set(name, look);
  return look;
}

/** Absent, or as good as that. */
const isNothing = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === false ||
  (Array.isArray(value) && value.length === 0);

/** Fields to show, with their labels. False and empty values appear at the top level only. */
function shown(fields: Fields, isWhole = false): Shown[] {
  const all: Shown[] = [];
  for (const name in fields) {
    const value = fields[name];
    if (value === null || value === undefined || (!isWhole && isNothing(value))) continue;
    const { label, isMoney, isLeftOut, tellers } = lookOf(name);
    if (isLeftOut || tellers.some((one) => !isNothing(fields[one]))) continue;
    all.push([label, isMoney ? display(Number(value)) : value]);
  }
  return all;
}

/** A value in one line, or the lines of a long object or list. */
type Written = string | string[];

/** An object or list stands in one line, unless that is longer. */
const MOST_CHARACTERS = 130;

function write(value: unknown): Written {
  if (typeof value === "string") return PLAIN.test(value) ? value : JSON.stringify(value);
  if (typeof value !== "object" || value === null) return String(value);
  return Array.isArray(value) ? writeList(value) : writeFields(shown(value as Fields));
}

function writeFields(fields: readonly Shown[]): Written {
  const values = fields.map(([, value]) => write(value));
  if (values.some((value) => typeof value !== "string")) return blockOf(fields, values);
  const line = fields.map(([label], i) => `${label}: ${values[i]}`).join(", ");
  return line.length > MOST_CHARACTERS ? blockOf(fields, values) : `{${line}}`;
}

function writeList(entries: readonly unknown[]): Written {
  const values = entries.map(writeEntry);
  const isLong = values.some((value) => typeof value !== "string");
  const line = isLong ? "" : values.join(", ");
  if (!isLong && line.length <= MOST_CHARACTERS) return `[${line}]`;
  return values.flatMap((value, i) => {
    const entry = entries[i];
    if (typeof value === "string") return `- ${typeof entry === "string" ? text(entry) : value}`;
    return value.map((one, at) => (at === 0 ? "- " : "  ") + one);
  });
}

/** An entry that has one text is that text. */
function writeEntry(entry: unknown): Written {
  if (typeof entry !== "object" || entry === null || Array.isArray(entry)) return write(entry);
  const fields = shown(entry as Fields);
  const [, only] = fields[0] ?? [];
  return fields.length === 1 && typeof only === "string" ? write(only) : writeFields(fields);
}

function blockOf(
  fields: readonly Shown[],
  values: readonly Written[] = fields.map(([, value]) =>
    typeof value === "string" ? value : write(value),
  ),
): string[] {
  return fields.flatMap(([label, value], i) => {
    const written = values[i]!;
    if (typeof value === "string" && value.includes("\n") && LINES.test(value)) {
      return [`${label}: |-`, ...value.split("\n").map((line) => `  ${line}`)];
    }
    if (typeof value === "string") return `${label}: ${text(value)}`;
    if (typeof written === "string") return `${label}: ${written}`;
    return [`${label}:`, ...(Array.isArray(value) ? written : written.map((line) => ` ${line}`))];
  });
}

/** Several lines of text. */
const LINES = /^\S\P{Cc}*\n(?:\P{Cc}|\n)*\S$/u;

/** Text that stands anywhere as it is. */
const PLAIN = /^[\p{L}\d$/(](?:[^,:#[\]{}\p{Cc}]|:(?=\S))*(?<! )$/u;

/** Text that YAML would misread on a line of its own. */
const MISREAD = /^(?![\p{L}\d$/(])|: |:$| #| $|\p{Cc}/u;

/** Text in a line of its own, as it is if nobody could mistake it for anything else. */
const text = (value: string): string =>
  PLAIN.test(value) || !MISREAD.test(value) ? value : JSON.stringify(value);
