import type { MultipartPart } from './multipart.ts';

/** A person in a live picture. Coordinates are 0-1 of the picture. */
export interface LiveTrack {
  readonly id: number;
  readonly zone: 'queue' | 'checkout' | null;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Somebody who is staff, with the reason: the drawn zone, or what they do. */
export interface LiveStaff extends Omit<LiveTrack, 'zone'> {
  readonly reason: 'staff_zone' | 'stays_at_till';
}

/** A live picture with the people of exactly this frame. */
export interface LivePicture {
  readonly jpeg: Uint8Array;
  readonly capturedAtMs: number;
  /** Whether the node sends only a picture every few seconds, because it sends those of enough other cameras. */
  readonly isStill: boolean;
  /** By scene. */
  readonly tracks: ReadonlyMap<string, readonly LiveTrack[]>;
  /** Likewise; a scene without staff in the picture is missing. */
  readonly staff: ReadonlyMap<string, readonly LiveStaff[]>;
}

/** The API sends at most 150 in a picture. */
const MOST_TRACKS = 500;

/** @returns null for a part that is not a JPEG with its time */
export function readLivePicture({ headers, body }: MultipartPart): LivePicture | null {
  const capturedAtMs = Date.parse(headers.get('x-captured-at') ?? '');
  if (headers.get('content-type') !== 'image/jpeg' || Number.isNaN(capturedAtMs)) return null;
  return {
    jpeg: body,
    capturedAtMs,
    isStill: headers.get('x-live') === 'stills',
    tracks: readRows(headers.get('x-tracks'), readTrack),
    staff: readRows(headers.get('x-staff'), readStaff),
  };
}

/** Boxes that cannot be read are left out: the picture is worth more than they are. */
function readRows<Person>(
  text: string | undefined,
  read: (row: unknown) => Person | null,
): ReadonlyMap<string, readonly Person[]> {
  let scenes: unknown;
  try {
    scenes = JSON.parse(text ?? '{}');
  } catch {
    return new Map();
  }
  if (typeof scenes !== 'object' || scenes === null || Array.isArray(scenes)) return new Map();
  return new Map(
    Object.entries(scenes).map(([sceneId, rows]: [string, unknown]) => [
      sceneId,
      Array.isArray(rows) ? rows.slice(0, MOST_TRACKS).flatMap((row: unknown) => read(row) ?? []) : [],
    ]),
  );
}

function readTrack(row: unknown): LiveTrack | null {
  const person = readPerson(row);
  if (!person) return null;
  const [zone, box] = person;
  return { ...box, zone: zone === 'queue' || zone === 'checkout' ? zone : null };
}

function readStaff(row: unknown): LiveStaff | null {
  const person = readPerson(row);
  if (!person) return null;
  const [reason, box] = person;
  return { ...box, reason: reason === 'stays_at_till' ? reason : 'staff_zone' };
}

/** `[id, what, left, top, right, bottom]` */
function readPerson(row: unknown): [what: unknown, person: Omit<LiveTrack, 'zone'>] | null {
  if (!Array.isArray(row) || row.length !== 6) return null;
  const [id, what, ...box]: unknown[] = row;
  const place = { left: share(box[0]), top: share(box[1]), right: share(box[2]), bottom: share(box[3]) };
  // What is no number lies on no side of another one.
  const isPlace = place.left < place.right && place.top < place.bottom;
  return Number.isInteger(id) && isPlace ? [what, { id: id as number, ...place }] : null;
}

const share = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) ? Math.min(1, Math.max(0, value)) : Number.NaN;
