import type uPlot from 'uplot';
import type { Colours } from './colours.ts';
import type { Seam, Span } from './points.ts';

/** A horizontal line, for example the threshold of a rule. */
export interface Level {
  readonly value: number;
  readonly label: string;
}

/** Something that happened, for example a firing of a rule. */
export interface Mark {
  readonly ms: number;
  readonly value: number;
}

const HATCH_DISTANCE = 7;
/** More marks than this are small dots without stems. */
const MANY_MARKS = 60;

/** Hatches times with poor coverage, behind the lines. */
export function hatch(plot: uPlot, spans: readonly Span[], colour: string, strength: number): void {
  if (spans.length === 0) return;
  const { ctx, bbox } = plot;
  const distance = HATCH_DISTANCE * devicePixelRatio;
  ctx.save();
  ctx.beginPath();
  for (const { fromMs, toMs } of spans) {
    const left = plot.valToPos(fromMs, 'x', true);
    ctx.rect(left, bbox.top, Math.max(2, plot.valToPos(toMs, 'x', true) - left), bbox.height);
  }
  ctx.clip();
  ctx.strokeStyle = colour;
  ctx.globalAlpha = strength;
  ctx.lineWidth = devicePixelRatio;
  ctx.beginPath();
  for (let x = bbox.left - bbox.height; x < bbox.left + bbox.width; x += distance) {
    ctx.moveTo(x, bbox.top + bbox.height);
    ctx.lineTo(x + bbox.height, bbox.top);
  }
  ctx.stroke();
  ctx.restore();
}

/** Draws where closed times are left out, and closed days with their names, from below to above. */
export function drawSeams(plot: uPlot, seams: readonly Seam[], { grid, text }: Colours): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.strokeStyle = grid;
  ctx.fillStyle = text;
  ctx.lineWidth = devicePixelRatio;
  ctx.font = `${12 * devicePixelRatio}px system-ui, sans-serif`;
  ctx.textBaseline = 'middle';
  for (const { ms, label } of seams) {
    const x = plot.valToPos(ms, 'x', true);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    if (label === '') continue;
    const width = ctx.measureText(label).width;
    ctx.save();
    ctx.translate(x, bbox.top + (bbox.height + width) / 2);
    ctx.rotate(-Math.PI / 2);
    ctx.fillText(label, 0, 0);
    ctx.restore();
  }
  ctx.restore();
}

/** Between which values a number of a time probably lies. */
export interface Band extends Span {
  readonly low: number;
  readonly high: number;
}

const DOT_DISTANCE = 5;

/** Fills bands with dots, behind the lines. */
export function dot(plot: uPlot, bands: readonly Band[], colour: string): void {
  const { ctx } = plot;
  const distance = DOT_DISTANCE * devicePixelRatio;
  ctx.save();
  ctx.fillStyle = colour;
  ctx.globalAlpha = 0.7;
  ctx.beginPath();
  for (const { fromMs, toMs, low, high } of bands) {
    const [left, right] = [plot.valToPos(fromMs, 'x', true), plot.valToPos(toMs, 'x', true)];
    const [top, bottom] = [plot.valToPos(high, 'y', true), plot.valToPos(low, 'y', true)];
    for (let x = Math.ceil(left / distance) * distance; x < right; x += distance)
      for (let y = Math.ceil(top / distance) * distance; y <= bottom; y += distance)
        ctx.rect(x, y, devicePixelRatio, devicePixelRatio);
  }
  ctx.fill();
  ctx.restore();
}

/** Between which values a bucket usually lies; null where nobody knows. */
export interface UsualBand {
  readonly label: string;
  readonly low: readonly (number | null)[];
  readonly high: readonly (number | null)[];
}

/** Draws a band behind the lines, bucket by bucket. */
export function drawBand(
  plot: uPlot,
  { low, high }: UsualBand,
  spans: readonly Span[],
  colour: string,
): void {
  const { ctx } = plot;
  ctx.save();
  ctx.fillStyle = colour;
  ctx.globalAlpha = 0.3;
  for (const [at, { fromMs, toMs }] of spans.entries()) {
    const [from, to] = [low[at] ?? null, high[at] ?? null];
    if (from === null || to === null) continue;
    const left = Math.round(plot.valToPos(fromMs, 'x', true));
    const top = plot.valToPos(to, 'y', true);
    // A band of nothing is a thin line.
    const height = Math.max(devicePixelRatio, plot.valToPos(from, 'y', true) - top);
    ctx.fillRect(left, top, Math.round(plot.valToPos(toMs, 'x', true)) - left, height);
  }
  ctx.restore();
}

/** Draws levels as dashed lines with their names. */
export function drawLevels(plot: uPlot, levels: readonly Level[], { level: colour }: Colours): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.fillStyle = colour;
  ctx.lineWidth = 1.5 * devicePixelRatio;
  ctx.textAlign = 'left';
  ctx.font = `600 ${12 * devicePixelRatio}px system-ui, sans-serif`;
  for (const { value, label } of levels) {
    const y = plot.valToPos(value, 'y', true);
    ctx.setLineDash([6 * devicePixelRatio, 4 * devicePixelRatio]);
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
    const isAtTop = y - bbox.top < 18 * devicePixelRatio;
    ctx.textBaseline = isAtTop ? 'top' : 'bottom';
    ctx.fillText(label, bbox.left + 6 * devicePixelRatio, y + (isAtTop ? 4 : -3) * devicePixelRatio);
  }
  ctx.restore();
}

/** Draws marks as a line from below and a dot at their value. */
export function drawMarks(plot: uPlot, marks: readonly Mark[], { level: colour }: Colours): void {
  const { ctx, bbox } = plot;
  const bottom = bbox.top + bbox.height;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.strokeStyle = colour;
  ctx.fillStyle = colour;
  ctx.lineWidth = devicePixelRatio;
  const isFew = marks.length <= MANY_MARKS;
  const radius = (isFew ? 3.5 : 2) * devicePixelRatio;
  for (const { ms, value } of marks) {
    const x = plot.valToPos(ms, 'x', true);
    const y = Math.max(bbox.top, plot.valToPos(value, 'y', true));
    if (isFew) {
      ctx.globalAlpha = 0.35;
      ctx.beginPath();
      ctx.moveTo(x, bottom);
      ctx.lineTo(x, y);
      ctx.stroke();
    }
    ctx.globalAlpha = 1;
    ctx.beginPath();
    ctx.arc(x, y, radius, 0, 2 * Math.PI);
    ctx.fill();
  }
  ctx.restore();
}
