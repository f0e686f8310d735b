import { describe, expect, test } from '@jest/globals';
import type { Point } from '../../../src/catalogue/zones/polygon.ts';
import { drawingOf, tillsOf } from '../../../src/page/cameras/zones/shapes.ts';
import { freeNames } from '../../../src/page/cameras/zones/till-edits.ts';
import { type Edit, type Edits, edited, startEdits } from '../../../src/page/cameras/zones/zone-edits.ts';

const played = (edits: readonly Edit[], from: Edits = startEdits([], 't')): Edits =>
  edits.reduce(edited, from);
const add = (...at: readonly Point[]): Edit[] => at.map((point) => ({ type: 'add', at: point }));
const TRIANGLE: readonly Point[] = [
  [0.1, 0.1],
  [0.5, 0.1],
  [0.3, 0.6],
];
/** Two tills beside each other in a picture that is as wide as it is high. */
const ROW = { names: ['Till 1', 'Till 2'], ratio: 1 };

describe('tills', () => {
  const square = (left: number, top: number, right: number, bottom: number): Point[] => [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ];
  const tillAt = (points: readonly Point[], name = 'Till 1'): Edit[] => [
    { type: 'draw', kind: 'till', name },
    ...add(...points),
    { type: 'close' },
  ];
  const one = () => played(tillAt(square(0.1, 0.1, 0.9, 0.3)), startEdits([], 't'));
  const drawnTills = (edits: Edits) => drawingOf(edits.shapes).zones.tills ?? [];

  test('each drawing is a new till, with an id that no other had', () => {
    const removed = edited(one(), { type: 'remove' });
    const edits = played([...tillAt(TRIANGLE), ...tillAt(TRIANGLE, 'Till 2')], removed);
    expect(drawnTills(edits).map(({ id, name }) => [id, name])).toEqual([
      ['t1', 'Till 1'],
      ['t2', 'Till 2'],
    ]);
  });

  test.each<[string, Point[], Point[][]]>([
    ['wide', square(0, 0, 0.8, 0.2), [square(0, 0, 0.4, 0.2), square(0.4, 0, 0.8, 0.2)]],
    [
      'drawn from the right',
      [
        [0.8, 0.2],
        [0, 0.2],
        [0, 0],
        [0.8, 0],
      ],
      [
        [
          [0.4, 0.2],
          [0, 0.2],
          [0, 0],
          [0.4, 0],
        ],
        [
          [0.8, 0.2],
          [0.4, 0.2],
          [0.4, 0],
          [0.8, 0],
        ],
      ],
    ],
    [
      'deep',
      square(0, 0, 0.2, 0.8),
      [
        [
          [0.2, 0],
          [0.2, 0.4],
          [0, 0.4],
          [0, 0],
        ],
        [
          [0.2, 0.4],
          [0.2, 0.8],
          [0, 0.8],
          [0, 0.4],
        ],
      ],
    ],
  ])('a %s one is divided along its longer sides', (_, points, parts) => {
    const edits = played([...tillAt(points), { type: 'divide', key: 0, ...ROW }], startEdits([], 't'));
    expect(tillsOf(edits.shapes).map((shape) => shape.points)).toEqual(parts);
    expect(drawnTills(edits).map(({ id, name }) => [id, name])).toEqual([
      ['t0', 'Till 1'],
      ['t3', 'Till 2'],
    ]);
    expect(drawnTills(edited(edits, { type: 'undo' }))).toHaveLength(1);
  });

  test('the sides of the staff are divided with their tills, and go with them', () => {
    const side: Edit[] = [
      { type: 'draw', kind: 'tillStaff', of: 't0' },
      ...add(...square(0.1, 0, 0.9, 0.1)),
      { type: 'close' },
    ];
    const edits = played([...side, { type: 'divide', key: 0, ...ROW }], one());
    expect(drawnTills(edits).map(({ staffPoints }) => staffPoints)).toEqual([
      square(0.1, 0, 0.5, 0.1),
      square(0.5, 0, 0.9, 0.1),
    ]);
    const first = edited(edits, { type: 'removeShape', key: 0 });
    expect(first.shapes.map(({ kind: each }) => each)).toEqual(['till', 'tillStaff']);
  });

  test.each<[string, Edits, Partial<typeof ROW>]>([
    ['three corners', played(tillAt(TRIANGLE), startEdits([])), {}],
    ['thirteen tills', one(), { names: Array.from({ length: 13 }, (_, at) => `${at}`) }],
  ])('%s cannot be divided', (_, edits, row) => {
    expect(edited(edits, { type: 'divide', key: 0, ...ROW, ...row })).toEqual(edits);
  });

  test('typing a name is one step of undo, until something else is done', () => {
    const named = ['E', 'Ex', 'Exit'].map((name): Edit => ({ type: 'rename', key: 0, name }));
    const edits = played([...named, { type: 'deselect' }, { type: 'rename', key: 0, name: 'End' }], one());
    const names = [
      edits,
      edited(edits, { type: 'undo' }),
      played([{ type: 'undo' }, { type: 'undo' }], edits),
    ];
    expect(names.map((each) => drawnTills(each)[0]!.name)).toEqual(['End', 'Exit', 'Till 1']);
  });

  test('the queue leads to all tills, to some of them, and to one at least', () => {
    const queue: Edit[] = [
      { type: 'draw', kind: 'queueZone' },
      ...add(...square(0, 0.5, 1, 1)),
      { type: 'close' },
    ];
    const both = played([{ type: 'divide', key: 0, ...ROW }, ...queue], one());
    const feedsOf = (edits: Edits) => drawingOf(edits.shapes).zones.queueFeeds?.tillIds;
    expect(feedsOf(both)).toBeUndefined();
    const second = edited(both, { type: 'feed', key: 0, isFed: false });
    expect(feedsOf(second)).toEqual(['t3']);
    expect(edited(second, { type: 'feed', key: 3, isFed: false }).shapes).toBe(second.shapes);
    expect(feedsOf(edited(second, { type: 'removeShape', key: 3 }))).toBeUndefined();
  });

  test('new names are those that no till has', () => {
    const taken = tillsOf(
      played([...tillAt(TRIANGLE, ' Till 2'), ...tillAt(TRIANGLE, 'Exit')], startEdits([])).shapes,
    );
    expect(freeNames(taken, 2, (number) => `Till ${number}`)).toEqual(['Till 1', 'Till 3']);
  });
});
