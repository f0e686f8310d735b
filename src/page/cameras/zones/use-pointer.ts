import { type PointerEvent, useRef, useState } from 'react';
import type { Point } from '../../../catalogue/zones/polygon.ts';
import { distance, type Reach, snapped } from './geometry.ts';
import { type Hit, hitAt } from './hit.ts';
import { activeOf, tapped } from './tap.ts';
import type { Edit, Edits } from './zone-edits.ts';

/** Radius of a handle in CSS pixels: handles are 44 pixels wide at any size of the picture. */
export const HANDLE = 22;
/** A finger that moves less than this many pixels taps. */
const TAP = 6;
/** Points snap from this many pixels away. */
const SNAP = 10;

interface Drag {
  readonly hit: Hit;
  readonly from: Point;
  /** From the finger to the handle, so that the handle does not jump under the finger. */
  readonly offset: Point;
  isMoving: boolean;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

const reachOf = (pixels: number, { width, height }: Size): Reach => ({
  x: pixels / Math.max(1, width),
  y: pixels / Math.max(1, height),
});

/** Taps and drags over the picture as edits. `loupe` is where a finger covers the point that it drags. */
export function usePointer(edits: Edits, send: (edit: Edit) => void, size: Size) {
  const drag = useRef<Drag | null>(null);
  const [loupe, setLoupe] = useState<Point | null>(null);

  const placeOf = (event: PointerEvent<Element>): Point => {
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
    return [(event.clientX - left) / width, (event.clientY - top) / height];
  };
  const snap = (at: Point, key: number | null): Point => {
    const others = edits.shapes.filter((shape) => shape.key !== key).map((shape) => shape.points);
    return snapped(at, others, reachOf(SNAP, size));
  };

  const onPointerDown = (event: PointerEvent<Element>) => {
    if (!event.isPrimary || event.button !== 0) return;
    const from = placeOf(event);
    const under = { ...edits, active: activeOf(edits), openKey: edits.pen?.key ?? null };
    const hit = hitAt(from, { ...under, reach: reachOf(HANDLE, size) });
    const handle = handleOf(hit, edits) ?? from;
    drag.current = { hit, from, offset: [handle[0] - from[0], handle[1] - from[1]], isMoving: false };
    event.currentTarget.setPointerCapture(event.pointerId);
  };

  const onPointerMove = (event: PointerEvent<Element>) => {
    const now = drag.current;
    if (!now || !event.isPrimary) return;
    const at = placeOf(event);
    if (!now.isMoving) {
      if (distance(at, now.from, reachOf(TAP, size)) < 1) return;
      now.isMoving = true;
      begin(now.hit, send);
    }
    const { hit, offset } = now;
    if (hit.kind === 'shape') {
      send({ type: 'moveShape', key: hit.key, by: [at[0] - now.from[0], at[1] - now.from[1]] });
    } else if (hit.kind !== 'nothing') {
      const to = snap([at[0] + offset[0], at[1] + offset[1]], hit.key);
      const point = hit.kind === 'point' ? hit.point : hit.edge + 1;
      send({ type: 'movePoint', key: hit.key, point, to });
      if (event.pointerType === 'touch') setLoupe(to);
    }
  };

  const onPointerUp = (event: PointerEvent<Element>) => {
    const ended = drag.current;
    if (!ended || !event.isPrimary) return;
    drag.current = null;
    setLoupe(null);
    if (ended.isMoving) send({ type: 'release' });
    else for (const edit of tapped(edits, ended.hit, (key) => snap(ended.from, key))) send(edit);
  };

  const onPointerCancel = () => {
    if (drag.current?.isMoving) send({ type: 'cancel' });
    drag.current = null;
    setLoupe(null);
  };

  return { loupe, handlers: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel } };
}

function handleOf(hit: Hit, { shapes }: Edits): Point | undefined {
  if (hit.kind === 'middle') return hit.at;
  if (hit.kind !== 'point') return undefined;
  return shapes.find(({ key }) => key === hit.key)?.points[hit.point];
}

function begin(hit: Hit, send: (edit: Edit) => void): void {
  send({ type: 'grab' });
  if (hit.kind === 'middle') send({ type: 'insert', key: hit.key, edge: hit.edge, at: hit.at });
  if (hit.kind === 'point') send({ type: 'select', key: hit.key, point: hit.point });
  if (hit.kind === 'shape') send({ type: 'select', key: hit.key, point: null });
}
