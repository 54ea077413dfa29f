/** One thing wrong with a request. `pointer` is a JSON Pointer into the body, or a parameter's name. */
export interface Problem {
  pointer: string;
  code: string;
  /** What is expected, and what to do. */
  detail: string;
  /** What came, in a few characters. */
  received?: string;
  /** The field that an unknown one was meant to be, as a pointer; otherwise the nearest right value. */
  did_you_mean?: string;
}
