const ENTITIES: Record<string, string> = { lt: "<", gt: ">", quot: '"', "#39": "'", amp: "&" };

export const resolved = (markup: string): string =>
  markup.replace(/&(lt|gt|quot|#39|amp);/g, (_all, name: string) => ENTITIES[name] ?? "");

/** Visible text of a page: no tags, resolved entities, folded white space. */
export const text = (page: string): string =>
  resolved(page.replaceAll("<wbr>", "").replace(/<[^>]*>/g, " ")).replace(/\s+/g, " ");

/** State of the order, quote or waitlist place that a page shows. */
export const stateOf = (page: string): string | undefined =>
  /<main [^>]*data-state="(\w+)"/.exec(page)?.[1];

/** The hidden fields of a page, as a browser sends them. */
export const hiddenFields = (page: string): [string, string][] =>
  [...page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(
    ([, name = "", value = ""]) => [name, resolved(value)],
  );

/** Fields that the summary of problems links to, in its order. */
export const linkedFields = (page: string): string[] =>
  [...page.matchAll(/<li><a href="#([\w-]+)">/g)].map(([, name]) => name!);
