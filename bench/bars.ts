const LEFT = 320;
const PANEL = 290;
const GAP = 70;
const ROW = 30;
const TOP = 86;
const WIDTH = LEFT + PANEL + GAP + PANEL + 60;

const GROUND = "#fffdf9";

/** One quantity of every row, as bars along an axis of its own. Two fit side by side. */
export interface Panel<F> {
  title: string;
  axis: string;
  value(figure: F): number;
  text(figure: F): string;
  /** Whether a figure decides how far the axis goes; a longer bar is cut. */
  scales(figure: F): boolean;
  /** A vertical line worth seeing; the axis says what it is. */
  aim?: number;
}

export interface Chart<F> {
  /** Names the picture for those who do not see it. */
  name: string;
  title: string;
  /** How it was measured. */
  footer: string;
  figures: readonly F[];
  /** One figure in words. */
  describe(figure: F): string;
  colour(figure: F): string;
  /** Stands above the first figure of each group. */
  heading?(figure: F): string;
  panels: readonly Panel<F>[];
}

/** Two bar charts side by side, one row per figure; plain SVG, readable on white and on dark. */
export function bars<F extends { label: string }>(chart: Chart<F>): string {
  const { figures } = chart;
  const { rows, headings, bottom } = layout(chart);
  const height = bottom + 78;
  const names = figures.map((figure, i) =>
    label(LEFT - 12, rowMiddle(rows[i]!), figure.label, { anchor: "end" }),
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="13" role="img" aria-labelledby="t d">`,
    `<title id="t">${escaped(chart.name)}</title>`,
    `<desc id="d">${escaped(figures.map(chart.describe).join("; "))}</desc>`,
    `<rect width="${WIDTH}" height="${height}" fill="${GROUND}"/>`,
    label(20, 30, chart.title, { size: 17, weight: 600 }),
    ...names,
    ...chart.panels.flatMap((_, i) => drawPanel(chart, i, { rows, bottom })),
    ...headings.map(({ row, text }) =>
      label(20, rowMiddle(row), text, { weight: 600, halo: true }),
    ),
    label(20, height - 16, chart.footer, { size: 11, fill: "#666" }),
    "</svg>",
    "",
  ].join("\n");
}

const rowMiddle = (row: number): number => TOP + row * ROW + ROW / 2;

/** Which row each figure has; a heading takes one of its own. */
function layout<F>({ figures, heading }: Chart<F>) {
  const rows: number[] = [];
  const headings: { row: number; text: string }[] = [];
  for (const figure of figures) {
    const text = heading?.(figure);
    const row = rows.length + headings.length;
    if (text !== undefined && text !== headings.at(-1)?.text) headings.push({ row, text });
    rows.push(rows.length + headings.length);
  }
  return { rows, headings, bottom: TOP + (rows.length + headings.length) * ROW };
}

function drawPanel<F>(
  chart: Chart<F>,
  place: number,
  { rows, bottom }: { rows: readonly number[]; bottom: number },
): string[] {
  const { figures } = chart;
  const panel = chart.panels[place]!;
  const x = LEFT + place * (PANEL + GAP);
  const most = Math.max(...figures.filter(panel.scales).map(panel.value), panel.aim ?? 0);
  const { step, end } = ticks(most);
  const at = (value: number) => x + (value / end) * PANEL;
  const marks = Array.from({ length: Math.round(end / step) + 1 }, (_, i) => i * step);
  return [
    label(x, TOP - 18, panel.title, { weight: 600 }),
    ...marks.flatMap((mark) => [
      `<line x1="${at(mark)}" x2="${at(mark)}" y1="${TOP}" y2="${bottom}" stroke="#e4ddd3"/>`,
      label(at(mark), bottom + 16, short(mark), { anchor: "middle", size: 11, fill: "#555" }),
    ]),
    ...(panel.aim === undefined ? [] : [aimLine(at(panel.aim), bottom)]),
    ...figures.flatMap((figure, i) => {
      const text = panel.text(figure);
      const full = at(panel.value(figure)) - x;
      return bar(x, rows[i]!, { full, text, colour: chart.colour(figure) });
    }),
    label(x + PANEL / 2, bottom + 36, panel.axis, { anchor: "middle", fill: "#333" }),
  ];
}

function bar(
  x: number,
  row: number,
  { full, text, colour }: { full: number; text: string; colour: string },
): string[] {
  const width = Math.min(Math.max(1, full), PANEL);
  const y = TOP + row * ROW + 5;
  return [
    `<rect x="${x}" y="${y}" width="${width.toFixed(1)}" height="${ROW - 10}" rx="2" fill="${colour}"/>`,
    label(x + width + 6, rowMiddle(row), full > PANEL ? `→ ${text}` : text, {
      size: 12,
      halo: true,
    }),
  ];
}

const aimLine = (x: number, bottom: number): string =>
  `<line x1="${x}" x2="${x}" y1="${TOP - 6}" y2="${bottom}" stroke="#2f6f4f" stroke-width="1.5" stroke-dasharray="4 3"/>`;

/** Round steps, at most six of them. */
function ticks(most: number): { step: number; end: number } {
  const power = 10 ** Math.floor(Math.log10(most / 5));
  const step = [1, 2, 2.5, 5, 10].map((n) => n * power).find((s) => most / s <= 5) ?? power * 10;
  return { step, end: Math.ceil(most / step) * step };
}

const short = (value: number): string =>
  value >= 1000 ? `${Number((value / 1000).toFixed(1))}k` : String(Number(value.toFixed(2)));

interface Style {
  anchor?: "start" | "middle" | "end";
  size?: number;
  weight?: number;
  fill?: string;
  /** Stands on its own ground, so that lines behind it do not cross it. */
  halo?: boolean;
}

const label = (x: number, y: number, text: string, style: Style = {}): string => {
  const { anchor = "start", size = 13, weight = 400, fill = "#221" } = style;
  const ground = style.halo ? ` stroke="${GROUND}" stroke-width="4" paint-order="stroke"` : "";
  return `<text x="${x.toFixed(1)}" y="${y}" text-anchor="${anchor}" font-size="${size}" font-weight="${weight}" fill="${fill}" dominant-baseline="middle"${ground}>${escaped(text)}</text>`;
};

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
