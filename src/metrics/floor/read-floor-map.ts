import type { z } from 'zod';
import { orNotFound } from '../../http/errors.ts';
import type { Db } from '../../platform/database/db.ts';
import { FLOOR_CELLS, FLOOR_COLUMNS, FLOOR_ROWS } from '../../vision/floor/grid.ts';
import { findOwnScene } from '../snapshot.store.ts';
import { addEncoded } from './encode-cells.ts';
import { readFloor } from './floor.store.ts';
import { FloorSums } from './floor-sums.ts';
import type { floorMap } from './schema.ts';

export interface FloorRange {
  readonly from: Date;
  readonly to: Date;
}

const HOUR_MS = 3_600_000;
/** Picture widths a second. People who move slower stand still. */
const STILL = 0.002;

/** The hours that the range touches. */
const wholeHours = ({ from, to }: FloorRange): FloorRange => ({
  from: new Date(Math.floor(from.getTime() / HOUR_MS) * HOUR_MS),
  to: new Date(Math.ceil(to.getTime() / HOUR_MS) * HOUR_MS),
});

/** Where the people of a scene were. @throws ApiError NOT_FOUND */
export async function readFloorMap(
  db: Db,
  { userId, sceneId, ...range }: FloorRange & { userId: string; sceneId: string },
): Promise<z.input<typeof floorMap>> {
  const scene = orNotFound(await findOwnScene(db, userId, sceneId), 'Scene');
  const { from, to } = range.from < range.to ? wholeHours(range) : { from: range.from, to: range.from };
  const { coveredMs, cells } = await readFloor(db, scene.id, { from, to });
  return {
    sceneId: scene.id,
    from: from.toISOString(),
    to: to.toISOString(),
    columns: FLOOR_COLUMNS,
    rows: FLOOR_ROWS,
    coveredSeconds: rounded(coveredMs / 1000, 10),
    ...columnsOf(cells),
  };
}

function columnsOf(encoded: Uint8Array) {
  const sums = new FloorSums();
  const analysed = new Uint8Array(FLOOR_CELLS);
  addEncoded(encoded, sums, analysed);
  const seconds: (number | null)[] = [];
  const dx: (number | null)[] = [];
  const dy: (number | null)[] = [];
  for (const [cell, ms] of sums.ms.entries()) {
    const own = ms / 1000;
    const [right, down] = [sums.right[cell]! / own, sums.down[cell]! / own];
    const isMoving = Math.hypot(right, down) >= STILL;
    seconds.push(analysed[cell] ? rounded(own, 10) : null);
    dx.push(isMoving ? rounded(right, 10_000) : null);
    dy.push(isMoving ? rounded(down, 10_000) : null);
  }
  return { seconds, dx, dy };
}

const rounded = (value: number, parts: number): number => Math.round(value * parts) / parts;
