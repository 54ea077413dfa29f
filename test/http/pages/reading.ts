/** What a reader sees: tags gone, entities resolved, white space folded. */
export function text(page: string): string {
  const entities: Record<string, string> = { lt: "<", gt: ">", quot: '"', "#39": "'", amp: "&" };
  return page
    .replaceAll("<wbr>", "")
    .replace(/<[^>]*>/g, " ")
    .replace(/&(lt|gt|quot|#39|amp);/g, (_all, name: string) => entities[name] ?? "")
    .replace(/\s+/g, " ");
}
