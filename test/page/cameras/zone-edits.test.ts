import { describe, expect, test } from '@jest/globals';
import type { Point } from '../../../src/catalogue/zones/polygon.ts';
import { placed } from '../../../src/page/cameras/zones/geometry.ts';
import {
  type Drawing,
  drawingOf,
  type ShapeKind,
  shapesOf,
  tillsOf,
} from '../../../src/page/cameras/zones/shapes.ts';
import { type Edit, type Edits, edited, startEdits } from '../../../src/page/cameras/zones/zone-edits.ts';
import { fc } from '../../support/property.ts';

const KINDS: readonly ShapeKind[] = ['queueZone', 'checkoutZone', 'staffZone', 'till', 'mask'];
const played = (edits: readonly Edit[], from: Edits = startEdits([], 't')): Edits =>
  edits.reduce(edited, from);
const add = (...at: Point[]): Edit[] => at.map((point) => ({ type: 'add', at: point }));
const TRIANGLE: readonly Point[] = [
  [0.1, 0.1],
  [0.5, 0.1],
  [0.3, 0.6],
];
const drawn = (kind: ShapeKind = 'queueZone') =>
  played([{ type: 'draw', kind }, ...add(...TRIANGLE), { type: 'close' }]);

const share = fc.double({ min: 0, max: 1, noNaN: true });
const point = fc.tuple(share, share);
const outside = fc.tuple(
  fc.double({ min: -2, max: 3, noNaN: true }),
  fc.double({ min: -2, max: 3, noNaN: true }),
);
const key = fc.nat(5);
const index = fc.nat(21);
const kind = fc.constantFrom(...KINDS);
const rowNames = fc.nat(14).map((count) => Array.from({ length: count }, (_, at) => `Till ${at + 1}`));
const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({
    type: fc.constant('replace' as const),
    kind,
    points: fc.array(outside, { minLength: 3, maxLength: 20 }),
  }),
  fc.record({ type: fc.constantFrom('draw' as const, 'square' as const), kind, name: fc.constant('Till 1') }),
  fc.record({
    type: fc.constantFrom('draw' as const, 'square' as const),
    kind: fc.constant('tillStaff' as const),
    of: key.map((each) => `t${each}`),
  }),
  fc.record({ type: fc.constant('rename' as const), key, name: fc.constantFrom('', 'Till 2', 'Express') }),
  fc.record({ type: fc.constant('feed' as const), key, isFed: fc.boolean() }),
  fc.record({ type: fc.constant('divide' as const), key, names: rowNames, ratio: fc.constant(16 / 9) }),
  { weight: 6, arbitrary: fc.record({ type: fc.constant('add' as const), at: outside }) },
  fc.record({ type: fc.constant('moveSelected' as const), at: outside }),
  fc.record({
    type: fc.constantFrom(
      'close' as const,
      'cancel',
      'deselect',
      'undo',
      'redo',
      'grab',
      'release',
      'remove',
    ),
  }),
  fc.record({ type: fc.constant('select' as const), key, point: fc.option(index) }),
  fc.record({ type: fc.constant('insert' as const), key, edge: index, at: outside }),
  fc.record({ type: fc.constant('movePoint' as const), key, point: index, to: outside }),
  fc.record({ type: fc.constant('moveShape' as const), key, by: outside }),
  fc.record({ type: fc.constant('removePoint' as const), key, point: index }),
  fc.record({ type: fc.constant('removeShape' as const), key }),
  fc.record({
    type: fc.constant('template' as const),
    name: fc.constantFrom('till' as const, 'room', 'row'),
    names: rowNames,
    ratio: fc.constant(1),
  }),
);
/** Two tills beside each other in a picture that is as wide as it is high. */
const ROW = { names: ['Till 1', 'Till 2'], ratio: 1 };
const edits = fc.array(edit, { maxLength: 60 });
const corners = fc.array(point, { minLength: 3, maxLength: 20 });
const polygon = corners.map((points) => ({ type: 'polygon' as const, points }));
const till = fc.record(
  { name: fc.constant('Till'), type: fc.constant('polygon' as const), points: corners, staffPoints: corners },
  { requiredKeys: ['name', 'type', 'points'] },
);
const drawing: fc.Arbitrary<Drawing> = fc.record({
  zones: fc
    .record(
      {
        queueZone: polygon,
        checkoutZone: polygon,
        staffZone: polygon,
        tills: fc.array(till, { minLength: 2, maxLength: 12 }),
      },
      { requiredKeys: [] },
    )
    .chain(({ tills: drawnTills, ...zones }) => {
      const ids = (drawnTills ?? []).map((_, at) => `old-${at}`);
      const tills = drawnTills && { tills: drawnTills.map((one, at) => ({ ...one, id: ids[at]! })) };
      if (!tills || !zones.queueZone) return fc.constant({ ...zones, ...tills });
      // A list of all tills says the same as none.
      return fc
        .option(fc.subarray(ids, { minLength: 1, maxLength: ids.length - 1 }))
        .map((tillIds) => ({ ...zones, ...tills, ...(tillIds && { queueFeeds: { tillIds } }) }));
    }),
  privacyMask: fc.array(polygon, { maxLength: 20 }),
});

describe('drawing', () => {
  test('taps make a polygon in their order, and closing it selects it', () => {
    const edits = drawn();
    expect(drawingOf(edits.shapes).zones.queueZone?.points).toEqual(TRIANGLE);
    expect(edits.pen).toBeNull();
    expect(edits.selected).toEqual({ key: 0, point: null });
  });

  test('random polygons are kept as drawn', () => {
    fc.assert(
      fc.property(fc.array(point, { minLength: 3, maxLength: 20 }), kind, (points, of) => {
        const edits = played([{ type: 'draw', kind: of }, ...add(...points), { type: 'close' }]);
        expect(edits.shapes).toMatchObject([{ key: 0, kind: of, points: points.map(placed) }]);
      }),
    );
  });

  test('what is opened and not touched is saved without any change', () => {
    fc.assert(fc.property(drawing, (stored) => expect(drawingOf(shapesOf(stored))).toEqual(stored)));
  });

  test('a polygon with two points is not closed', () => {
    const edits = played([{ type: 'draw', kind: 'queueZone' }, ...add([0, 0], [1, 1]), { type: 'close' }]);
    expect(edits.pen).toEqual({ kind: 'queueZone', key: 0 });
  });

  test('a shape with too few points goes when another one is begun', () => {
    const edits = played([
      { type: 'draw', kind: 'mask' },
      ...add([0, 0]),
      { type: 'draw', kind: 'queueZone' },
    ]);
    expect(edits.shapes).toEqual([]);
    expect(edits.pen).toEqual({ kind: 'queueZone', key: null });
  });

  test('drawing a zone that exists selects it', () => {
    const edits = edited(edited(drawn(), { type: 'deselect' }), { type: 'draw', kind: 'queueZone' });
    expect(edits.selected).toEqual({ key: 0, point: null });
    expect(edits.pen).toBeNull();
  });

  test('a polygon has at most 20 points', () => {
    const many = Array.from({ length: 25 }, (_, at): Point => [at / 30, (at % 2) / 2]);
    const edits = played([{ type: 'draw', kind: 'mask' }, ...add(...many)]);
    expect(edits.shapes[0]?.points).toHaveLength(20);
    const inserted = edited(edits, { type: 'insert', key: 0, edge: 3, at: [0.5, 0.5] });
    expect(inserted.shapes[0]?.points).toHaveLength(20);
  });
});

describe('changing', () => {
  test('a point is inserted behind the point where its edge begins, and is selected', () => {
    const edits = edited(drawn(), { type: 'insert', key: 0, edge: 2, at: [0.2, 0.3] });
    expect(edits.shapes[0]?.points.at(-1)).toEqual([0.2, 0.3]);
    expect(edits.selected).toEqual({ key: 0, point: 3 });
  });

  test('a selected point goes to the place that is tapped next', () => {
    const edits = played(
      [
        { type: 'select', key: 0, point: 1 },
        { type: 'moveSelected', at: [0.9, 0.2] },
      ],
      drawn(),
    );
    expect(edits.shapes[0]?.points[1]).toEqual([0.9, 0.2]);
  });

  test('the last three points stay, and the shape is removed as a whole', () => {
    const edits = edited(drawn(), { type: 'removePoint', key: 0, point: 1 });
    expect(edits.shapes[0]?.points).toEqual(TRIANGLE);
    expect(edited(edits, { type: 'remove' }).shapes).toEqual([]);
  });

  test('a shape stops at the edge of the picture and keeps its form', () => {
    const [shape] = edited(drawn(), { type: 'moveShape', key: 0, by: [-5, 0.2] }).shapes;
    expect(shape?.points).toEqual([
      [0, 0.3],
      [0.4, 0.3],
      [0.2, 0.8],
    ]);
  });

  test('a drag of a shape counts from where it began', () => {
    const steps = Array.from(
      { length: 50 },
      (_, at): Edit => ({ type: 'moveShape', key: 0, by: [at * 0.003333, 0] }),
    );
    const edits = played([{ type: 'grab' }, ...steps, { type: 'moveShape', key: 0, by: [0, 0] }], drawn());
    expect(edits.shapes[0]?.points).toEqual(TRIANGLE);
  });

  test('a template replaces the zones that count people and keeps the others', () => {
    const edits = edited(drawn('staffZone'), { type: 'template', name: 'till', ...ROW });
    expect(edits.shapes.map((shape) => shape.kind)).toEqual(['queueZone', 'checkoutZone', 'staffZone']);
    expect(
      edited(edits, { type: 'template', name: 'room', ...ROW }).shapes.map((shape) => shape.kind),
    ).toEqual(['queueZone', 'staffZone']);
  });
});

describe('another polygon for a zone', () => {
  const points: readonly Point[] = [
    [0.1, 0.1],
    [0.9, 0.1],
    [0.3, 0.6],
  ];

  test('replaces its corners as one step of undo, and ends a drawing', () => {
    const edits = played(
      [
        { type: 'draw', kind: 'checkoutZone' },
        { type: 'replace', kind: 'queueZone', points },
      ],
      drawn(),
    );
    expect([edits.pen, edits.shapes.map((shape) => shape.points)]).toEqual([null, [points]]);
    expect(edited(edits, { type: 'undo' }).shapes[0]!.points).toEqual(TRIANGLE);
  });

  test('changes nothing where the zone is not drawn', () => {
    expect(edited(drawn(), { type: 'replace', kind: 'staffZone', points })).toEqual(drawn());
  });
});

describe('undo', () => {
  test('one drag is one step', () => {
    const drag: Edit[] = [0.6, 0.7, 0.8].map((x) => ({ type: 'movePoint', key: 0, point: 1, to: [x, 0.1] }));
    const edits = played([{ type: 'grab' }, ...drag, { type: 'release' }], drawn());
    expect(edits.shapes[0]?.points[1]).toEqual([0.8, 0.1]);
    expect(edited(edits, { type: 'undo' }).shapes[0]?.points).toEqual(TRIANGLE);
  });

  test('a drag that is given up leaves nothing behind', () => {
    const before = drawn();
    const moved = played([{ type: 'grab' }, { type: 'movePoint', key: 0, point: 1, to: [0.8, 0.1] }], before);
    const edits = edited(moved, { type: 'cancel' });
    expect(edits.shapes).toEqual(before.shapes);
    expect(edits.past).toEqual(before.past);
  });

  test('of a shape that is being drawn it takes the last point', () => {
    const edits = played([{ type: 'draw', kind: 'queueZone' }, ...add([0, 0], [1, 0])]);
    const undone = edited(edits, { type: 'undo' });
    expect(undone.shapes[0]?.points).toEqual([[0, 0]]);
    expect(edited(undone, { type: 'add', at: [1, 1] }).shapes[0]?.points).toEqual([
      [0, 0],
      [1, 1],
    ]);
  });

  test('undo restores every state exactly, and redo the last one', () => {
    fc.assert(
      fc.property(drawing, edits, (stored, steps) => {
        const start = startEdits(shapesOf(stored));
        const end = edited(played(steps, start), { type: 'release' });
        const undone = played(
          end.past.map(() => ({ type: 'undo' })),
          end,
        );
        expect(undone.shapes).toEqual(start.shapes);
        expect(undone.past).toEqual([]);
        const redone = played(
          undone.future.map(() => ({ type: 'redo' })),
          undone,
        );
        expect(redone.future).toEqual([]);
        // Steps may have been undone by the edits themselves.
        const backAtEnd = played(
          end.future.map(() => ({ type: 'undo' })),
          redone,
        );
        expect(backAtEnd.shapes).toEqual(end.shapes);
      }),
    );
  });
});

/** What the API could not store, or the editor could not show. */
function faultsOf({ shapes, pen, selected }: Edits): string[] {
  const keys = shapes.map((shape) => shape.key);
  const chosen = shapes.find((shape) => shape.key === selected?.key);
  const zones = shapes
    .map(({ kind: each, of }) => of ?? each)
    .filter((each) => each !== 'mask' && each !== 'till');
  const tills = tillsOf(shapes).map(({ till: { id } }) => id);
  return [
    ...(new Set(keys).size === keys.length ? [] : ['a key twice']),
    ...(new Set(zones).size === zones.length ? [] : ['a zone twice']),
    ...(new Set(tills).size === tills.length && tills.length <= 12 ? [] : ['a till twice, or too many']),
    ...(shapes.every(({ of }) => of === undefined || tills.includes(of)) ? [] : ['the side of no till']),
    ...shapes.flatMap(({ key, points }) => [
      ...(points.length > 0 && points.length <= 20 ? [] : [`${points.length} points`]),
      ...(points.length >= 3 || pen?.key === key ? [] : ['a closed shape with two points']),
      ...(points.flat().every((value) => value >= 0 && value <= 1) ? [] : ['a point outside']),
    ]),
    ...(selected === null || chosen ? [] : ['a selected shape that does not exist']),
    ...((selected?.point ?? 0) < (chosen?.points.length ?? 1)
      ? []
      : ['a selected point that does not exist']),
  ];
}

test('whatever is done, the editor holds only what the API can store, and a selection that exists', () => {
  fc.assert(
    fc.property(edits, (steps) => {
      let state = startEdits([], 't');
      const faults = steps.flatMap((step) => {
        state = edited(state, step);
        return faultsOf(state);
      });
      expect(faults).toEqual([]);
    }),
  );
});
