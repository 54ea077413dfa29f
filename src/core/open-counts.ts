/**
 * Counts what is open of each caller, up to a bound: answers how one is counted out again, or null where
 * there are as many as may be.
 */
export function openCounts(most: number): (who: string) => (() => void) | null {
  const open = new Map<string, number>();
  return (who) => {
    const before = open.get(who) ?? 0;
    if (before >= most) return null;
    open.set(who, before + 1);
    return () => {
      const left = open.get(who)! - 1;
      if (left === 0) open.delete(who);
      else open.set(who, left);
    };
  };
}
