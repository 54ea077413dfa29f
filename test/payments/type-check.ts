/**
 * Is this value what a type of Stripe's client says? Read off the types themselves, at run time: every
 * required field there, no other field, enums closed (Stripe leaves them open for its own additions),
 * numbers whole. Only what a value holds is looked at, so a type may be as deep as it likes.
 */
import { fileURLToPath } from "node:url";
import { createProgram, DEFAULT_CONFIG } from "ts-json-schema-generator";

type Program = ReturnType<typeof createProgram>;
type Checker = ReturnType<Program["getTypeChecker"]>;
type Type = ReturnType<Checker["getTypeAtLocation"]>;
type Node = Parameters<Checker["getTypeAtLocation"]>[0];

/** Of TypeScript's flags, those that tell plain values apart. */
const FLAG = { any: 3, string: 4, number: 8, boolean: 16, null: 65_536 } as const;
const LITERAL = 128 + 256 + 512;
const OPTIONAL = 16_777_216;

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/**
 * `kind`: a type's name in stripe-types.ts. Answers what does not fit, one line each. `wire`: numbers and
 * booleans come as text, as in a form body.
 */
export type TypeCheck = (kind: string, value: unknown, how?: "wire") => string[];

/** Stripe's types are 9 MB of text: all that reads them is in one test file, stripe-wire.test.ts. */
export function typeCheck(): TypeCheck {
  const path = here("./stripe-types.ts");
  const tsconfig = here("../../tsconfig.json");
  const program = createProgram({ ...DEFAULT_CONFIG, path, tsconfig, skipTypeCheck: true });
  const checker = program.getTypeChecker();
  const file = program.getSourceFiles().find(({ fileName }) => fileName === path);
  const at = file as unknown as Node;
  const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(at)!);
  return (kind, value, how) => {
    const symbol = exported.find(({ name }) => name === kind);
    if (!symbol) throw new Error(`stripe-types.ts has no ${kind}`);
    return misfits(value, checker.getDeclaredTypeOfSymbol(symbol), {
      checker,
      at,
      path: kind,
      wire: how === "wire",
    });
  };
}

interface Place {
  checker: Checker;
  at: Node;
  path: string;
  wire: boolean;
}

function misfits(value: unknown, type: Type, place: Place): string[] {
  const { path } = place;
  if ((type.flags & FLAG.any) !== 0) return [];
  if (type.isUnion()) return ofUnion(value, type.types, place);
  if ((type.flags & LITERAL) !== 0) {
    const wanted = place.checker.typeToString(type);
    const same = JSON.stringify(value) === wanted || (place.wire && value === wanted);
    return same ? [] : [`${path} is not ${wanted}`];
  }
  if (value === null) return (type.flags & FLAG.null) !== 0 ? [] : [`${path} is null`];
  if (typeof value === "string") {
    const number = place.wire && (type.flags & FLAG.number) !== 0 && /^-?\d+$/.test(value);
    const text = (type.flags & FLAG.string) !== 0 || type.isIntersection();
    return text || number ? [] : [`${path} is a string`];
  }
  if (typeof value === "number") {
    const whole = (type.flags & FLAG.number) !== 0 && Number.isInteger(value);
    return whole ? [] : [`${path} is the number ${value}`];
  }
  if (typeof value === "boolean") {
    return (type.flags & FLAG.boolean) !== 0 ? [] : [`${path} is a boolean`];
  }
  if (Array.isArray(value)) return ofList(value, type, place);
  return ofObject(value as Record<string, unknown>, type, place);
}

/** The member that fits best; where a text may be one of a few words, it must be one of them. */
function ofUnion(value: unknown, members: readonly Type[], place: Place): string[] {
  const words = members.filter((member) => member.isStringLiteral());
  const closed = typeof value === "string" && words.length > 0 ? words : members;
  const named = closed.filter((member) => isNamed(value, member, place));
  const tried = (named.length > 0 ? named : closed).map((member) => misfits(value, member, place));
  return tried.sort((a, b) => a.length - b.length)[0] ?? [`${place.path} fits nothing`];
}

/** Events tell by `type`, everything else by `object`, which of many they are. */
function isNamed(value: unknown, member: Type, { checker, at }: Place): boolean {
  if (typeof value !== "object" || value === null) return false;
  const name = member.getProperty("type") ?? member.getProperty("object");
  const type = name && checker.getTypeOfSymbolAtLocation(name, at);
  const said = (value as Record<string, unknown>)[name?.name ?? ""];
  return type?.isStringLiteral() === true && type.value === said;
}

function ofList(values: readonly unknown[], type: Type, place: Place): string[] {
  const item = place.checker.getIndexTypeOfType(type, 1);
  if (!item) return [`${place.path} is a list`];
  return values.flatMap((value, i) =>
    misfits(value, item, { ...place, path: `${place.path}[${i}]` }),
  );
}

function ofObject(value: Record<string, unknown>, type: Type, place: Place): string[] {
  const { checker, at, path } = place;
  if ((type.flags & (FLAG.string | FLAG.number | FLAG.boolean | FLAG.null)) !== 0) {
    return [`${path} is an object`];
  }
  const known = new Map(checker.getPropertiesOfType(type).map((symbol) => [symbol.name, symbol]));
  const other = checker.getIndexTypeOfType(type, 0);
  const missing = [...known.values()].filter(
    ({ name, flags }) => (flags & OPTIONAL) === 0 && !(name in value),
  );
  return [
    ...missing.map(({ name }) => `${path}.${name} is missing`),
    ...Object.entries(value).flatMap(([key, part]) => {
      const symbol = known.get(key);
      const of = symbol ? checker.getTypeOfSymbolAtLocation(symbol, at) : other;
      const below = { ...place, path: `${path}.${key}` };
      return of ? misfits(part, of, below) : [`${below.path} is unknown`];
    }),
  ];
}
