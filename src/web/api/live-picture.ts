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

/** A live picture with the people of exactly this frame. */
export interface LivePicture {
  readonly jpeg: Uint8Array;
  readonly capturedAtMs: number;
  /** Whether the node sends only a picture every few seconds, because it sends those of enough other cameras. */
  readonly isStill: boolean;
  /** By scene. */
  readonly tracks: ReadonlyMap<string, readonly LiveTrack[]>;
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
    tracks: readTracks(headers.get('x-tracks') ?? '{}'),
  };
}

/** Boxes that cannot be read are left out: the picture is worth more than they are. */
function readTracks(text: string): ReadonlyMap<string, readonly LiveTrack[]> {
  let scenes: unknown;
  try {
    scenes = JSON.parse(text);
  } catch {
    return new Map();
  }
  if (typeof scenes !== 'object' || scenes === null || Array.isArray(scenes)) return new Map();
  return new Map(
    Object.entries(scenes).map(([sceneId, rows]: [string, unknown]) => [
      sceneId,
      Array.isArray(rows) ? rows.slice(0, MOST_TRACKS).flatMap((row: unknown) => readTrack(row) ?? []) : [],
    ]),
  );
}

function readTrack(row: unknown): LiveTrack | null {
  if (!Array.isArray(row) || row.length !== 6) return null;
  const [id, zone, ...box] = row as unknown[];
  if (!Number.isInteger(id) || !box.every((each) => typeof each === 'number' && Number.isFinite(each))) {
    return null;
  }
  const [left, top, right, bottom] = (box as number[]).map((each) => Math.min(1, Math.max(0, each)));
  if (left! >= right! || top! >= bottom!) return null;
  const known = zone === 'queue' || zone === 'checkout' ? zone : null;
  return { id: id as number, zone: known, left: left!, top: top!, right: right!, bottom: bottom! };
}
