import type { LiveTrack } from '../api/live-picture.ts';

/** Draws people into a picture of this size. Its parts are those of a canvas context, so that tests can look at them. */
export interface BoxPen {
  strokeStyle: string | object;
  fillStyle: string | object;
  lineWidth: number;
  strokeRect(x: number, y: number, width: number, height: number): void;
  beginPath(): void;
  arc(x: number, y: number, radius: number, start: number, end: number): void;
  rect(x: number, y: number, width: number, height: number): void;
  stroke(): void;
  fill(): void;
}

export interface BoxLook {
  /** Colours by zone; `other` of people in no zone. */
  readonly queue: string;
  readonly checkout: string;
  readonly other: string;
  /** Around each line, so that it is seen on every picture. */
  readonly edge: string;
  /** Width of the lines in pixels of the canvas. */
  readonly line: number;
}

const FULL_TURN = 2 * Math.PI;

/**
 * Draws a box around each person, and a mark where they stand: a disc in the queue, a square at the checkout, nothing
 * elsewhere. So colours are not needed to tell them apart.
 */
export function drawBoxes(
  pen: BoxPen,
  tracks: readonly LiveTrack[],
  { width, height, look }: { width: number; height: number; look: BoxLook },
): void {
  for (const track of tracks) {
    const [x, y] = [track.left * width, track.top * height];
    const [boxWidth, boxHeight] = [(track.right - track.left) * width, (track.bottom - track.top) * height];
    for (const [colour, line] of [
      [look.edge, look.line * 2],
      [colourOf(track, look), look.line],
    ] as const) {
      pen.strokeStyle = colour;
      pen.lineWidth = line;
      pen.strokeRect(x, y, boxWidth, boxHeight);
    }
    drawFoot(pen, track, { x: x + boxWidth / 2, y: y + boxHeight, look });
  }
}

const colourOf = ({ zone }: LiveTrack, look: BoxLook): string => (zone === null ? look.other : look[zone]);

function drawFoot(
  pen: BoxPen,
  track: LiveTrack,
  { x, y, look }: { x: number; y: number; look: BoxLook },
): void {
  if (track.zone === null) return;
  const radius = look.line * 2.5;
  pen.beginPath();
  if (track.zone === 'queue') pen.arc(x, y, radius, 0, FULL_TURN);
  else pen.rect(x - radius, y - radius, 2 * radius, 2 * radius);
  pen.strokeStyle = look.edge;
  pen.lineWidth = look.line;
  pen.stroke();
  pen.fillStyle = colourOf(track, look);
  pen.fill();
}

/** How many people are in each zone of a picture. */
export function countPeople(tracks: readonly LiveTrack[]): {
  queue: number;
  checkout: number;
  others: number;
} {
  const of = (zone: LiveTrack['zone']) => tracks.filter((track) => track.zone === zone).length;
  return { queue: of('queue'), checkout: of('checkout'), others: of(null) };
}
