import { describe, expect, test } from '@jest/globals';
import type { InputWindow, NetworkSizes } from '../../src/vision/detect/detector.ts';
import {
  aspectOf,
  frameSize,
  isWorthShrinking,
  regionAround,
  regionOf,
  regionOfView,
  shrunkTo,
  sizeOfView,
  WHOLE_PICTURE,
  wholeSize,
  windowAround,
} from '../../src/vision/region.ts';
import { RegionWatch } from '../../src/vision/region-watch.ts';
import type { Detection, Letterbox, Point, QueueZones, Region } from '../../src/vision/types.ts';
import { fc } from '../support/property.ts';

const zone = (left: number, top: number, right: number, bottom: number): QueueZones['queueZone'] => ({
  type: 'polygon',
  points: [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ],
});
const LARGEST = { width: 512, height: 384 };
const SIZES: NetworkSizes = [
  LARGEST,
  { width: 512, height: 288 },
  { width: 384, height: 288 },
  { width: 352, height: 224 },
  { width: 256, height: 192 },
  { width: 256, height: 160 },
];
const INPUT: NetworkSizes = [LARGEST];
const WIDE: Letterbox = { inputWidth: 512, inputHeight: 384, contentWidth: 512, contentHeight: 288 };
const TALL: Letterbox = { inputWidth: 512, inputHeight: 384, contentWidth: 216, contentHeight: 384 };
const SQUARE: Letterbox = { inputWidth: 512, inputHeight: 384, contentWidth: 384, contentHeight: 384 };
const widthOf = ({ view }: RegionWatch) => sizeOfView(view, WIDE, SIZES).width;
const rounded = ({ left, top, width, height }: Region) =>
  [left, top, left + width, top + height].map((value) => Number(value.toFixed(3)));

describe('the part of the picture around zones', () => {
  test.each<[string, QueueZones[], number, number[]]>([
    ['no zones: the whole picture', [{}], 0.2, [0, 0, 1, 1]],
    ['a zone that covers everything', [{ queueZone: zone(0, 0, 1, 1) }], 0.1, [0, 0, 1, 1]],
    // A height above with a tenth more, a quarter below, half a height at each side.
    ['a zone in the middle', [{ queueZone: zone(0.4, 0.5, 0.6, 0.6) }], 0.1, [0.372, 0.39, 0.628, 0.625]],
    ['a zone at the left edge', [{ queueZone: zone(0, 0.5, 0.1, 0.6) }], 0.1, [0, 0.39, 0.128, 0.625]],
    ['a zone at the corner', [{ checkoutZone: zone(0.9, 0.9, 1, 1) }], 0.1, [0.872, 0.79, 1, 1]],
    [
      'several scenes: all their zones',
      [
        { queueZone: zone(0, 0.5, 0.1, 0.6) },
        { checkoutZone: zone(0.9, 0.5, 1, 0.6), staffZone: zone(0.4, 0.9, 0.5, 1) },
      ],
      0.1,
      [0, 0.39, 1, 1],
    ],
  ])('%s', (_, zones, personHeight, expected) => {
    expect(rounded(regionAround(zones, { personHeight, aspect: 16 / 9 }))).toEqual(expected);
  });
});

describe('the size that looks at a whole picture', () => {
  test.each<[string, Letterbox, [number, number], [number, number]]>([
    ['of 16:9 leaves the padding out', WIDE, [512, 288], [256, 160]],
    ['of 4:3', { ...WIDE, contentHeight: 384 }, [512, 384], [256, 192]],
    ['on end, for which there is none', TALL, [512, 384], [256, 192]],
    ['of a smaller frame', shrunkTo({ width: 384, height: 288 }, WIDE), [384, 288], [256, 160]],
    ['of a frame of no known size', { ...WIDE, inputWidth: 500 }, [500, 384], [256, 192]],
  ])('%s', (_, letterbox, whole, shrunk) => {
    const sizes = [wholeSize(letterbox, SIZES), sizeOfView('shrunk', letterbox, SIZES)];
    expect(sizes.map(({ width, height }) => [width, height])).toEqual([whole, shrunk]);
    expect(sizeOfView(null, letterbox, SIZES)).toEqual(sizes[0]);
  });

  test('a network of one size looks at all of its input, shrunk too', () => {
    expect(wholeSize(WIDE, INPUT)).toEqual(INPUT[0]);
    expect(sizeOfView('shrunk', WIDE, INPUT)).toEqual(INPUT[0]);
    expect(isWorthShrinking(null, WIDE, INPUT)).toBe(false);
  });

  test('frames of high accuracy are larger, where the detector has such an input, and are never shrunk', () => {
    const detector = { inputWidth: 512, inputHeight: 384 };
    const largerInput = { width: 640, height: 480 };
    expect(frameSize({ ...detector, largerInput }, 'high')).toEqual(largerInput);
    expect(frameSize({ ...detector, largerInput }, 'standard')).toEqual({ width: 512, height: 384 });
    expect(frameSize({ ...detector, largerInput: null }, 'high')).toEqual({ width: 512, height: 384 });
    expect(frameSize(detector, 'high')).toEqual({ width: 512, height: 384 });
    const large = shrunkTo(largerInput, WIDE);
    const sizes: NetworkSizes = [largerInput, { width: 640, height: 384 }, ...SIZES];
    expect(wholeSize(large, sizes)).toEqual({ width: 640, height: 384 });
    expect(isWorthShrinking(null, WIDE, sizes)).toBe(true);
    expect(isWorthShrinking(null, large, sizes)).toBe(false);
    expect(windowAround({ left: 0.5, top: 0.4, width: 0.5, height: 0.6 }, large, sizes)).toEqual({
      ...{ x: 288, y: 136, width: 352, height: 224 },
    });
  });

  test('a picture is shrunk only where that has at most half of the pixels', () => {
    const window = (width: number, height: number) => ({ x: 0, y: 0, width, height });
    const worth = (at: InputWindow | null) => isWorthShrinking(at, WIDE, SIZES);
    expect([null, window(384, 288), window(352, 224), window(256, 192)].map(worth)).toEqual([
      ...[true, true],
      ...[false, false],
    ]);
  });
});

describe('the window for a part of the picture', () => {
  const part = (left: number, top: number, width: number, height: number) => ({ left, top, width, height });
  test.each<[string, Region, Letterbox, InputWindow | null]>([
    ['the whole picture', WHOLE_PICTURE, WIDE, null],
    ['slightly less', part(0, 0, 0.9, 0.9), WIDE, null],
    ['all of the height of a square picture', part(0, 0, 0.6, 1), SQUARE, null],
    ['little of a square picture', part(0, 0.5, 0.6, 0.5), SQUARE, { x: 0, y: 192, width: 256, height: 192 }],
    ['a low part', part(0.4, 0.5, 0.6, 0.5), WIDE, { x: 160, y: 64, width: 352, height: 224 }],
    ['three quarters of its width', part(0.25, 0, 0.75, 1), WIDE, { x: 128, y: 0, width: 384, height: 288 }],
    ['half of its width', part(0.5, 0.4, 0.5, 0.6), WIDE, { x: 256, y: 96, width: 256, height: 192 }],
    ['a narrow, high part', part(0.4, 0, 0.2, 1), WIDE, { x: 64, y: 0, width: 384, height: 288 }],
    ['a corner', part(0, 0, 0.1, 0.1), WIDE, { x: 0, y: 0, width: 256, height: 160 }],
    ['a picture on end', part(0, 0.5, 1, 0.5), TALL, { x: 0, y: 192, width: 256, height: 192 }],
  ])('%s', (_, region, letterbox, expected) => {
    expect(windowAround(region, letterbox, SIZES)).toEqual(expected);
  });

  test('a network of one size has no windows', () => {
    expect(windowAround(part(0.2, 0.2, 0.1, 0.1), WIDE, INPUT)).toBeNull();
    expect(windowAround(part(0.2, 0.2, 0.1, 0.1), WIDE, [])).toBeNull();
  });

  test('lies in the input and holds every zone', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    const points = fc.array(fc.tuple(share, share) as fc.Arbitrary<Point>, { minLength: 3, maxLength: 8 });
    fc.assert(
      fc.property(points, share, fc.constantFrom(WIDE, TALL), (corners, personHeight, letterbox) => {
        const zones = [{ queueZone: { type: 'polygon' as const, points: corners } }];
        const wanted = regionAround(zones, { personHeight, aspect: aspectOf(letterbox) });
        const window = windowAround(wanted, letterbox, SIZES);
        if (!window) return;
        expect(Math.min(window.x, window.y)).toBeGreaterThanOrEqual(0);
        expect(window.x + window.width).toBeLessThanOrEqual(letterbox.inputWidth);
        expect(window.y + window.height).toBeLessThanOrEqual(letterbox.inputHeight);
        const { left, top, width, height } = regionOf(window, letterbox);
        for (const [x, y] of corners) {
          expect(x).toBeGreaterThanOrEqual(left - 1e-9);
          expect(x).toBeLessThanOrEqual(left + width + 1e-9);
          expect(y).toBeGreaterThanOrEqual(top - 1e-9);
          expect(y).toBeLessThanOrEqual(top + height + 1e-9);
        }
      }),
    );
  });
});

describe('the window of a camera', () => {
  const CORNER = { queueZone: zone(0.65, 0.6, 0.9, 0.95) };
  const person = (height: number, score = 0.9, x = 0.75, foot = 0.8): Detection => ({
    box: { left: x - 0.03, right: x + 0.03, top: foot - height, bottom: foot },
    score,
    classId: 0,
  });

  /** Five frames a second that show `people`, cut off by the window. @returns the widths of what was looked at */
  function show(watch: RegionWatch, from: number, seconds: number, people: readonly Detection[]) {
    const widths: number[] = [];
    for (let timeMs = from; timeMs < from + seconds * 1000; timeMs += 200) {
      const view = watch.next(WIDE, timeMs);
      const { top } = regionOfView(view, WIDE);
      const seen = people.map((one) => ({ ...one, box: { ...one.box, top: Math.max(top, one.box.top) } }));
      watch.see(seen, { letterbox: WIDE, timeMs, view });
      widths.push(sizeOfView(view, WIDE, SIZES).width);
    }
    return widths;
  }
  function learned(height: number): RegionWatch {
    const watch = new RegionWatch(SIZES);
    watch.watch([CORNER]);
    show(watch, 0, 61, [person(height)]);
    return watch;
  }

  test('the whole picture, until people were seen in the zones for a while', () => {
    const watch = new RegionWatch(SIZES);
    watch.watch([CORNER]);
    expect(new Set(show(watch, 0, 300, []))).toEqual(new Set([512]));
    // Unsure, outside of the zones, no person.
    const others = [person(0.2, 0.5), person(0.2, 0.9, 0.3), { ...person(0.2), classId: 2 }];
    expect(new Set(show(watch, 300_000, 60, others))).toEqual(new Set([512]));
    const widths = show(watch, 360_000, 30, [person(0.2)]);
    expect(widths[0]).toBe(512);
    expect(widths.at(-5)).toBe(256);
    expect(watch.view).toEqual({ x: 256, y: 96, width: 256, height: 192 });
  });

  test('once in ten seconds it looks at the whole picture', () => {
    const widths = show(learned(0.2), 61_000, 60, [person(0.2)]);
    const whole = widths.filter((width) => width === 512).length;
    expect(whole).toBeGreaterThanOrEqual(5);
    expect(whole).toBeLessThanOrEqual(7);
    expect(widths.filter((width) => width === 256)).toHaveLength(widths.length - whole);
  });

  test('somebody taller whom the window cuts off makes it larger within two seconds, and it stays so', () => {
    const watch = learned(0.2);
    expect(widthOf(watch)).toBe(256);
    show(watch, 61_000, 2, [person(0.2), person(0.6)]);
    expect(widthOf(watch)).toBe(384);
    show(watch, 63_000, 600, [person(0.2)]);
    expect(widthOf(watch)).toBe(384);
  });

  test('when people get smaller over time it follows', () => {
    const watch = learned(0.5);
    expect(widthOf(watch)).toBe(384);
    show(watch, 61_000, 11_000, [person(0.2)]);
    expect(widthOf(watch)).toBe(256);
  });

  test('other zones and another shape of the picture: the whole picture at once, then anew', () => {
    const watch = learned(0.2);
    watch.watch([{ queueZone: zone(0, 0.5, 0.3, 0.9) }]);
    expect(watch.next(WIDE, 61_200)).toBeNull();
    const again = learned(0.2);
    expect(again.next({ ...WIDE, contentHeight: 384 }, 61_200)).toBeNull();
    expect(again.view).toBeNull();
  });

  test.each<[string, readonly QueueZones[], typeof SIZES]>([
    ['no zones', [], SIZES],
    ['zones that cover everything', [{ queueZone: zone(0, 0, 1, 1) }], SIZES],
    ['a network of one size', [CORNER], INPUT],
  ])('%s: the whole picture for ever', (_, zones, sizes) => {
    const watch = new RegionWatch(sizes);
    watch.watch(zones);
    expect(new Set(show(watch, 0, 200, [person(0.2)]))).toEqual(new Set([512]));
  });

  test('a clock that goes back looks at the whole picture', () => {
    expect(learned(0.2).next(WIDE, 30_000)).toBeNull();
  });
});

describe('the shrunk picture', () => {
  // Its window needs the largest network.
  const WIDE_ZONE = { queueZone: zone(0.05, 0.6, 0.95, 0.95) };
  const person = (height: number, x = 0.5, score = 0.9): Detection => ({
    box: { left: x - 0.1, right: x + 0.1, top: 0.9 - height, bottom: 0.9 },
    score,
    classId: 0,
  });
  /** Heights of people in the shrunk picture: 101 and 58 pixels. */
  const [TALL_PERSON, SMALL_PERSON] = [person(0.7), person(0.4, 0.2)];
  const begun = (zones: readonly QueueZones[] = [WIDE_ZONE], sizes = SIZES): RegionWatch => {
    const watch = new RegionWatch(sizes);
    watch.watch(zones);
    return watch;
  };

  /**
   * Five frames a second that show `people`.
   * @param found what the smallest network finds in the shrunk picture
   * @returns the number of looks at the whole picture and of comparisons, and the last view
   */
  function show(
    watch: RegionWatch,
    from: number,
    { seconds, people, found = people }: { seconds: number; people: Detection[]; found?: Detection[] },
  ) {
    let [whole, compared] = [0, 0];
    for (let timeMs = from; timeMs < from + seconds * 1000; timeMs += 200) {
      const view = watch.next(WIDE, timeMs);
      watch.see(view === 'shrunk' ? found : people, { letterbox: WIDE, timeMs, view });
      if (view) continue;
      whole++;
      if (!watch.mustCompare) continue;
      compared++;
      watch.compare(found);
    }
    return { whole, compared, view: watch.view };
  }

  test('serves tall people whom it shows; the whole one is seen again once in ten seconds', () => {
    const watch = begun();
    // Fifty sightings to know the heights, then fifty comparisons.
    expect(show(watch, 0, { seconds: 19, people: [TALL_PERSON] }).view).toBeNull();
    expect(show(watch, 19_000, { seconds: 3, people: [TALL_PERSON] }).view).toBe('shrunk');
    const { whole, compared } = show(watch, 22_000, { seconds: 100, people: [TALL_PERSON] });
    expect(whole).toBe(10);
    expect(compared).toBe(10);
  });

  test.each<[string, Detection[], Detection[] | undefined]>([
    ['people are small', [person(0.4)], undefined],
    [
      'one of twenty is small',
      [...Array.from({ length: 18 }, () => TALL_PERSON), person(0.4), person(0.4)],
      undefined,
    ],
    ['it shows nobody', [TALL_PERSON], []],
    ['it shows them elsewhere', [TALL_PERSON], [person(0.7, 0.8)]],
    ['it is unsure of them', [TALL_PERSON], [person(0.7, 0.5, 0.29)]],
    ['it takes them for something else', [TALL_PERSON], [{ ...TALL_PERSON, classId: 2 }]],
    [
      'nobody is in the zones',
      [{ ...TALL_PERSON, box: { left: 0, top: 0, right: 0.1, bottom: 0.3 } }],
      undefined,
    ],
  ])('is not used where %s', (_, people, found) => {
    const { view, whole } = show(begun(), 0, { seconds: 300, people, ...(found && { found }) });
    expect(view).toBeNull();
    expect(whole).toBe(1500);
  });

  test('comparisons that fail go on, but only once in ten seconds', () => {
    expect(show(begun(), 0, { seconds: 300, people: [TALL_PERSON], found: [] }).compared).toBeLessThanOrEqual(
      80,
    );
  });

  test('is left within two minutes when small people appear, and when it shows people no longer', () => {
    const watch = begun();
    show(watch, 0, { seconds: 300, people: [TALL_PERSON] });
    expect(watch.view).toBe('shrunk');
    expect(show(watch, 300_000, { seconds: 120, people: [TALL_PERSON, SMALL_PERSON] }).view).toBeNull();
    const other = begun();
    show(other, 0, { seconds: 300, people: [TALL_PERSON] });
    expect(show(other, 300_000, { seconds: 120, people: [TALL_PERSON], found: [] }).view).toBeNull();
  });

  test('other zones begin anew', () => {
    const watch = begun();
    show(watch, 0, { seconds: 60, people: [TALL_PERSON] });
    expect(watch.view).toBe('shrunk');
    watch.watch([{ queueZone: zone(0, 0.5, 1, 1) }]);
    expect(watch.view).toBeNull();
  });

  test.each<[string, RegionWatch]>([
    ['no zones', begun([])],
    ['a network of one size', begun([WIDE_ZONE], INPUT)],
  ])('%s: the whole picture for ever, and no comparison', (_, watch) => {
    expect(show(watch, 0, { seconds: 100, people: [TALL_PERSON] })).toEqual({
      ...{ whole: 500, compared: 0, view: null },
    });
  });
});
