const INVALIDATED: Record<string, string> = {
  ERASED: "The buyer's data has been erased, and this quote with it. Request a new quote.",
  OUT_OF_STOCK:
    "Bags of this quote sold out before payment started. Request it again: the answer says which, " +
    "and how many are left.",
  COURTESY_USED: "The first-order courtesy of this quote was used elsewhere. Request a new quote.",
  PAID_TOO_LATE:
    "A payment arrived after its bags and courtesy had been let go, and they went to others. It is being returned. Request a new quote.",
  WRONG_AMOUNT:
    "A payment arrived that did not match the approved total. It is being returned. Request a new quote.",
};

/** Why a quote became INVALIDATED, in a sentence for agents and people alike. */
export const invalidatedText = (reason: string | null): string =>
  INVALIDATED[reason ?? ""] ?? "The key that made this quote has been revoked.";
