import type { Figure, Results } from "./results.ts";

const LEFT = 320;
const PANEL = 290;
const GAP = 70;
const ROW = 30;
const TOP = 86;
const WIDTH = LEFT + PANEL + GAP + PANEL + 60;

const GROUND = "#fffdf9";
const COLOURS: Record<string, string> = {
  group: "#8a4b1f",
  single: "#d9a066",
  express: "#8c8c8c",
  "in-process": "#c4c4c4",
};

/** The aim for CPU per quote, drawn as a line. */
const CPU_AIM_MS = 0.25;

interface Panel {
  x: number;
  title: string;
  axis: string;
  value(figure: Figure): number;
  text(figure: Figure): string;
  /** Whether a figure decides how far the axis goes; a longer bar is cut. */
  scales(figure: Figure): boolean;
  /** A vertical line worth seeing; the axis says what it is. */
  aim?: number;
}

const PANELS: Panel[] = [
  {
    x: LEFT,
    title: "Throughput",
    axis: "quotes per second (more is better)",
    value: (figure) => figure.perSecond,
    text: (figure) => figure.perSecond.toLocaleString("en-US"),
    scales: (figure) => figure.kind !== "express",
  },
  {
    x: LEFT + PANEL + GAP,
    title: "Cost",
    axis: `server CPU ms per quote (aim: ${CPU_AIM_MS} or less)`,
    value: (figure) => figure.cpuMs,
    text: (figure) => figure.cpuMs.toFixed(3),
    scales: () => true,
    aim: CPU_AIM_MS,
  },
];

/** Two bar charts side by side, one row per variant; plain SVG, readable on white and on dark. */
export function chart(results: Results): string {
  const { figures } = results;
  const bottom = TOP + figures.length * ROW;
  const height = bottom + 78;
  const names = figures.map((figure, i) =>
    label(LEFT - 12, rowMiddle(i), figure.label, { anchor: "end" }),
  );
  const footer = `Medians of ${results.rounds} interleaved rounds of ${results.seconds} s, ${results.connections} connections. ${results.machine}, Node ${results.node}.`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="13" role="img" aria-labelledby="t d">`,
    '<title id="t">Quotes over HTTP: throughput and cost</title>',
    `<desc id="d">${escaped(figures.map((f) => `${f.label}: ${f.perSecond} quotes per second, ${f.cpuMs} ms of CPU each`).join("; "))}</desc>`,
    `<rect width="${WIDTH}" height="${height}" fill="${GROUND}"/>`,
    label(20, 30, "Quotes over HTTP: group commit and a transaction per request", {
      size: 17,
      weight: 600,
    }),
    ...names,
    ...PANELS.flatMap((panel) => drawPanel(panel, figures, bottom)),
    label(20, height - 16, footer, { size: 11, fill: "#666" }),
    "</svg>",
    "",
  ].join("\n");
}

const rowMiddle = (row: number): number => TOP + row * ROW + ROW / 2;

function drawPanel(panel: Panel, figures: readonly Figure[], bottom: number): string[] {
  const most = Math.max(...figures.filter(panel.scales).map(panel.value), panel.aim ?? 0);
  const { step, end } = ticks(most);
  const at = (value: number) => panel.x + (value / end) * PANEL;
  const marks = Array.from({ length: Math.round(end / step) + 1 }, (_, i) => i * step);
  return [
    label(panel.x, TOP - 18, panel.title, { weight: 600 }),
    ...marks.flatMap((mark) => [
      `<line x1="${at(mark)}" x2="${at(mark)}" y1="${TOP}" y2="${bottom}" stroke="#e4ddd3"/>`,
      label(at(mark), bottom + 16, short(mark), { anchor: "middle", size: 11, fill: "#555" }),
    ]),
    ...(panel.aim === undefined ? [] : [aimLine(at(panel.aim), bottom)]),
    ...figures.flatMap((figure, i) => bar(figure, i, panel, at)),
    label(panel.x + PANEL / 2, bottom + 36, panel.axis, { anchor: "middle", fill: "#333" }),
  ];
}

function bar(figure: Figure, row: number, panel: Panel, at: (v: number) => number): string[] {
  const full = Math.max(1, at(panel.value(figure)) - panel.x);
  const width = Math.min(full, PANEL);
  const text = full > PANEL ? `→ ${panel.text(figure)}` : panel.text(figure);
  const colour = COLOURS[figure.name.replace(/-\d+$/, "")] ?? "#8c8c8c";
  const y = TOP + row * ROW + 5;
  return [
    `<rect x="${panel.x}" y="${y}" width="${width.toFixed(1)}" height="${ROW - 10}" rx="2" fill="${colour}"/>`,
    label(panel.x + width + 6, rowMiddle(row), text, { size: 12, halo: true }),
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
