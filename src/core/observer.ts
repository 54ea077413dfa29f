/** Something that is worth seeing from outside while it runs: what it is, and what it is about. */
export interface ObservedCall {
  kind: "operation" | "provider" | "webhook" | "settlement";
  name: string;
  /** The purchase that it belongs to, where that is known before it begins. */
  quoteId?: string | undefined;
}

/** Runs an act and looks on; what it answers or throws goes through as it is. */
export type Observer = <T>(act: ObservedCall, run: () => Promise<T>) => Promise<T>;

export const unobserved: Observer = (_act, run) => run();
