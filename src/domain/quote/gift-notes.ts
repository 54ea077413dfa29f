/** Which bag each gift note goes into: note i into bag i, counted through the lines (contract §3). */
export function notesByBag(
  notes: readonly string[],
  lines: readonly { name: string; quantity: number }[],
): { bag: number; name: string | undefined; note: string }[] {
  const names = lines.flatMap(({ name, quantity }) => Array.from({ length: quantity }, () => name));
  return notes.map((note, i) => ({ bag: i + 1, name: names[i], note }));
}
