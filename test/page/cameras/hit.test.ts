import { describe, expect, test } from '@jest/globals';
import type { Point } from '../../../src/catalogue/zones/polygon.ts';
import { type Hit, hitAt, middlesOf } from '../../../src/page/cameras/zones/hit.ts';
import type { Shape } from '../../../src/page/cameras/zones/shapes.ts';
import { tapped } from '../../../src/page/cameras/zones/tap.ts';
import { edited, startEdits } from '../../../src/page/cameras/zones/zone-edits.ts';

const square = (left: number, top: number, size: number): Point[] => [
  [left, top],
  [left + size, top],
  [left + size, top + size],
  [left, top + size],
];
const QUEUE: Shape = { key: 0, kind: 'queueZone', points: square(0.1, 0.1, 0.4) };
const STAFF: Shape = { key: 1, kind: 'staffZone', points: square(0.3, 0.3, 0.4) };
const reach = { x: 0.05, y: 0.05 };

describe('what lies under a finger', () => {
  const under = (at: Point, active: number | null) =>
    hitAt(at, { shapes: [QUEUE, STAFF], active, openKey: null, reach });

  test.each<[string, Point, number | null, Hit]>([
    ['a point of the active zone', [0.12, 0.13], 0, { kind: 'point', key: 0, point: 0 }],
    ['a point of another zone is no handle', [0.12, 0.13], 1, { kind: 'shape', key: 0 }],
    ['the middle of an edge', [0.3, 0.12], 0, { kind: 'middle', key: 0, edge: 0, at: [0.3, 0.1] }],
    ['the active zone before the one above it', [0.4, 0.4], 0, { kind: 'shape', key: 0 }],
    ['without an active zone the one drawn last', [0.4, 0.4], null, { kind: 'shape', key: 1 }],
    ['the floor', [0.9, 0.1], 0, { kind: 'nothing' }],
  ])('%s', (_name, at, active, hit) => {
    const found = under(at, active);
    expect(found).toEqual(hit.kind === 'middle' ? { ...hit, at: [expect.closeTo(0.3), 0.1] } : hit);
  });

  test('short edges and full polygons have no handle in the middle', () => {
    expect(middlesOf(square(0.1, 0.1, 0.09), reach)).toEqual([]);
    const full = Array.from({ length: 20 }, (_, at): Point => [at / 20, at % 2]);
    expect(middlesOf(full, { x: 0.001, y: 0.001 })).toEqual([]);
  });
});

describe('what a tap does', () => {
  const at: Point = [0.8, 0.2];
  const place = () => at;
  const open = startEdits([QUEUE, STAFF]);

  test('while a zone is drawn it adds a point, and on the first point it ends the drawing', () => {
    const drawing = [
      [0, 0],
      [1, 0],
      [1, 1],
    ].reduce(
      (edits, point) => edited(edits, { type: 'add', at: point as unknown as Point }),
      edited(startEdits([]), { type: 'draw', kind: 'mask' }),
    );
    expect(tapped(drawing, { kind: 'nothing' }, place)).toEqual([{ type: 'add', at }]);
    expect(tapped(drawing, { kind: 'point', key: 0, point: 0 }, place)).toEqual([{ type: 'close' }]);
    expect(tapped(drawing, { kind: 'point', key: 0, point: 2 }, place)).toEqual([]);
  });

  test('it selects a point, then gives it its new place', () => {
    const hit: Hit = { kind: 'point', key: 0, point: 2 };
    const [select] = tapped(open, hit, place);
    const chosen = edited(open, select!);
    expect(chosen.selected).toEqual({ key: 0, point: 2 });
    const moved = tapped(chosen, { kind: 'shape', key: 1 }, place).reduce(edited, chosen);
    expect(moved.shapes[0]?.points[2]).toEqual(at);
    expect(moved.selected).toEqual({ key: 0, point: null });
    expect(tapped(chosen, hit, place)).toEqual([{ type: 'select', key: 0, point: null }]);
  });

  test('on the floor it selects nothing', () => {
    const chosen = edited(open, { type: 'select', key: 0, point: null });
    expect(tapped(chosen, { kind: 'nothing' }, place)).toEqual([{ type: 'deselect' }]);
  });
});
