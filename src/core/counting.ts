/** The desk counts so far and no further: what is more is shown as "999+", and costs no more. */
export const MOST_COUNTED = 1000;
