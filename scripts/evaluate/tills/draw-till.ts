import { zonePolygons } from '../../../src/cameras/devices/images/draw-zones.ts';
import { footPoint, height, width } from '../../../src/vision/geometry.ts';
import type { Box } from '../../../src/vision/types.ts';
import { progress } from '../../support/terminal.ts';
import { drawOnVideo } from '../drawing/draw-on-video.ts';
import type { TillFrame, WatchedTill } from './watch-till.ts';

/** Weaker detections would hide the picture. */
const SHOWN_SCORE = 0.3;
const COLOURS = { queue: '#ffb000', checkout: '#2f9bff', none: '#ffffff' } as const;

interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * Writes a copy of the film that shows why it was counted so: detections thin with their score, people thick in the colour of
 * the zone that counts them, a disc where their feet are seen and a ring where they are estimated, the zones, and the counts.
 */
export async function drawTill({ till, frames }: WatchedTill, out: string, fps: number): Promise<void> {
  const bar = progress(`drawing ${till.name}`, frames.length, 'frames');
  try {
    await drawOnVideo(till.video, out, {
      ...{ fps, count: frames.length },
      at: (index, size) => zonePolygons(till.config.zones, size) + tillDrawing(frames[index]!, size),
      onDrawn: () => bar.step(),
    });
  } finally {
    bar.stop();
  }
}

/** SVG elements for an image of this size in pixels. */
export function tillDrawing({ timeMs, people, open, detections }: TillFrame, size: Size): string {
  const unit = size.height / 360;
  const found = detections
    .filter(({ score }) => score >= SHOWN_SCORE)
    .map(({ box, score }) => {
      const label = text(score.toFixed(2), [box.right * size.width, box.top * size.height], 8 * unit, '#ccc');
      return `${rectangle(box, size, `stroke="#ccc" stroke-width="${unit}" stroke-dasharray="2 2"`)}${label}`;
    });
  const followed = people.map((person) => {
    const colour = COLOURS[person.zone ?? 'none'];
    const [x, y] = footPoint(person.box);
    const at = `cx="${x * size.width}" cy="${y * size.height}" r="${4 * unit}"`;
    return [
      rectangle(person.box, size, `stroke="${colour}" stroke-width="${2 * unit}"`),
      `<circle ${at} fill="${person.feet === 'estimated' ? 'none' : colour}" stroke="${colour}" stroke-width="${2 * unit}"/>`,
      text(`${person.id}`, [person.box.left * size.width, person.box.top * size.height], 12 * unit, colour),
    ].join('');
  });
  const counts = `${(timeMs / 1000).toFixed(1)} s   queue ${open.queued}   service ${open.inService}`;
  return [...found, ...followed, text(counts, [8 * unit, 18 * unit], 14 * unit, '#fff')].join('');
}

const rectangle = (box: Box, size: Size, style: string): string =>
  `<rect x="${box.left * size.width}" y="${box.top * size.height}" width="${width(box) * size.width}" height="${height(box) * size.height}" fill="none" ${style}/>`;

const text = (words: string, [x, y]: readonly [number, number], pixels: number, colour: string): string =>
  `<text x="${x}" y="${y}" font-family="sans-serif" font-size="${pixels}" fill="${colour}" stroke="#000" stroke-width="${pixels / 5}" paint-order="stroke">${words}</text>`;
