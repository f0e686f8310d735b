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
