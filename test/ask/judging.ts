/**
 * What must and must not be said to a question, and whether an answer keeps to it. The rows are in
 * questions/*.txt, in the form that shipped.txt tells.
 */
import { readFileSync } from "node:fs";
import type { Answer } from "../../src/ask/ask.ts";
import type { Catalog } from "../../src/catalog/catalog.ts";

export interface Row {
  kind: string;
  /** The same question in several words. */
  questions: string[];
  /** Each a list of alternatives. */
  checks: string[][];
}

/** evasive: nothing untrue, and not what was asked for. */
export type Verdict = "good" | "evasive" | "wrong";

export function readRows(file: string | URL): Row[] {
  let kind = "";
  return readFileSync(file, "utf8")
    .split("\n")
    .flatMap((line): Row[] => {
      if (line.startsWith("# ")) kind = line.slice(2).trim();
      if (line === "" || line.startsWith("#") || line.startsWith("// ")) return [];
      const [questions = "", ...checks] = line.split(/ \| | \|$/);
      return [
        {
          kind,
          questions: questions.split(" // "),
          checks: checks.map((check) => (/^[=<-]./.test(check) ? [check] : check.split("/"))),
        },
      ];
    });
}

export function judge(row: Row, answer: Answer, catalog: Catalog): Verdict {
  const named = namedBeans(answer, catalog);
  const verdicts = row.checks.map((check) => {
    const each = check.map((one) => judgeOne(one, answer, named, catalog));
    return each.includes("good") ? "good" : each.includes("evasive") ? "evasive" : "wrong";
  });
  const mayDecline = row.checks.some((check) => check.some((one) => one.startsWith("!")));
  if (verdicts.includes("wrong")) return "wrong";
  return verdicts.includes("evasive") || (answer.declined && !mayDecline) ? "evasive" : "good";
}

const UNKNOWN =
  /do(es)? not say|not among our facts|cannot say|did not find|do(es)? not know|not understand/i;

function judgeOne(
  check: string,
  { answer, declined }: Answer,
  named: ReadonlySet<string>,
  catalog: Catalog,
): Verdict {
  const rest = check.slice(1);
  if (check.startsWith("=") || check.startsWith("<")) {
    const wanted = new Set(rest === "" ? [] : rest.split(",").map((part) => idOf(part, catalog)));
    if ([...named].some((id) => !wanted.has(id))) return "wrong";
    if (wanted.size > 0 && named.size === 0) return "evasive";
    return check.startsWith("<") || named.size === wanted.size ? "good" : "wrong";
  }
  if (check === "?") return UNKNOWN.test(answer) ? "good" : "evasive";
  if (check === "-") return declined ? "evasive" : "good";
  if (check.startsWith("-")) return says(answer, rest) ? "wrong" : "good";
  if (!check.startsWith("!")) return says(answer, check) ? "good" : "evasive";
  return declined === rest ? "good" : declined ? "evasive" : "wrong";
}

/** "Yes" and "$10" end where they end ("$100" is another amount); "request" may go on. */
function says(answer: string, text: string): boolean {
  const escaped = text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const end = /\d$|^\p{L}{1,3}$/u.test(text) ? "(?![\\p{L}\\d])" : "";
  return new RegExp(`(?<![\\p{L}\\d])${escaped}${end}`, "iu").test(answer);
}

function idOf(part: string, catalog: Catalog): string {
  const found = catalog.products.find(({ product_id }) => product_id.includes(part));
  if (!found) throw new Error(`no bean is called ${part}`);
  return found.product_id;
}

/** The beans that an answer speaks of, in its text or its facts. */
export function namedBeans({ answer, facts }: Answer, catalog: Catalog): Set<string> {
  const said = catalog.products.filter((product) =>
    [product.name, product.name_to_use_with_humans].some((name) => answer.includes(name)),
  );
  return new Set([...said, ...facts].map(({ product_id }) => product_id));
}
