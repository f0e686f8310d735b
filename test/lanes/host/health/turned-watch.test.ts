import { describe, expect, test } from '@jest/globals';
import { TurnedWatch, turnInput } from '../../../../src/lanes/host/health/turned-watch.ts';
import type { Detection, Letterbox } from '../../../../src/vision/types.ts';

const LETTERBOX: Letterbox = { inputWidth: 64, inputHeight: 48, contentWidth: 64, contentHeight: 36 };
const PERSON: Detection = { box: { left: 0.4, top: 0.4, right: 0.5, bottom: 0.7 }, score: 0.8, classId: 0 };
const CAR: Detection = { ...PERSON, classId: 2 };

/** White at the upper left of a black picture. */
function picture(): Uint8Array {
  const model = new Uint8Array(64 * 48 * 3).fill(114);
  for (let y = 0; y < 36; y++)
    for (let x = 0; x < 64; x++)
      model.fill(x < 20 && y < 12 ? 255 : 0, 3 * (y * 64 + x), 3 * (y * 64 + x + 1));
  return model;
}
const FRAME = { model: picture(), letterbox: LETTERBOX };

/** A detector that finds somebody where the white corner is at the lower right. */
let looks = 0;
const detect = async (model: Uint8Array, { contentWidth, contentHeight }: Letterbox) => {
  looks++;
  const at = 3 * ((contentHeight - 4) * 64 + contentWidth - 4);
  return model[at] === 255 ? [PERSON] : [];
};

/** Frames every second. */
async function watch(
  { seconds, found = () => [] }: { seconds: number; found?: (second: number) => Detection[] },
  watching = new TurnedWatch(),
) {
  looks = 0;
  for (let second = 0; second < seconds; second++)
    await watching.see(found(second), { ...FRAME, timeMs: second * 1000 }, detect);
  return watching;
}

describe('a camera that hangs upside down', () => {
  test('is noticed after three looks, which cost three detections a minute', async () => {
    expect((await watch({ seconds: 180 })).warnings).toEqual([]);
    const { warnings } = await watch({ seconds: 190 });
    expect(warnings).toEqual([
      {
        reason: 'picture_turned',
        message: expect.stringMatching(/turned by 180 degrees.* set the rotation of the camera to 180,/),
        sinceMs: 62_000,
      },
    ]);
    expect(looks).toBe(9);
  });

  test('is told the rotation beyond the one that it has', async () => {
    const { warnings } = await watch({ seconds: 190 }, new TurnedWatch(90));
    expect(warnings[0]!.message).toContain('set the rotation of the camera to 270,');
  });

  test('is noticed in a recording of twenty seconds, and its rotation is told', async () => {
    const watching = await watch({ seconds: 19 }, new TurnedWatch(270, 20_000));
    expect(watching.wanted).toBe(90);
    expect(
      (await watch({ seconds: 19, found: () => [PERSON] }, new TurnedWatch(0, 20_000))).wanted,
    ).toBeNull();
    expect((await watch({ seconds: 5 }, new TurnedWatch(0, 20_000))).wanted).toBeNull();
  });

  test('is not suspected while people are found in the picture as it is; cars say nothing', async () => {
    const found = (second: number) => (second >= 130 && second < 150 ? [PERSON] : [CAR]);
    expect((await watch({ seconds: 190 })).warnings).toHaveLength(1);
    expect((await watch({ seconds: 200, found })).warnings).toEqual([]);
  });

  test('is noticed although somebody is found by chance in some frames as they are', async () => {
    const found = (second: number) => (second % 5 === 0 ? [{ ...PERSON, score: 0.6 }] : []);
    expect((await watch({ seconds: 190, found })).wanted).toBe(180);
  });

  test('is not looked for any more once people were found as they are in five looks', async () => {
    await watch({ seconds: 3_600, found: (second) => (second < 100 ? [PERSON] : []) });
    expect(looks).toBe(15);
  });
});

test.each([
  [90, { contentWidth: 27, contentHeight: 48 }, [24, 3]],
  [180, { contentWidth: 64, contentHeight: 36 }, [60, 32]],
  [270, { contentWidth: 27, contentHeight: 48 }, [3, 44]],
] as const)('the input of the detector turned by %i degrees', (rotation, content, [x, y]) => {
  const { model, letterbox } = turnInput(FRAME, rotation);
  expect(letterbox).toEqual({ ...LETTERBOX, ...content });
  expect(model[3 * (y * 64 + x)]).toBe(255);
  expect(model.filter((level) => level === 255).length / 3).toBeGreaterThan(0);
  expect(model[3 * (20 * 64 + 63)]).toBe(rotation === 180 ? 0 : 114);
});
