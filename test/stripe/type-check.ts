/**
 * Checks values against the types of Stripe's client, read at run time: required fields present (unless
 * "partial"), no other field, enums closed (Stripe leaves them open for additions), numbers whole. Only
 * fields of the value are followed, so types may be deep.
 */
import { fileURLToPath } from "node:url";
import { API, type Checker, SymbolFlags, type Type, TypeFlags } from "typescript/unstable/sync";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/**
 * Returns one line per misfit. `kind` is a type's name in stripe-types.ts. "wire": numbers and booleans are
 * text, as in a form body.
 */
export type TypeCheck = (kind: string, value: unknown, how?: "wire" | "partial") => string[];

/** Starts the compiler's process, which runs until `close`. */
export function typeCheck(): { check: TypeCheck; close: () => void } {
  const compiler = new API();
  const tsconfig = here("./stripe-types.tsconfig.json");
  const project = compiler.updateSnapshot({ openProjects: [tsconfig] }).getProject(tsconfig)!;
  const { checker, program } = project;
  const module = checker.getSymbolAtLocation(program.getSourceFile(here("./stripe-types.ts"))!)!;
  const exported = checker.getExportsOfModule(module);
  const membersOf = memberReader(checker);
  const check: TypeCheck = (kind, value, how) => {
    const symbol = exported.find(({ name }) => name === kind);
    if (!symbol) throw new Error(`stripe-types.ts has no ${kind}`);
    const place = { membersOf, path: kind, wire: how === "wire", partial: how === "partial" };
    return misfits(value, checker.getDeclaredTypeOfSymbol(symbol), place);
  };
  return { check, close: () => compiler.close() };
}

interface Members {
  fields: Map<string, { type: Type; optional: boolean }>;
  /** Type of a list's items. */
  item: Type | undefined;
  /** Type of fields under any other name. */
  other: Type | undefined;
}

type MemberReader = (type: Type) => Members;

/** Members of object types, cached. */
function memberReader(checker: Checker): MemberReader {
  const known = new Map<Type, Members>();
  const read = (type: Type): Members => {
    const symbols = checker.getPropertiesOfType(type);
    const types = checker.getTypeOfSymbol(symbols);
    const infos = checker.getIndexInfosOfType(type);
    const indexedBy = (flag: TypeFlags) =>
      infos.find(({ keyType }) => is(keyType, flag))?.valueType;
    return {
      fields: new Map(
        symbols.map(({ name, flags }, i) => [
          name,
          { type: types[i]!, optional: (flags & SymbolFlags.Optional) !== 0 },
        ]),
      ),
      item: indexedBy(TypeFlags.Number),
      other: indexedBy(TypeFlags.String),
    };
  };
  return (type) => {
    const members = known.get(type) ?? read(type);
    known.set(type, members);
    return members;
  };
}

const is = (type: Type, flags: TypeFlags): boolean => (type.flags & flags) !== 0;

interface Place {
  membersOf: MemberReader;
  path: string;
  wire: boolean;
  partial: boolean;
}

function misfits(value: unknown, type: Type, place: Place): string[] {
  const { path, wire } = place;
  if (is(type, TypeFlags.Any | TypeFlags.Unknown)) return [];
  if (type.isUnionType()) return ofUnion(value, type.getTypes(), place);
  if (type.isLiteralType()) {
    const same = value === type.value || (wire && value === String(type.value));
    return same ? [] : [`${path} is not ${JSON.stringify(type.value)}`];
  }
  if (value === null) return is(type, TypeFlags.Null) ? [] : [`${path} is null`];
  if (typeof value === "string") {
    const number = wire && is(type, TypeFlags.Number) && /^-?\d+$/.test(value);
    const text = is(type, TypeFlags.String) || type.isIntersectionType();
    return text || number ? [] : [`${path} is a string`];
  }
  if (typeof value === "number") {
    const whole = is(type, TypeFlags.Number) && Number.isInteger(value);
    return whole ? [] : [`${path} is the number ${value}`];
  }
  if (typeof value === "boolean") {
    return is(type, TypeFlags.Boolean) ? [] : [`${path} is a boolean`];
  }
  if (Array.isArray(value)) return ofList(value, type, place);
  return ofObject(value as Record<string, unknown>, type, place);
}

/** Misfits of the best member. A text must be one of the literals, if there are any. */
function ofUnion(value: unknown, members: readonly Type[], place: Place): string[] {
  const words = members.filter((member) => member.isStringLiteralType());
  const closed = typeof value === "string" && words.length > 0 ? words : members;
  const named = closed.filter((member) => isNamed(value, member, place));
  const tried = (named.length > 0 ? named : closed).map((member) => misfits(value, member, place));
  return tried.sort((a, b) => a.length - b.length)[0] ?? [`${place.path} fits nothing`];
}

/** Whether `type` of an event, or `object` of anything else, names this member. */
function isNamed(value: unknown, member: Type, { membersOf }: Place): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { fields } = membersOf(member);
  const name = ["type", "object"].find((one) => fields.has(one)) ?? "";
  const type = fields.get(name)?.type;
  return type?.isStringLiteralType() === true && type.value === Reflect.get(value, name);
}

function ofList(values: readonly unknown[], type: Type, place: Place): string[] {
  const { item } = place.membersOf(type);
  if (!item) return [`${place.path} is a list`];
  return values.flatMap((value, i) =>
    misfits(value, item, { ...place, path: `${place.path}[${i}]` }),
  );
}

const PLAIN = TypeFlags.String | TypeFlags.Number | TypeFlags.Boolean | TypeFlags.Null;

function ofObject(value: Record<string, unknown>, type: Type, place: Place): string[] {
  const { path } = place;
  if (is(type, PLAIN)) return [`${path} is an object`];
  const { fields, other } = place.membersOf(type);
  const required = place.partial ? [] : [...fields].filter(([, { optional }]) => !optional);
  const missing = required.filter(([name]) => !(name in value));
  return [
    ...missing.map(([name]) => `${path}.${name} is missing`),
    ...Object.entries(value).flatMap(([key, part]) => {
      const of = fields.get(key)?.type ?? other;
      const below = { ...place, path: `${path}.${key}` };
      return of ? misfits(part, of, below) : [`${below.path} is unknown`];
    }),
  ];
}
