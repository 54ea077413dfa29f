/** A message is taken apart into the questions it holds. */
const ASKING =
  "what|whats|which|how|hows|where|wheres|who|whos|when|why|is|are|do|does|can|could|will|should|would";
const SENTENCES = /[^.?!;\n]*(?:\.(?=\d)[^.?!;\n]*)*[.?!;\n]?/g;
const NEXT = new RegExp(
  `(?:,\\s*(?:and|also|plus|then|or)?|\\b(?:and|also|plus|then))\\s+(?:also |then |if so,? )*(?=(?:${ASKING})\\b|(?:the |your )?(?:\\w+est|most|least)\\b)`,
  "g",
);
const MOST = /\b(?:\w+est|most|least)\b/;
const BEGUN = new RegExp(`\\b(?:${ASKING}|i|im|my|we|tell|least|most|\\w+est)\\b`);
const ASKS = new RegExp(`\\b(?:${ASKING})\\b`);

/** Folded text; a mark stays with its part. */
export function partsOf(folded: string): string[] {
  const text = folded.replace(/\(?\b\d{1,2}\)\s/g, ". ").replace(/\b(?:i\.e|e\.g)\./g, "");
  const parts = (text.match(SENTENCES) ?? []).flatMap(split).map((part) => part.trim());
  return parts.filter((part) => /[\p{L}\d]/u.test(part));
}

/** "…, and how is it processed": before a question word, where what stands before it is a sentence. */
function split(sentence: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (const { index, 0: joint } of sentence.matchAll(NEXT)) {
    // "…, and the lightest": only after another of its kind.
    const asks = ASKS.test(sentence.slice(index + joint.length).split(" ")[0]!);
    const part = sentence.slice(from, index);
    // "If I buy two, do I pay shipping?" is one question.
    if (!(asks ? BEGUN : MOST).test(part) || /^\s*if\b/.test(part)) continue;
    parts.push(sentence.trimEnd().endsWith("?") && ASKS.test(part) ? `${part}?` : part);
    from = index + joint.length;
  }
  return [...parts, sentence.slice(from)];
}
