import type { LiveStaff, LiveTrack } from '../api/live-picture.ts';

/** Draws people into a picture of this size. Its parts are those of a canvas context, so that tests can look at them. */
export interface BoxPen {
  strokeStyle: string | object;
  fillStyle: string | object;
  lineWidth: number;
  strokeRect(x: number, y: number, width: number, height: number): void;
  beginPath(): void;
  arc(x: number, y: number, radius: number, start: number, end: number): void;
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  closePath(): void;
  rect(x: number, y: number, width: number, height: number): void;
  stroke(): void;
  fill(): void;
}

export interface BoxLook {
  /** Colours by zone; `other` of people in no zone. */
  readonly queue: string;
  readonly checkout: string;
  readonly staff: string;
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
  for (const track of tracks) drawBox(pen, track, colourOf(track, look), { width, height, look });
}

/** Likewise; the mark of staff is a triangle. */
export function drawStaff(
  pen: BoxPen,
  staff: readonly LiveStaff[],
  { width, height, look }: { width: number; height: number; look: BoxLook },
): void {
  for (const person of staff) drawBox(pen, person, look.staff, { width, height, look });
}

function drawBox(
  pen: BoxPen,
  person: LiveTrack | LiveStaff,
  colour: string,
  { width, height, look }: { width: number; height: number; look: BoxLook },
): void {
  const [x, y] = [person.left * width, person.top * height];
  const [boxWidth, boxHeight] = [(person.right - person.left) * width, (person.bottom - person.top) * height];
  for (const [stroke, line] of [
    [look.edge, look.line * 2],
    [colour, look.line],
  ] as const) {
    pen.strokeStyle = stroke;
    pen.lineWidth = line;
    pen.strokeRect(x, y, boxWidth, boxHeight);
  }
  drawFoot(pen, person, colour, { x: x + boxWidth / 2, y: y + boxHeight, look });
}

const colourOf = ({ zone }: LiveTrack, look: BoxLook): string => (zone === null ? look.other : look[zone]);

function drawFoot(
  pen: BoxPen,
  person: LiveTrack | LiveStaff,
  colour: string,
  { x, y, look }: { x: number; y: number; look: BoxLook },
): void {
  const zone = 'zone' in person ? person.zone : 'staff';
  if (zone === null) return;
  const radius = look.line * 2.5;
  pen.beginPath();
  if (zone === 'queue') pen.arc(x, y, radius, 0, FULL_TURN);
  else if (zone === 'checkout') pen.rect(x - radius, y - radius, 2 * radius, 2 * radius);
  else {
    pen.moveTo(x, y - radius);
    pen.lineTo(x + radius, y + radius);
    pen.lineTo(x - radius, y + radius);
    pen.closePath();
  }
  pen.strokeStyle = look.edge;
  pen.lineWidth = look.line;
  pen.stroke();
  pen.fillStyle = colour;
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
