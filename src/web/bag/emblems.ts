import { html, type Markup } from "../html.ts";
import type { Taste } from "./colours.ts";

/** What it tastes of, as a stamp of 40 by 40 around (0, 0): lines only, so that one colour does. */
export const EMBLEMS: Record<Taste, Markup> = {
  berry: html`<circle cx="-7" cy="6" r="7.5"/><circle cx="8" cy="7" r="7.5"/>
    <circle cx="1" cy="-7" r="7.5"/><path d="M1-15c1-4 4-5 7-5"/>`,
  citrus: html`<circle r="15"/><circle r="10.5"/><path d="M0-10V10M-10 0H10M-7-7 7 7M7-7-7 7"/>`,
  flower: html`<circle r="4"/>${[0, 72, 144, 216, 288].map(
    (turn) => html`<path d="M-3.5-4C-12-18 12-18 3.5-4" transform="rotate(${turn})"/>`,
  )}`,
  fruit: html`<path d="M0-8C-12-15-19-2-13 8c4 8 9 7 13 5 4 2 9 3 13-5C19-2 12-15 0-8Z"/>
    <path d="M0-8c0-5 2-8 6-10"/>`,
  cocoa: html`<path d="M-14 9C-16-5-3-16 13-13 16 3 4 15-14 9Z"/>
    <path d="M-12 7C-4 2 4-4 12-12M-13 2C-7-2-1-7 5-13M-7 10C0 6 8 1 13-5"/>`,
  caramel: html`<path d="M0-16 14-8V8L0 16-14 8V-8Z"/><path d="M0-7 6-3.5V3.5L0 7-6 3.5V-3.5Z"/>`,
  nut: html`<path d="M0-16C12-8 14 4 0 15-14 4-12-8 0-16Z"/><path d="M0-9V9M-5-3v7M5-3v7"/>`,
  spice: html`${[0, 60, 120, 180, 240, 300].map(
    (turn) => html`<path d="M0-3C-5-8-3-14 0-17 3-14 5-8 0-3Z" transform="rotate(${turn})"/>`,
  )}`,
  plain: html`<ellipse rx="10" ry="15" transform="rotate(30)"/><path d="M8-13C2-7 5-3 0 0s-3 7-8 13"/>`,
};
